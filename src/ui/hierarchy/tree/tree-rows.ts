import type { TreeIssue } from '../../../client/hierarchy/issue.ts';
import { type Counts, type IssueTree, pathTo } from '../../../client/hierarchy/tree.ts';

/** An issue at a place of the tree. */
export interface TreeRow {
  /** Ids from the root down to it: of each row its own, and the same as long as it stands there. */
  path: string;
  issue: TreeIssue;
  /** From 1 on. */
  level: number;
  /** What it is to the issue above it, where it is linked to that one and not below it. */
  relation: string | undefined;
  expandable: boolean;
  expanded: boolean;
  /** It has another place, where what is below it shows: following links would go round and round. */
  repeated: boolean;
  /** Among those beside it that show, from 1 on, and how many these are. */
  position: number;
  size: number;
}

/** Which issues show. Those above one that does show as well. */
export interface TreeFilter {
  /** Of a key or summary. */
  text: string;
  show: 'all' | 'open' | 'mandatory';
  /** Whether issues show that others are only linked to. */
  links: boolean;
}

export const wholeTree: TreeFilter = { text: '', show: 'all', links: true };

export const isFiltered = ({ text, show }: TreeFilter): boolean => text.trim() !== '' || show !== 'all';

interface Looked {
  tree: IssueTree;
  filter: TreeFilter;
  /** Rows that somebody opened or closed, by their paths. */
  toggled: { get(path: string): boolean | undefined };
  countsOf(id: string): Counts | undefined;
  /** Issues that show in any case: somebody works there. */
  kept: ReadonlySet<string>;
}

/** What stands below an issue: another one, or one that it is linked to. */
interface Entry {
  id: string;
  relation: string | undefined;
}

/** Where an entry stands: the ids above it, and the path of the last of them. */
interface Above {
  ids: readonly string[];
  path: string;
}

/** The issues that are open at first: those above the one that was asked for, it itself, and those right below it. */
export const openAtFirst = (tree: IssueTree): ReadonlySet<string> =>
  new Set([...pathTo(tree, tree.focus), ...(tree.children.get(tree.focus) ?? [])]);

/** The tree line by line. While somebody filters, all is open that has something to show. */
export function rowsOf({ tree, filter, toggled, countsOf, kept }: Looked): TreeRow[] {
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

  /** The way back to where a linked issue is linked from is left out. */
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
    // What stands below a linked issue is asked for when somebody opens it.
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
    const found = entries.map(entry => block(entry, above)).filter(rows => rows.length > 0);
    return found.flatMap(([first, ...rest], at) =>
      first ? [{ ...first, position: at + 1, size: found.length }, ...rest] : [],
    );
  };
  return block({ id: root, relation: undefined }, { ids: [], path: '' });
}

/** A line of a long list: a row of a known height, or something that is as high as it is. */
export interface Sized {
  key: string;
  /** Pixels. */
  height: number;
  /** It is there wherever the list is scrolled to: something is typed in it, or it has the focus. */
  stays: boolean;
}

/** What is in the document: lines by their index, and room in place of those that are not. */
export type VirtualPiece = { index: number } | { room: number; key: string };

/** Pixels around what is seen in which lines are there, and the steps in which that is looked at. */
const AROUND = 400;
export const STEP = 200;

/** The lines near what is seen between these two heights, in their order, with room for the others. */
export function piecesOf(lines: readonly Sized[], top: number, bottom: number): VirtualPiece[] {
  const pieces: VirtualPiece[] = [];
  let room = 0;
  let at = 0;
  lines.forEach(({ key, height, stays }, index) => {
    const near = at + height >= top - AROUND && at <= bottom + AROUND;
    at += height;
    if (!near && !stays) {
      room += height;
      return;
    }
    if (room > 0) pieces.push({ room, key: `before ${key}` });
    room = 0;
    pieces.push({ index });
  });
  if (room > 0) pieces.push({ room, key: 'after' });
  return pieces;
}

/** Where a line begins, in pixels from the list's top. */
export const topOf = (lines: readonly Sized[], index: number): number =>
  lines.slice(0, index).reduce((sum, { height }) => sum + height, 0);
