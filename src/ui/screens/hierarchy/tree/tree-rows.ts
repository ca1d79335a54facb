import type { TreeIssue } from '../../../../client/hierarchy/issue.ts';
import { type Counts, type IssueTree, pathTo } from '../../../../client/hierarchy/tree.ts';

/** An issue at a position of the tree. */
export interface TreeRow {
  /** Ids from the root down: unique, and stable while the position is. */
  path: string;
  issue: TreeIssue;
  /** 1-based. */
  level: number;
  /** The link's name if it is linked to the issue above it instead of its child. */
  relation: string | undefined;
  expandable: boolean;
  expanded: boolean;
  /** Another row shows its children; breaks cycles of links. */
  repeated: boolean;
  /** 1-based position among the visible siblings, and their number. */
  position: number;
  size: number;
}

/** Which issues to show, with their ancestors. */
export interface TreeFilter {
  /** Part of a key or summary. */
  text: string;
  show: 'all' | 'open' | 'mandatory';
  /** Whether to show linked issues. */
  links: boolean;
}

export const wholeTree: TreeFilter = { text: '', show: 'all', links: true };

export const isFiltered = ({ text, show }: TreeFilter): boolean => text.trim() !== '' || show !== 'all';

interface TreeQuery {
  tree: IssueTree;
  filter: TreeFilter;
  /** Rows that the user opened or closed, by path. */
  toggled: { get(path: string): boolean | undefined };
  countsOf(id: string): Counts | undefined;
  /** Issues exempt from the filter: their checklists are open. */
  kept: ReadonlySet<string>;
}

/** A child or linked issue. */
interface Entry {
  id: string;
  relation: string | undefined;
}

/** An entry's ancestors: their ids and the last one's path. */
interface Above {
  ids: readonly string[];
  path: string;
}

/** The issues that are open initially: the focused one, its ancestors and its children. */
const openAtFirst = (tree: IssueTree): ReadonlySet<string> =>
  new Set([...pathTo(tree, tree.focus), ...(tree.children.get(tree.focus) ?? [])]);

/** The tree's visible rows. A filter opens every row with a match below. */
export function rowsOf({ tree, filter, toggled, countsOf, kept }: TreeQuery): TreeRow[] {
  const { issues, children, root } = tree;
  const words = filter.text.trim().toLowerCase();
  const filtered = isFiltered(filter);
  const home = new Set([root, ...[...children.values()].flat()]);
  const linkedBefore = new Set<string>();
  const opened = openAtFirst(tree);

  const matches = ({ id, key, name }: TreeIssue): boolean => {
    if (kept.has(id)) return true;
    if (words !== '' && !key.toLowerCase().includes(words) && !name.toLowerCase().includes(words)) return false;
    const counts = countsOf(id);
    if (filter.show === 'open') return counts !== undefined && counts.checked < counts.total;
    return filter.show === 'all' || (counts?.mandatoryOpen ?? 0) > 0;
  };

  /** Children and links, without the link back to `from`. */
  const below = ({ id, links }: TreeIssue, from: string | undefined): Entry[] => [
    ...(children.get(id) ?? []).map(child => ({ id: child, relation: undefined })),
    ...(filter.links ? links : [])
      .filter(link => link.id !== from && issues.has(link.id))
      .map(link => ({ id: link.id, relation: link.words })),
  ];

  const block = ({ id, relation }: Entry, above: Above): TreeRow[] => {
    const issue = issues.get(id);
    if (!issue) return [];
    const linked = relation !== undefined;
    const repeated = linked && (home.has(id) || above.ids.includes(id) || linkedBefore.has(id));
    if (linked && !repeated) linkedBefore.add(id);
    const path = `${above.path}/${linked ? '~' : ''}${id}`;
    const inside = repeated ? [] : below(issue, linked ? above.ids.at(-1) : undefined);
    // A linked issue's children are loaded when it is opened.
    const unread = linked && !repeated && !children.has(id) && !issue.subtask;
    const expandable = inside.length > 0 || unread;
    const open = toggled.get(path) ?? (!linked && opened.has(id));
    const under = filtered || open ? blocks(inside, { ids: [...above.ids, id], path }) : [];
    if (filtered && under.length === 0 && (repeated || !matches(issue))) return [];
    const expanded = expandable && (filtered ? under.length > 0 : open);
    const row = { path, issue, level: above.ids.length + 1, relation, expandable, expanded, repeated };
    return [{ ...row, position: 1, size: 1 }, ...under];
  };
  const blocks = (entries: readonly Entry[], above: Above): TreeRow[] => {
    const filledBlocks = entries.map(entry => block(entry, above)).filter(rows => rows.length > 0);
    return filledBlocks.flatMap(([first, ...rest], at) =>
      first ? [{ ...first, position: at + 1, size: filledBlocks.length }, ...rest] : [],
    );
  };
  return block({ id: root, relation: undefined }, { ids: [], path: '' });
}

/** A key's command: focus another row, open or close rows, or open a row's checklist. */
type TreeStep = { to: TreeRow } | { toggle: readonly TreeRow[] } | { checklist: TreeRow };

/** Page Up and Page Down move by this many rows. */
const ROWS_PER_PAGE_KEY = 10;

const parentOf = ({ path }: TreeRow): string => path.slice(0, path.lastIndexOf('/'));

/** The command of a key without Ctrl or Alt, as in the ARIA treegrid pattern; `undefined` for none. */
export function stepOf(rows: readonly TreeRow[], at: number, key: string): TreeStep | undefined {
  const row = rows[at];
  if (!row) return undefined;
  const to = (index: number): TreeStep | undefined => {
    const targetRow = rows[Math.max(0, Math.min(rows.length - 1, index))];
    return targetRow && targetRow !== row ? { to: targetRow } : undefined;
  };
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'PageDown':
      return to(at + ROWS_PER_PAGE_KEY);
    case 'PageUp':
      return to(at - ROWS_PER_PAGE_KEY);
    case 'ArrowRight':
      if (!row.expandable) return undefined;
      return row.expanded ? to(at + 1) : { toggle: [row] };
    case 'ArrowLeft': {
      if (row.expanded) return { toggle: [row] };
      const above = rows.findIndex(({ path }) => path === parentOf(row));
      return above < 0 ? undefined : to(above);
    }
    case '*': {
      const beside = rows.filter(each => parentOf(each) === parentOf(row) && each.expandable && !each.expanded);
      return beside.length > 0 ? { toggle: beside } : undefined;
    }
    case 'Enter':
    case ' ':
      return { checklist: row };
    default:
      return rowOfTypedKey(rows, at, key);
  }
}

/** The next row whose key or summary starts with a character. */
function rowOfTypedKey(rows: readonly TreeRow[], at: number, key: string): TreeStep | undefined {
  if (key.length !== 1) return undefined;
  const letter = key.toLowerCase();
  const ordered = [...rows.slice(at + 1), ...rows.slice(0, at)];
  const matchingRow = ordered.find(({ issue }) =>
    [issue.name, issue.key].some(text => text.toLowerCase().startsWith(letter)),
  );
  return matchingRow && { to: matchingRow };
}
