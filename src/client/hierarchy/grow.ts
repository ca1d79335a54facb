import { TrackerError } from '../errors.ts';
import type { Throttled } from '../tracker/throttle.ts';
import type { TreeIssue } from './issue.ts';
import { fetchChildren, fetchIssues } from './tracker.ts';
import type { IssueTree } from './tree.ts';

/** Most issues of a tree: what is beyond is looked at from one of its parts. */
export const MOST_ISSUES = 1_000;
/** Issues above one; the tracker has some three levels, and may be told nonsense. */
const MOST_ABOVE = 20;

/** A tree while it is read. */
interface Draft {
  root: string;
  focus: string;
  issues: Map<string, TreeIssue>;
  children: Map<string, string[]>;
  /** Those that have their place: the root, and whatever stands below another. */
  placed: Set<string>;
  more: boolean;
}

const snapshot = ({ root, focus, issues, children, more }: Draft): IssueTree => ({
  ...{ root, focus, more },
  issues: new Map(issues),
  children: new Map(children),
});

/** From the topmost issue down to that one. What is above one that may not be seen stays out of sight as well. */
async function fetchAbove(calls: Throttled, key: string): Promise<[TreeIssue, ...TreeIssue[]]> {
  const [focus] = await fetchIssues(calls, [key]);
  if (!focus) throw new TrackerError(404, 'Issue does not exist or you do not have permission to see it.');
  const chain: [TreeIssue, ...TreeIssue[]] = [focus];
  for (let [top] = chain; top.parent !== undefined && chain.length <= MOST_ABOVE; [top] = chain) {
    const { parent } = top;
    if (chain.some(({ id }) => id === parent)) break;
    const [above] = await fetchIssues(calls, [parent]);
    if (!above) break;
    chain.unshift(above);
  }
  return chain;
}

/** Puts an issue below another, unless it has a place already. Answers whether there was room. */
function place(draft: Draft, parent: string, issue: TreeIssue): boolean {
  const { issues, children, placed } = draft;
  if (placed.has(issue.id)) return true;
  if (placed.size >= MOST_ISSUES) {
    draft.more = true;
    return false;
  }
  placed.add(issue.id);
  issues.set(issue.id, issue);
  children.set(parent, [...(children.get(parent) ?? []), issue.id]);
  return true;
}

/** Reads everything below these issues, level by level. `above` are issues that have to be in it, each below the one before. */
async function growFrom(calls: Throttled, draft: Draft, from: string[], above: readonly TreeIssue[], told: () => void) {
  const { issues, children } = draft;
  for (let level = from; level.length > 0; ) {
    for (const id of level) if (!children.has(id)) children.set(id, []);
    const parents = level.filter(id => !issues.get(id)?.subtask);
    await fetchChildren(calls, parents, page => {
      const room = page.every(issue => {
        const parent = issue.parent ?? '';
        return !level.includes(parent) || place(draft, parent, issue);
      });
      told();
      return room;
    });
    // A search may know less than what is.
    above.forEach((issue, at) => {
      const parent = above[at - 1]?.id;
      if (parent !== undefined && level.includes(parent)) place(draft, parent, issue);
    });
    level = level.flatMap(id => children.get(id) ?? []).filter(id => !children.has(id));
  }
}

/** What the issues are linked to, besides those that are there. */
async function fetchLinked(calls: Throttled, { issues }: Draft, of: Iterable<string>): Promise<void> {
  const linked = [...of].flatMap(id => issues.get(id)?.links.map(link => link.id) ?? []);
  const wanted = [...new Set(linked)].filter(id => !issues.has(id)).slice(0, MOST_ISSUES);
  for (const issue of await fetchIssues(calls, wanted)) issues.set(issue.id, issue);
}

/**
 * The tree around an issue: what is above it, everything below that, and what all of them are linked to. `grown` are
 * linked issues whose own trees belong to it. `told` gets what there is so far.
 */
export async function readTree(
  calls: Throttled,
  key: string,
  grown: readonly string[],
  told: (tree: IssueTree) => void,
): Promise<IssueTree> {
  const above = await fetchAbove(calls, key);
  const [root] = above;
  const focus = above.at(-1) ?? root;
  const draft: Draft = {
    ...{ root: root.id, focus: focus.id, more: false },
    issues: new Map([[root.id, root]]),
    children: new Map(),
    placed: new Set([root.id]),
  };
  await growFrom(calls, draft, [root.id], above, () => told(snapshot(draft)));
  await fetchLinked(calls, draft, [...draft.issues.keys()]);
  const tree = snapshot(draft);
  if (grown.length === 0) return tree;
  told(tree);
  return growTree(calls, tree, grown);
}

/** The tree with what is below some issues that others are only linked to, and what those are linked to. */
export async function growTree(calls: Throttled, tree: IssueTree, ids: readonly string[]): Promise<IssueTree> {
  const draft: Draft = {
    ...tree,
    issues: new Map(tree.issues),
    children: new Map([...tree.children].map(([id, below]) => [id, [...below]])),
    placed: new Set([tree.root, ...tree.children.keys(), ...[...tree.children.values()].flat()]),
  };
  const from = ids.filter(id => draft.issues.has(id) && !draft.children.has(id));
  for (const id of from) draft.placed.add(id);
  await growFrom(calls, draft, from, [], () => undefined);
  const known = [...draft.issues.keys()];
  await fetchLinked(calls, draft, known);
  return snapshot(draft);
}
