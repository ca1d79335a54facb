import type { Progress } from '../../text/types.ts';
import type { TreeIssue } from './issue.ts';

/** Issues by id and their children. Each issue has one position, even if the tracker's data is inconsistent. */
export interface IssueTree {
  /** Id of the topmost issue. */
  root: string;
  /** Id of the issue that the tree was requested for. */
  focus: string;
  issues: ReadonlyMap<string, TreeIssue>;
  /** Child ids by issue; absent if children were not read. */
  children: ReadonlyMap<string, readonly string[]>;
  /** The tree was cut at the limit. */
  more: boolean;
}

/** Counts of one or more checklists. */
export type Counts = Pick<Progress, 'total' | 'checked' | 'mandatoryOpen'>;

/** Totals of a branch: an issue and its descendants, without links. */
export interface RollUp extends Counts {
  issues: number;
  /** Number of issues whose checklists are unknown or not visible. */
  unknown: number;
  /** Number of issues that the user can apply a template to. */
  changeable: number;
}

/** Ids of an issue and its descendants, each once. */
export function branchOf({ children }: Pick<IssueTree, 'children'>, id: string): string[] {
  const branchIds = new Set([id]);
  for (const branchId of branchIds) for (const child of children.get(branchId) ?? []) branchIds.add(child);
  return [...branchIds];
}

/** Ids from the root down to an issue. */
export function pathTo({ children, root }: Pick<IssueTree, 'children' | 'root'>, id: string): string[] {
  const above = new Map([...children].flatMap(([parent, ids]) => ids.map(child => [child, parent] as const)));
  const path = [id];
  for (let at = above.get(id); at !== undefined && !path.includes(at); at = above.get(at)) path.unshift(at);
  return path[0] === root ? path : [id];
}

/** The totals of every branch, by the id of its topmost issue. */
export function rollUps(
  { children, issues }: Pick<IssueTree, 'children' | 'issues'>,
  countsOf: (id: string) => Counts | undefined,
  isChangeable: (id: string) => boolean,
): ReadonlyMap<string, RollUp> {
  const rollUpOf = new Map<string, RollUp>();
  const sum = (id: string): RollUp => {
    const cachedRollUp = rollUpOf.get(id);
    if (cachedRollUp) return cachedRollUp;
    const { total = 0, checked = 0, mandatoryOpen = 0 } = countsOf(id) ?? {};
    const [unknown, changeable] = [countsOf(id) ? 0 : 1, isChangeable(id) ? 1 : 0];
    const rollUp = { issues: 1, unknown, changeable, total, checked, mandatoryOpen };
    for (const child of children.get(id) ?? []) {
      const below = sum(child);
      for (const key of Object.keys(below) as (keyof RollUp)[]) rollUp[key] += below[key];
    }
    rollUpOf.set(id, rollUp);
    return rollUp;
  };
  for (const id of issues.keys()) sum(id);
  return rollUpOf;
}
