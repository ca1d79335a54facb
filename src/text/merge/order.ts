import type { Alignment } from './align.ts';
import { increasing } from './sequence.ts';

/** One side of a merge: its rows in order, each the base's row of that index, or its own. */
export interface Side<T> {
  /** For each row of the side the base's index, or what it added, which may belong before a row of the base. */
  readonly rows: readonly ({ base: number } | { added: T; before?: number })[];
}

/** Rows to be written: a row of the base, or rows that one or both sides added at one place. */
export type Placed<T> = { base: number } | { added: readonly T[] };

const TOP = -1;

/**
 * The base's rows that a side has put elsewhere: as few as explain its order. Where a swap leaves open which row was
 * moved, it is not one of `others`, which the other side moved.
 */
export function movedRows(alignment: Alignment, others: ReadonlySet<number> = new Set()): Set<number> {
  const inSide = [...alignment].sort(([, a], [, b]) => a - b).map(([index]) => index);
  const stayed = increasing(inSide, others);
  return new Set(inSide.filter((_, place) => !stayed.has(place)));
}

interface Anchored<T> {
  /** Rows that the side added directly below the anchor. */
  added: Map<number, T[]>;
  /** Rows that the side added directly above a row of the base, from which they are not parted. */
  addedAbove: Map<number, T[]>;
  /** Rows of the base that the side moved below the anchor. */
  moved: Map<number, number[]>;
}

/**
 * The positions that a side wants for what it moved and added: moved rows below the nearest row above that neither side
 * moved, so that no cycle can arise; added rows below their neighbour.
 */
function anchor<T>({ rows }: Side<T>, own: ReadonlySet<number>, all: ReadonlySet<number>): Anchored<T> {
  const added = new Map<number, T[]>();
  const addedAbove = new Map<number, T[]>();
  const moved = new Map<number, number[]>();
  const put = <V>(into: Map<number, V[]>, at: number, value: V) => {
    const values = into.get(at);
    if (values) values.push(value);
    else into.set(at, [value]);
  };
  let above = TOP;
  let fixed = TOP;
  for (const row of rows) {
    if ('added' in row) {
      if (row.before === undefined) put(added, above, row.added);
      else put(addedAbove, row.before, row.added);
    } else {
      if (own.has(row.base)) put(moved, fixed, row.base);
      else if (!all.has(row.base)) fixed = row.base;
      above = row.base;
    }
  }
  return { added, addedAbove, moved };
}

/** Two lists in one, each in its own order, by the base's order where both have a next one. */
function interleave(a: readonly number[], b: readonly number[]): number[] {
  const result: number[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [x = Number.POSITIVE_INFINITY, y = Number.POSITIVE_INFINITY] = [a[i], b[j]];
    if (x < y) i++;
    else j++;
    result.push(Math.min(x, y));
  }
  return result;
}

/**
 * The order of a merge. Rows that neither side moved stay in the base's order; what a side moved or added goes where the
 * side put it. A row that both moved is where mine put it; additions at one place are joined by `join`. All `length` rows
 * of the base have their place, deleted ones too, so that what was put below a deleted row stays where that was.
 */
export function arrange<T>(
  length: number,
  mine: Side<T> & { moved: ReadonlySet<number> },
  theirs: Side<T> & { moved: ReadonlySet<number> },
  join: (theirs: readonly T[], mine: readonly T[]) => readonly T[],
): Placed<T>[] {
  const all = new Set([...mine.moved, ...theirs.moved]);
  const ofMine = anchor(mine, mine.moved, all);
  const ofTheirs = anchor(theirs, new Set([...theirs.moved].filter(row => !mine.moved.has(row))), all);
  const result: Placed<T>[] = [];
  const below = (row: number) => {
    const added = join(ofTheirs.added.get(row) ?? [], ofMine.added.get(row) ?? []);
    if (added.length > 0) result.push({ added });
    for (const moved of interleave(ofTheirs.moved.get(row) ?? [], ofMine.moved.get(row) ?? [])) write(moved);
  };
  const write = (row: number) => {
    const added = join(ofTheirs.addedAbove.get(row) ?? [], ofMine.addedAbove.get(row) ?? []);
    if (added.length > 0) result.push({ added });
    result.push({ base: row });
    below(row);
  };
  below(TOP);
  for (let row = 0; row < length; row++) if (!all.has(row)) write(row);
  return result;
}
