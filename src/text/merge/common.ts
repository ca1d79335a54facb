import { increasing, inOrder } from './sequence.ts';

/** Up to so many pairs a table of all of them is quick, and its answer the best one. */
export const TABLE_QUICK = 250_000;
/** Differences beyond which two sequences without a telling part are not compared any further. */
const DIFFERENCES_MAX = 1500;

/** Small numbers for strings, equal for equal ones. */
export function numbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return text => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}

type Pair = readonly [number, number];

/** Equal numbers in both ranges, in order, that occur once in each range: the anchors for the rest. */
function anchorsOf(a: readonly number[], b: readonly number[]): Pair[] {
  const places = (values: readonly number[]) => {
    const found = new Map<number, number>();
    values.forEach((value, place) => {
      found.set(value, found.has(value) ? -1 : place);
    });
    return found;
  };
  const inB = places(b);
  const pairs: Pair[] = [];
  for (const [value, i] of places(a)) {
    const j = inB.get(value) ?? -1;
    if (i >= 0 && j >= 0) pairs.push([i, j]);
  }
  const stay = increasing(
    pairs.map(([, j]) => j),
    new Set(),
  );
  return pairs.filter((_, place) => stay.has(place));
}

/**
 * The pairs of a shortest edit script (Myers, 'An O(ND) difference algorithm', greedy variant), or nothing where it has
 * more than `DIFFERENCES_MAX` steps.
 */
function shortest(a: readonly number[], b: readonly number[]): Pair[] {
  const most = Math.min(a.length + b.length, DIFFERENCES_MAX);
  const reach = new Int32Array(2 * most + 3);
  const at = (diagonal: number) => reach[diagonal + most + 1] ?? 0;
  const down = (diagonal: number, steps: number) =>
    diagonal === -steps || (diagonal !== steps && at(diagonal - 1) < at(diagonal + 1));
  const trace: Int32Array[] = [];
  for (let steps = 0; steps <= most; steps++) {
    trace.push(reach.slice(most - steps, most + steps + 3));
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      let i = down(diagonal, steps) ? at(diagonal + 1) : at(diagonal - 1) + 1;
      while (i < a.length && i - diagonal < b.length && a[i] === b[i - diagonal]) i++;
      reach[diagonal + most + 1] = i;
      if (diagonal === a.length - b.length && i >= a.length) return walk(trace, a.length, b.length);
    }
  }
  return [];
}

/** The places whose number the other sequence has too: no others can be in a pair. */
function placesIn(values: readonly number[], other: readonly number[]): number[] {
  const known = new Set(other);
  return values.flatMap((value, place) => (known.has(value) ? [place] : []));
}

/** The shortest script of the values that both have: two texts with little in common have long scripts, and nothing to find. */
function shortestOfShared(a: readonly number[], b: readonly number[]): Pair[] {
  const [inA, inB] = [placesIn(a, b), placesIn(b, a)];
  const at = (values: readonly number[], places: readonly number[]) => places.map(place => values[place] ?? 0);
  return shortest(at(a, inA), at(b, inB)).map(([i, j]): Pair => [inA[i] ?? 0, inB[j] ?? 0]);
}

/** The pairs on the way back through what `shortest` reached after each number of steps. */
function walk(trace: readonly Int32Array[], lengthA: number, lengthB: number): Pair[] {
  const pairs: Pair[] = [];
  let [i, j] = [lengthA, lengthB];
  for (let steps = trace.length - 1; steps >= 0; steps--) {
    const reach = trace[steps] ?? new Int32Array();
    const at = (diagonal: number) => reach[diagonal + steps + 1] ?? 0;
    const diagonal = i - j;
    const down = diagonal === -steps || (diagonal !== steps && at(diagonal - 1) < at(diagonal + 1));
    const before = down ? diagonal + 1 : diagonal - 1;
    const start = steps === 0 ? 0 : at(before);
    const from = steps === 0 ? 0 : down ? start : start + 1;
    while (i > from) pairs.push([--i, --j]);
    [i, j] = [start, start - before];
  }
  return pairs.reverse();
}

/**
 * Pairs equal numbers of two sequences in order, as many as there are where that is cheap to know: numbers that stand
 * once on both sides first (as in a patience diff), between those the longest common sequence. Indexes, increasing.
 */
export function common(a: readonly number[], b: readonly number[]): Pair[] {
  const pairs: Pair[] = [];
  const open: { fromA: number; toA: number; fromB: number; toB: number }[] = [
    { fromA: 0, toA: a.length, fromB: 0, toB: b.length },
  ];
  for (let range = open.pop(); range; range = open.pop()) {
    let { fromA, toA, fromB, toB } = range;
    while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) pairs.push([fromA++, fromB++]);
    while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) pairs.push([--toA, --toB]);
    if (fromA === toA || fromB === toB) continue;
    const [partA, partB] = [a.slice(fromA, toA), b.slice(fromB, toB)];
    const quick = partA.length * partB.length <= TABLE_QUICK;
    const anchors = quick ? [] : anchorsOf(partA, partB);
    if (anchors.length === 0) {
      const found = quick
        ? inOrder(partA.length, partB.length, (i, j) => (partA[i] === partB[j] ? 1 : 0))
        : shortestOfShared(partA, partB);
      for (const [i, j] of found) pairs.push([fromA + i, fromB + j]);
      continue;
    }
    let [beginA, beginB] = [fromA, fromB];
    for (const [i, j] of [...anchors, [partA.length, partB.length] as const]) {
      open.push({ fromA: beginA, toA: fromA + i, fromB: beginB, toB: fromB + j });
      if (i < partA.length) pairs.push([fromA + i, fromB + j]);
      [beginA, beginB] = [fromA + i + 1, fromB + j + 1];
    }
  }
  return pairs.sort(([i], [j]) => i - j);
}
