import { common, TABLE_QUICK } from './common.ts';
import type { Pairing, Side } from './pairing.ts';
import { inOrder } from './sequence.ts';

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

/** Pairs equal texts of any length: rows that are equal all over first where all pairs are too many for one table. */
export function pairEqual(pairing: Pairing): void {
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
export function pairByName(pairing: Pairing, nameOf: (side: Side, index: number) => number | undefined): void {
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
