import { type Tree, TreeFragment } from '@lezer/common';
import { Header, Item } from '../../grammar/parser.terms.ts';
import { parser } from '../../grammar/parser.ts';
import { reusingLines } from '../../grammar/reuse.ts';
import { type Difference, differenceOf } from './document.ts';
import { readRow } from './row.ts';
import { builtIn, type StatusRegistry } from './status-registry.ts';
import type { Checklist, Row } from './types.ts';

const reusing = reusingLines(parser);

/**
 * Parses a text; every string is a checklist. With the previous reading only the changed part is parsed, and unchanged
 * rows stay the same objects; equal text and statuses return `previous`. Passing the known change saves comparing the
 * texts.
 */
export function readChecklist(
  text: string,
  statuses: StatusRegistry = builtIn,
  previous?: Checklist,
  changed?: Difference,
): Checklist {
  const difference = previous && (changed ?? differenceOf(previous.text, text));
  if (previous && !difference) return readTree(text, previous.tree, statuses, previous);
  const range = difference && { ...difference, fromA: difference.from, fromB: difference.from };
  const fragments = range ? TreeFragment.applyChanges(TreeFragment.addTree(previous.tree), [range]) : [];
  const parse = reusing.startParse(text, fragments);
  for (;;) {
    const tree = parse.advance();
    if (tree) return readTree(text, tree, statuses, previous, difference);
  }
}

/** Reads the finished tree of a whole text, for callers such as the editor that have a parser of their own. */
export function readTree(
  text: string,
  tree: Tree,
  statuses: StatusRegistry,
  previous?: Checklist,
  changed?: Difference,
): Checklist {
  if (previous?.statuses !== statuses) return { text, tree, statuses, ...rowsFrom(text, tree, statuses, 0) };
  const difference = changed ?? differenceOf(previous.text, text);
  if (!difference) return previous.tree === tree ? previous : { ...previous, tree };
  return { text, tree, statuses, ...patchRows(text, tree, previous, difference) };
}

interface Rows {
  rows: Row[];
  starts: number[];
}

/** Index of the first row that starts at or after the position. */
function firstFrom(starts: readonly number[], position: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows whose nodes end after `position`, up to a row whose start makes `stop` true. */
function rowsFrom(
  text: string,
  tree: Tree,
  statuses: StatusRegistry,
  position: number,
  stop?: (start: number) => boolean,
): Rows {
  const rows: Row[] = [];
  const starts: number[] = [];
  const cursor = tree.cursor();
  if (cursor.childAfter(position)) {
    do {
      if (stop?.(cursor.from)) break;
      if (cursor.type.id !== Item && cursor.type.id !== Header) continue;
      starts.push(cursor.from);
      rows.push(readRow(cursor, text, statuses));
    } while (cursor.nextSibling());
  }
  return { rows, starts };
}

/**
 * Keeps the rows around the change and reads those in it. A change below a row may give it a detail, so reading starts
 * one row earlier.
 */
function patchRows(text: string, tree: Tree, previous: Checklist, { from, toA, toB }: Difference): Rows {
  const delta = toB - toA;
  const keptCount = Math.max(0, firstFrom(previous.starts, from) - 2);
  const position = keptCount > 0 ? (previous.starts[keptCount] ?? 0) : 0;
  let again = previous.rows.length;
  const fresh = rowsFrom(text, tree, previous.statuses, position, start => {
    if (start < toB) return false;
    const index = firstFrom(previous.starts, start - delta);
    if (previous.starts[index] !== start - delta) return false;
    again = index;
    return true;
  });
  keepIdentity(fresh, text, previous, keptCount, again);
  const moved = previous.starts.slice(again).map(start => start + delta);
  return {
    rows: previous.rows.slice(0, keptCount).concat(fresh.rows, previous.rows.slice(again)),
    starts: previous.starts.slice(0, keptCount).concat(fresh.starts, moved),
  };
}

/**
 * A row is all in its own text: if that is one of the earlier rows' between `from` and `to`, it is that row. First
 * those at both ends, so that of equal rows each stays itself; then those that moved between.
 */
function keepIdentity({ rows, starts }: Rows, text: string, previous: Checklist, from: number, to: number): void {
  const earlierSource = (index: number) => sourceAt(previous.text, previous.starts[index], previous.rows[index]);
  const laterSource = (i: number) => sourceAt(text, starts[i], rows[i]);
  const keep = (i: number, index: number) => {
    const row = previous.rows[index];
    if (row) rows[i] = row;
  };
  let above = 0;
  const most = Math.min(rows.length, to - from);
  for (; above < most && laterSource(above) === earlierSource(from + above); above++) keep(above, from + above);
  let below = 0;
  for (; below < most - above && laterSource(rows.length - 1 - below) === earlierSource(to - 1 - below); below++) {
    keep(rows.length - 1 - below, to - 1 - below);
  }
  const sources = new Map<string, number[]>();
  for (let index = from + above; index < to - below; index++) {
    const same = sources.get(earlierSource(index));
    if (same) same.push(index);
    else sources.set(earlierSource(index), [index]);
  }
  for (let i = above; i < rows.length - below; i++) {
    const index = sources.get(laterSource(i))?.shift();
    if (index !== undefined) keep(i, index);
  }
}

const sourceAt = (text: string, start = 0, row?: Row) => text.slice(start, start + (row?.length ?? 0));
