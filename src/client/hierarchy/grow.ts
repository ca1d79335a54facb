import { TrackerError } from '../errors.ts';
import type { Throttled } from '../tracker/throttle.ts';
import type { TreeIssue } from './issue.ts';
import { fetchChildren, fetchIssues } from './tracker.ts';
import type { IssueTree } from './tree.ts';

/** Maximum number of issues in a tree. */
export const MAX_ISSUES = 1_000;
/** Maximum number of ancestors; the tracker has some three levels, but its data may be inconsistent. */
const MAX_ANCESTORS = 20;

/** A tree while it is read. */
interface Draft {
  root: string;
  focus: string;
  issues: Map<string, TreeIssue>;
  children: Map<string, string[]>;
  /** Issues with a position: the root and all children. */
  placed: Set<string>;
  more: boolean;
}

const snapshot = ({ root, focus, issues, children, more }: Draft): IssueTree => ({
  ...{ root, focus, more },
  issues: new Map(issues),
  children: new Map(children),
});

/** The issue and its ancestors, topmost first. Ends below an ancestor that is not visible to the user. */
async function fetchAbove(calls: Throttled, key: string): Promise<[TreeIssue, ...TreeIssue[]]> {
  const [focus] = await fetchIssues(calls, [key]);
  if (!focus) throw new TrackerError(404, 'Issue does not exist or you do not have permission to see it.');
  const chain: [TreeIssue, ...TreeIssue[]] = [focus];
  for (let [top] = chain; top.parent !== undefined && chain.length <= MAX_ANCESTORS; [top] = chain) {
    const { parent } = top;
    if (chain.some(({ id }) => id === parent)) break;
    const [above] = await fetchIssues(calls, [parent]);
    if (!above) break;
    chain.unshift(above);
  }
  return chain;
}

/** Adds an issue as a child, unless it has a position already. Returns false when the tree is full. */
function place(draft: Draft, parent: string, issue: TreeIssue): boolean {
  const { issues, children, placed } = draft;
  if (placed.has(issue.id)) return true;
  if (placed.size >= MAX_ISSUES) {
    draft.more = true;
    return false;
  }
  placed.add(issue.id);
  issues.set(issue.id, issue);
  children.set(parent, [...(children.get(parent) ?? []), issue.id]);
  return true;
}

/** Reads all descendants of these issues, level by level. `above` is a chain of ancestors that must be in the tree. */
async function growFrom(
  calls: Throttled,
  draft: Draft,
  from: string[],
  above: readonly TreeIssue[],
  onProgress: () => void,
) {
  const { issues, children } = draft;
  for (let level = from; level.length > 0; ) {
    for (const id of level) if (!children.has(id)) children.set(id, []);
    const parents = level.filter(id => !issues.get(id)?.subtask);
    await fetchChildren(calls, parents, page => {
      const room = page.every(issue => {
        const parent = issue.parent ?? '';
        return !level.includes(parent) || place(draft, parent, issue);
      });
      onProgress();
      return room;
    });
    // The search index may be stale.
    above.forEach((issue, at) => {
      const parent = above[at - 1]?.id;
      if (parent !== undefined && level.includes(parent)) place(draft, parent, issue);
    });
    level = level.flatMap(id => children.get(id) ?? []).filter(id => !children.has(id));
  }
}

/** Reads the linked issues that are not in the tree yet. */
async function fetchLinked(calls: Throttled, { issues }: Draft, of: Iterable<string>): Promise<void> {
  const linked = [...of].flatMap(id => issues.get(id)?.links.map(link => link.id) ?? []);
  const missingIds = [...new Set(linked)].filter(id => !issues.has(id)).slice(0, MAX_ISSUES);
  for (const issue of await fetchIssues(calls, missingIds)) issues.set(issue.id, issue);
}

/**
 * Reads the tree around an issue: its ancestors, all descendants of the topmost one, and linked issues. `grown` are
 * linked issues whose own trees are included. `onProgress` gets partial trees.
 */
export async function readTree(
  calls: Throttled,
  key: string,
  grown: readonly string[],
  onProgress: (tree: IssueTree) => void,
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
  await growFrom(calls, draft, [root.id], above, () => onProgress(snapshot(draft)));
  await fetchLinked(calls, draft, [...draft.issues.keys()]);
  const tree = snapshot(draft);
  if (grown.length === 0) return tree;
  onProgress(tree);
  return growTree(calls, tree, grown);
}

/** Adds the descendants of linked issues, and the issues linked to these descendants. */
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
  const placedIds = [...draft.issues.keys()];
  await fetchLinked(calls, draft, placedIds);
  return snapshot(draft);
}
