import { likeness } from './likeness.ts';
import { inOrder } from './sequence.ts';
import { keyOf, lineOf, splitTail, type Unit } from './units.ts';

/** Which row of one version is which of another: index here → index there, each at most once. */
export type Alignment = ReadonlyMap<number, number>;

/** Lasting ids of a version's rows, index by index, as far as they are known. */
export type RowIds = readonly (string | undefined)[];

const ALIKE = 0.5;
const bodyOf = ({ content }: Unit) => splitTail(content).body;
const COMPARISONS_MAX = 100_000;

/** Two versions' rows and the pairs found so far. */
class Pairing {
  readonly there = new Map<number, number>();
  private readonly back = new Map<number, number>();
  readonly a: readonly Unit[];
  readonly b: readonly Unit[];

  private readonly idsOfA: RowIds;
  private readonly idsOfB: RowIds;

  constructor(a: readonly Unit[], b: readonly Unit[], idsOfA: RowIds, idsOfB: RowIds) {
    this.a = a;
    this.b = b;
    this.idsOfA = idsOfA;
    this.idsOfB = idsOfB;
  }

  /** Pairs the rows that bear one lasting id. */
  pairKnown(): void {
    const indexes = new Map(this.idsOfB.slice(0, this.b.length).map((id, index) => [id, index]));
    this.idsOfA.slice(0, this.a.length).forEach((id, index) => {
      const found = id === undefined ? undefined : indexes.get(id);
      if (found !== undefined) this.pair(index, found);
    });
  }

  /** Whether two rows are paired, or may be: both still free, and not known to be different ones. */
  mayPair(i: number, j: number): boolean {
    if (this.there.has(i) || this.back.has(j)) return this.there.get(i) === j;
    const [here, there] = [this.idsOfA[i], this.idsOfB[j]];
    return here === undefined || there === undefined || here === there;
  }

  pair(i: number, j: number): void {
    if (this.there.has(i) || !this.mayPair(i, j)) return;
    this.there.set(i, j);
    this.back.set(j, i);
  }

  /** Rows of `a` and of `b` that have no partner yet. */
  open(): { here: { unit: Unit; index: number }[]; there: { unit: Unit; index: number }[] } {
    const without = (units: readonly Unit[], pairs: ReadonlyMap<number, number>) =>
      units.flatMap((unit, index) => (pairs.has(index) ? [] : [{ unit, index }]));
    return { here: without(this.a, this.there), there: without(this.b, this.back) };
  }

  /** Whether the same two rows stand nearest above both, or nearest below both. */
  sameGap(i: number, j: number): boolean {
    const nearest = (index: number, step: number, length: number, pairs: ReadonlyMap<number, number>) => {
      let at = index + step;
      while (at >= 0 && at < length && !pairs.has(at)) at += step;
      return at;
    };
    const above = nearest(i, -1, this.a.length, this.there);
    const below = nearest(i, 1, this.a.length, this.there);
    return (
      (this.there.get(above) ?? -1) === nearest(j, -1, this.b.length, this.back) ||
      (this.there.get(below) ?? this.b.length) === nearest(j, 1, this.b.length, this.back)
    );
  }
}

/** Rows at both ends that nobody touched. Gives the range between. */
function pairEnds(pairing: Pairing): { from: number; toA: number; toB: number } {
  const { a, b } = pairing;
  const pair = (i: number, j: number) => pairing.pair(i, j);
  const same = (i: number, j: number) => {
    const [left, right] = [a[i], b[j]];
    return left !== undefined && right !== undefined && lineOf(left) === lineOf(right) && pairing.mayPair(i, j);
  };
  let from = 0;
  for (; same(from, from); from++) pair(from, from);
  let [toA, toB] = [a.length, b.length];
  while (toA > from && toB > from && same(toA - 1, toB - 1)) pair(--toA, --toB);
  return { from, toA, toB };
}

/** Small numbers for strings, equal for equal ones. */
function numbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return text => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}

function pairByName(pairing: Pairing, name: (unit: Unit) => string): void {
  const { here, there } = pairing.open();
  const named = new Map<string, number[]>();
  for (const { unit, index } of there) {
    const rows = named.get(name(unit));
    if (rows) rows.push(index);
    else named.set(name(unit), [index]);
  }
  for (const { unit, index } of here) {
    const rows = named.get(name(unit)) ?? [];
    const [found] = rows.splice(
      Math.max(
        0,
        rows.findIndex(row => pairing.mayPair(index, row)),
      ),
      1,
    );
    if (found !== undefined) pairing.pair(index, found);
  }
}

function pairAlike(pairing: Pairing, near: (i: number, j: number) => boolean): void {
  const { here, there } = pairing.open();
  if (here.length * there.length > COMPARISONS_MAX) return;
  const candidates = here
    .flatMap(({ unit, index }) =>
      there
        .filter(other => other.unit.row.kind === unit.row.kind && near(index, other.index))
        .map(other => ({ i: index, j: other.index, alike: likeness(bodyOf(unit), bodyOf(other.unit)) })),
    )
    .filter(({ alike }) => alike >= ALIKE)
    .sort((x, y) => y.alike - x.alike || x.i - y.i || x.j - y.j);
  for (const { i, j } of candidates) pairing.pair(i, j);
}

/** Ids that tell rows apart: one that stands twice says nothing. */
function telling(ids: RowIds = []): RowIds {
  const count = new Map<string | undefined, number>();
  for (const id of ids) count.set(id, (count.get(id) ?? 0) + 1);
  return ids.map(id => (count.get(id) === 1 ? id : undefined));
}

/**
 * Matches the rows of two versions of a text. Where both rows' lasting ids are known, those alone decide. Then equal
 * texts in order; then equal texts that moved, within their section before across; then similar texts, between the same
 * neighbours before in the same section. Equal rows that nothing tells apart are matched in order.
 */
export function alignUnits(a: readonly Unit[], b: readonly Unit[], idsOfA?: RowIds, idsOfB?: RowIds): Alignment {
  const pairing = new Pairing(a, b, telling(idsOfA), telling(idsOfB));
  pairing.pairKnown();
  const { from, toA, toB } = pairEnds(pairing);

  const number = numbering();
  const numbers = (units: readonly Unit[]) =>
    units.map(unit => ({ key: number(`key ${keyOf(unit)}`), line: number(`line ${lineOf(unit)}`) }));
  const [left, right] = [numbers(a.slice(from, toA)), numbers(b.slice(from, toB))];
  // As many equal texts as possible, and among equal texts those whose status and details are equal too.
  const weight = (i: number, j: number) => {
    const here = left[i];
    const there = right[j];
    if (!here || !there || here.key !== there.key || !pairing.mayPair(from + i, from + j)) return 0;
    return here.line === there.line ? 5 : 4;
  };
  for (const [i, j] of inOrder(left.length, right.length, weight)) pairing.pair(from + i, from + j);

  pairByName(pairing, unit => `${unit.section}\n${keyOf(unit)}`);
  pairByName(pairing, keyOf);
  pairAlike(pairing, (i, j) => pairing.sameGap(i, j));
  pairAlike(pairing, (i, j) => a[i]?.section === b[j]?.section);
  return pairing.there;
}
