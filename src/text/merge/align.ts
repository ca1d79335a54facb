import { finish, type Sliced } from '../sliced.ts';
import { common, numbering, TABLE_QUICK } from './common.ts';
import { wordsOf } from './rewording.ts';
import { inOrder } from './sequence.ts';
import { type Shape, shapeOf, similarity } from './similarity.ts';
import { type Bare, bareOf, isGrown, keyOf, lineOf, namesAll, splitContent, type Unit } from './units.ts';

/** Maps row indexes of one version to those of another, each at most once. */
export type Alignment = ReadonlyMap<number, number>;

/** Ids of a version's rows by index, as far as known. */
export type RowIds = readonly (string | undefined)[];

/** Begins an id that an editor gives a row whose lasting id it does not know. Such an id matches only itself. */
const PROVISIONAL = '?';
export const provisionalId = (number: number): string => `${PROVISIONAL}${number}`;
export const isLastingId = (id: string | undefined): id is string =>
  id !== undefined && id !== '' && !id.startsWith(PROVISIONAL);

const SIMILAR = 0.5;
/** Similarity of a row to itself with something typed into it. */
const GROWN = 0.6;
/** The share of a row's words that are in the parts of it. */
const DIVIDED_SHARE = 0.6;
/** One word may be another row's by chance. */
const MIN_FOLLOWED_WORDS = 2;
/** Pairs of rows between the same neighbours, or in one section, that are looked at. */
const COMPARISONS_MAX = 100_000;

/** What the passes compare of one version's rows, by index: small numbers, equal for equal texts. */
interface Side {
  readonly units: readonly Unit[];
  readonly ids: RowIds;
  /** What a row says, whatever became of its status, people, days and details. */
  readonly keys: readonly number[];
  /** All of a row but the blank lines below. */
  readonly lines: readonly number[];
  readonly sections: readonly number[];
  readonly bare: (index: number) => Bare;
  readonly shape: (index: number) => Shape;
  /** Without issue keys, people and days. */
  readonly bareShape: (index: number) => Shape;
}

/** Ids that occur once; duplicates and '' identify nothing. */
function uniqueIds(ids: RowIds = []): RowIds {
  const count = new Map<string | undefined, number>();
  for (const id of ids) count.set(id, (count.get(id) ?? 0) + 1);
  return ids.map(id => (id !== '' && count.get(id) === 1 ? id : undefined));
}

/** Two versions' rows and the pairs found so far. */
class Pairing {
  readonly there = new Map<number, number>();
  readonly back = new Map<number, number>();
  readonly a: Side;
  readonly b: Side;

  constructor(a: Side, b: Side) {
    this.a = a;
    this.b = b;
  }

  /** Pairs the rows that bear one lasting id. */
  pairKnown(): void {
    const indexes = new Map(this.b.ids.slice(0, this.b.units.length).map((id, index) => [id, index]));
    this.a.ids.slice(0, this.a.units.length).forEach((id, index) => {
      const found = id === undefined ? undefined : indexes.get(id);
      if (found !== undefined) this.pair(index, found);
    });
  }

  /**
   * Where a row kept its id but none of its words, and a new row has all of these: pairs it with that one. Its id stayed
   * with a part that was split off, or with what was joined with it.
   */
  followWords(): void {
    const { there: free } = this.open();
    if (free.length === 0) return;
    const wordsIn = once(index => wordsOf(this.b.units[index]?.content ?? '').map(({ text }) => text));
    for (const [i, j] of [...this.there]) {
      const [unit, match] = [this.a.units[i], this.b.units[j]];
      if (!unit || !match || unit.content === match.content) continue;
      const words = wordsOf(unit.content).map(({ text }) => text);
      if (words.length < MIN_FOLLOWED_WORDS || words.some(word => wordsIn(j).includes(word))) continue;
      const [place, ...others] = free.filter(index => words.every(word => wordsIn(index).includes(word)));
      if (place === undefined || others.length > 0 || this.back.has(place)) continue;
      this.back.delete(j);
      this.there.set(i, place);
      this.back.set(place, i);
    }
  }

  /** Whether two rows are paired, or may be: both still free, and not known to be different ones. */
  canPair(i: number, j: number): boolean {
    if (this.there.has(i) || this.back.has(j)) return this.there.get(i) === j;
    const [here, there] = [this.a.ids[i], this.b.ids[j]];
    return !isLastingId(here) || !isLastingId(there) || here === there;
  }

  pair(i: number, j: number): void {
    if (this.there.has(i) || !this.canPair(i, j)) return;
    this.there.set(i, j);
    this.back.set(j, i);
  }

  /** Whether each row of one side has a partner. */
  isComplete(): boolean {
    return this.there.size === Math.min(this.a.units.length, this.b.units.length);
  }

  /** Indexes of `a` and of `b` that have no partner yet. */
  open(): { here: number[]; there: number[] } {
    const without = ({ units }: Side, pairs: ReadonlyMap<number, number>) =>
      units.flatMap((_, index) => (pairs.has(index) ? [] : [index]));
    return { here: without(this.a, this.there), there: without(this.b, this.back) };
  }
}

/** A value, computed when first asked for. */
function lazy<T>(compute: () => T): () => T {
  let known: { value: T } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}

/** A function of a row's index, computed when first asked for. */
function once<T>(compute: (index: number) => T): (index: number) => T {
  const known: T[] = [];
  return index => (known[index] ??= compute(index));
}

/** Pairs unchanged rows at both ends. Returns the range between. */
function pairEnds(pairing: Pairing): { from: number; toA: number; toB: number } {
  const { a, b } = pairing;
  const same = (i: number, j: number) => a.lines[i] === b.lines[j] && pairing.canPair(i, j);
  const least = Math.min(a.units.length, b.units.length);
  let from = 0;
  for (; from < least && same(from, from); from++) pairing.pair(from, from);
  let [toA, toB] = [a.units.length, b.units.length];
  while (toA > from && toB > from && same(toA - 1, toB - 1)) pairing.pair(--toA, --toB);
  return { from, toA, toB };
}

const bodyOf = (unit: Unit | undefined) => (unit ? splitContent(unit).body : '');

/** As many equal texts in order as possible, and among equal texts those whose status and details are equal too. */
function pairInOrder(pairing: Pairing, fromA: number, toA: number, fromB: number, toB: number): void {
  const { a, b } = pairing;
  const [rows, columns] = [toA - fromA, toB - fromB];
  if (rows * columns > TABLE_QUICK) {
    const keys = common(a.keys.slice(fromA, toA), b.keys.slice(fromB, toB));
    for (const [i, j] of keys) pairing.pair(fromA + i, fromB + j);
    return;
  }
  const weight = (i: number, j: number) => {
    if (a.keys[fromA + i] !== b.keys[fromB + j] || !pairing.canPair(fromA + i, fromB + j)) return 0;
    return a.lines[fromA + i] === b.lines[fromB + j] ? 5 : 4;
  };
  for (const [i, j] of inOrder(rows, columns, weight)) pairing.pair(fromA + i, fromB + j);
}

/** The same for any length: rows that are equal all over first where all pairs are too many for one table. */
function pairEqual(pairing: Pairing): void {
  const { a, b } = pairing;
  const { from, toA, toB } = pairEnds(pairing);
  let [beginA, beginB] = [from, from];
  if ((toA - from) * (toB - from) > TABLE_QUICK) {
    // A pair that is known already is as good as a line that stands only once.
    const known = (index: number) => -1 - index;
    const here = a.lines.slice(from, toA).map((line, i) => (pairing.there.has(from + i) ? known(from + i) : line));
    const there = b.lines.slice(from, toB).map((line, j) => {
      const partner = pairing.back.get(from + j);
      return partner === undefined ? line : known(partner);
    });
    for (const [i, j] of common(here, there)) {
      if (!pairing.canPair(from + i, from + j)) continue;
      pairing.pair(from + i, from + j);
      pairInOrder(pairing, beginA, from + i, beginB, from + j);
      [beginA, beginB] = [from + i + 1, from + j + 1];
    }
  }
  pairInOrder(pairing, beginA, toA, beginB, toB);
}

/** Pairs rows of one name wherever they stand, in order; a row may have none. */
function pairByName(pairing: Pairing, nameOf: (side: Side, index: number) => number | undefined): void {
  const { here, there } = pairing.open();
  const named = new Map<number, { rows: number[]; next: number }>();
  for (const index of there) {
    const name = nameOf(pairing.b, index);
    if (name === undefined) continue;
    const found = named.get(name);
    if (found) found.rows.push(index);
    else named.set(name, { rows: [index], next: 0 });
  }
  for (const index of here) {
    const found = named.get(nameOf(pairing.a, index) ?? -1);
    const row = found?.rows[found.next];
    if (!found || row === undefined) continue;
    if (pairing.canPair(index, row)) {
      pairing.pair(index, row);
      found.next++;
      continue;
    }
    const at = found.rows.findIndex((other, place) => place > found.next && pairing.canPair(index, other));
    const [other] = at < 0 ? [] : found.rows.splice(at, 1);
    if (other !== undefined) pairing.pair(index, other);
  }
}

/** For each row the nearest one above and below that has a partner, as an index of `b`; -1 and the end stand for none. */
function pairedNeighbours(length: number, partnerOf: (index: number) => number | undefined, end: number) {
  const above: number[] = [];
  const below: number[] = [];
  let nearest = -1;
  for (let index = 0; index < length; index++) {
    above.push(nearest);
    nearest = partnerOf(index) ?? nearest;
  }
  nearest = end;
  for (let index = length - 1; index >= 0; index--) {
    below[index] = nearest;
    nearest = partnerOf(index) ?? nearest;
  }
  return { above, below };
}

/** Groups of rows of `a` and `b` that may be the same row, reworded. */
type Places = readonly { readonly a: readonly number[]; readonly b: readonly number[] }[];

/** The places of rows between the same neighbours, above or below. */
function gapsOf({ a, b, there, back }: Pairing): Places {
  const end = b.units.length;
  const here = pairedNeighbours(a.units.length, index => there.get(index), end);
  const other = pairedNeighbours(end, index => (back.has(index) ? index : undefined), end);
  return [
    { a: here.above, b: other.above },
    { a: here.below, b: other.below },
  ];
}

/**
 * Similarity of two rows, 0 to 1. An issue key, person or day that only one of them names makes no difference: what is
 * typed behind the assignee takes that into the words. Rows that name different ones are not similar. An item turned into
 * a header, or the reverse, counts as equal.
 */
function rowSimilarity({ a, b }: Pairing, i: number, j: number): number {
  const [one, other] = [a.bare(i), b.bare(j)];
  if (!namesAll(one, other)) return 0;
  const [here, there] =
    one.names.length === other.names.length ? [a.shape(i), b.shape(j)] : [a.bareShape(i), b.bareShape(j)];
  const [unit, match] = [a.units[i], b.units[j]];
  if (unit?.row.kind === match?.row.kind) return similarity(here, there);
  // In an item a header's marks are text.
  const isSame = here.text === there.text || unit?.content === match?.content;
  return isSame && here.text !== '' && there.text !== '' ? SIMILAR : 0;
}

/** The same for rows in one place, where a row that is being typed in is itself whatever number it gets. */
function similarityInPlace(pairing: Pairing, i: number, j: number): number {
  const [unit, match] = [pairing.a.units[i], pairing.b.units[j]];
  const grown = unit && match && unit.row.kind === match.row.kind && isGrown(unit, match) ? GROWN : 0;
  return Math.max(rowSimilarity(pairing, i, j), grown);
}

/** Pairs the rows of each group, most similar first. */
function* pairSimilar(pairing: Pairing, places: Places, likenessOf: typeof rowSimilarity): Sliced<void> {
  const { here, there } = pairing.open();
  const groups = places.flatMap(place => {
    const held = new Map<number, { here: number[]; there: number[] }>();
    const put = (key: number | undefined, index: number, into: 'here' | 'there') => {
      if (key === undefined) return;
      const rows = held.get(key) ?? { here: [], there: [] };
      rows[into].push(index);
      held.set(key, rows);
    };
    for (const index of here) put(place.a[index], index, 'here');
    for (const index of there) put(place.b[index], index, 'there');
    return [...held.values()].map(rows => ({ ...rows, size: rows.here.length * rows.there.length }));
  });
  // Small groups first, since they are most specific; comparisons beyond the limit are skipped.
  let left = COMPARISONS_MAX;
  const found = new Map<number, { i: number; j: number; likeness: number }>();
  for (const { here, there, size } of groups.sort((x, y) => x.size - y.size)) {
    left -= size;
    if (left < 0) break;
    for (const i of here) {
      for (const j of there) {
        const pair = i * pairing.b.units.length + j;
        if (found.has(pair)) continue;
        const likeness = likenessOf(pairing, i, j);
        if (likeness >= SIMILAR) found.set(pair, { i, j, likeness });
      }
      yield;
    }
  }
  const best = [...found.values()].sort((x, y) => y.likeness - x.likeness || x.i - y.i || x.j - y.j);
  for (const { i, j } of best) pairing.pair(i, j);
}

/**
 * Pairs a row with the longest part of it where two adjacent new rows have most of its words: it was split, and its parts
 * may have been reworded.
 */
function* pairDivided(pairing: Pairing): Sliced<void> {
  const { here, there } = pairing.open();
  const adjacent = there.flatMap((index, at) => (there[at + 1] === index + 1 ? [index] : []));
  if (here.length * adjacent.length > COMPARISONS_MAX) return;
  for (const i of here) {
    const words = wordsOf(pairing.a.units[i]?.content ?? '').map(({ text }) => text);
    for (const first of adjacent) {
      const [above, below] = [pairing.b.units[first]?.content ?? '', pairing.b.units[first + 1]?.content ?? ''];
      const [one, two] = [above, below].map(part =>
        words.filter(word => wordsOf(part).some(({ text }) => text === word)),
      );
      if (!one?.length || !two?.length || one.length + two.length < DIVIDED_SHARE * words.length) continue;
      if (one.some(word => two.includes(word))) continue;
      const parts = one.length > two.length ? [first, first + 1] : [first + 1, first];
      const part = parts.find(index => pairing.canPair(i, index));
      if (part === undefined) continue;
      pairing.pair(i, part);
      break;
    }
    yield;
  }
}

/** Pairs rows wherever they stand if each is similar to no other row than the other one. */
function* pairUnambiguous(pairing: Pairing): Sliced<void> {
  const { here, there } = pairing.open();
  if (here.length * there.length > COMPARISONS_MAX) return;
  const similar = new Map<number, number[]>();
  for (const i of here) {
    for (const j of there) {
      if (rowSimilarity(pairing, i, j) < SIMILAR) continue;
      similar.set(j, [...(similar.get(j) ?? []), i]);
    }
    yield;
  }
  const count = new Map<number, number>();
  for (const i of [...similar.values()].flat()) count.set(i, (count.get(i) ?? 0) + 1);
  for (const [j, [i, ...others]] of similar)
    if (i !== undefined && others.length === 0 && count.get(i) === 1) pairing.pair(i, j);
}

/**
 * Matches the rows of two versions of a text. Where both rows' lasting ids are known, those alone decide. Then equal
 * texts in order; then equal texts that moved, within their section before across; then those that are equal but for what
 * only one names (issues, people, days); then similar texts, between the same neighbours before in the same section, then those that are similar to no other row,
 * then rows that were split. Equal rows that nothing tells apart are matched in order.
 */
export function* aligning(a: readonly Unit[], b: readonly Unit[], idsOfA?: RowIds, idsOfB?: RowIds): Sliced<Alignment> {
  const number = numbering();
  const sideOf = (units: readonly Unit[], ids?: RowIds): Side => {
    const bare = once(index => bareOf(units[index]));
    const keys = lazy(() => units.map(unit => number(`key ${keyOf(unit)}`)));
    const lines = lazy(() => units.map(unit => number(`line ${lineOf(unit)}`)));
    const sections = lazy(() => units.map(({ section }) => number(`section ${section}`)));
    return {
      units,
      ids: uniqueIds(ids),
      get keys() {
        return keys();
      },
      get lines() {
        return lines();
      },
      get sections() {
        return sections();
      },
      bare,
      shape: once(index => shapeOf(bodyOf(units[index]))),
      bareShape: once(index => shapeOf(bare(index).body)),
    };
  };
  const pairing = new Pairing(sideOf(a, idsOfA), sideOf(b, idsOfB));
  pairing.pairKnown();
  pairing.followWords();
  // The most usual case of a merge: no row is new on both sides, and nothing is left to compare.
  if (pairing.isComplete()) return pairing.there;
  yield;
  pairEqual(pairing);
  if (pairing.isComplete()) return pairing.there;
  yield;
  pairByName(pairing, ({ keys, sections }, index) => number(`${sections[index]} ${keys[index]}`));
  yield;
  pairByName(pairing, ({ keys }, index) => keys[index]);
  yield;
  // A row that names something has the name of the other side's row that names nothing.
  const bareName = (side: Side, index: number, place = '') => {
    const { body, names } = side.bare(index);
    const isKeyed = names.length > 0 === (side === pairing.a);
    return body === '' ? undefined : number(`bare ${isKeyed} ${side.units[index]?.row.kind} ${place} ${body}`);
  };
  pairByName(pairing, (side, index) => bareName(side, index, `${side.sections[index]}`));
  yield;
  pairByName(pairing, (side, index) => bareName(side, index));
  yield;
  yield* pairSimilar(pairing, gapsOf(pairing), similarityInPlace);
  yield* pairSimilar(pairing, [{ a: pairing.a.sections, b: pairing.b.sections }], rowSimilarity);
  yield* pairUnambiguous(pairing);
  yield* pairDivided(pairing);
  return pairing.there;
}

/** The same without a break. */
export const alignUnits = (...given: Parameters<typeof aligning>): Alignment => finish(aligning(...given));
