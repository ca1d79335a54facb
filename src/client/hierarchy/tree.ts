import type { Progress } from '../../text/types.ts';
import type { TreeIssue } from './issue.ts';

/** Issues by id, and which of them stand below which. No issue stands at two places, whatever the tracker says. */
export interface IssueTree {
  /** Id of the topmost issue. */
  root: string;
  /** Id of the issue that it was asked for. */
  focus: string;
  issues: ReadonlyMap<string, TreeIssue>;
  /** Ids of the issues below each one; an issue whose children were not asked for is missing. */
  children: ReadonlyMap<string, readonly string[]>;
  /** There are more issues than are read. */
  more: boolean;
}

/** Counts of a checklist, or of several. */
export type Counts = Pick<Progress, 'total' | 'checked' | 'mandatoryOpen'>;

/** What a branch comes to: an issue and all below it, links left aside. */
export interface RollUp extends Counts {
  issues: number;
  /** Issues whose checklists are not known, or not to be seen. */
  unknown: number;
  /** Issues that a template can be applied to by whoever looks. */
  changeable: number;
}

/** Ids from an issue downwards, itself first, each once. */
export function branchOf({ children }: Pick<IssueTree, 'children'>, id: string): string[] {
  const found = new Set([id]);
  for (const each of found) for (const child of children.get(each) ?? []) found.add(child);
  return [...found];
}

/** Ids from the root to an issue, which is the last. */
export function pathTo({ children, root }: Pick<IssueTree, 'children' | 'root'>, id: string): string[] {
  const above = new Map([...children].flatMap(([parent, ids]) => ids.map(child => [child, parent] as const)));
  const path = [id];
  for (let at = above.get(id); at !== undefined && !path.includes(at); at = above.get(at)) path.unshift(at);
  return path[0] === root ? path : [id];
}

/** What every branch comes to, by the id of its topmost issue. */
export function rollUps(
  { children, issues }: Pick<IssueTree, 'children' | 'issues'>,
  countsOf: (id: string) => Counts | undefined,
  isChangeable: (id: string) => boolean,
): ReadonlyMap<string, RollUp> {
  const found = new Map<string, RollUp>();
  const sum = (id: string): RollUp => {
    const known = found.get(id);
    if (known) return known;
    const { total = 0, checked = 0, mandatoryOpen = 0 } = countsOf(id) ?? {};
    const [unknown, changeable] = [countsOf(id) ? 0 : 1, isChangeable(id) ? 1 : 0];
    const all = { issues: 1, unknown, changeable, total, checked, mandatoryOpen };
    for (const child of children.get(id) ?? []) {
      const below = sum(child);
      for (const key of Object.keys(below) as (keyof RollUp)[]) all[key] += below[key];
    }
    found.set(id, all);
    return all;
  };
  for (const id of issues.keys()) sum(id);
  return found;
}
