/** Beyond so many pairs a table of all of them costs too much memory and time. */
const TABLE_MAX = 2_000_000;

/**
 * The pairs of indexes that match two sequences in order with the greatest sum of weights (0: no match). Nothing for
 * sequences too long for a table; they are left to passes that do without one.
 */
export function inOrder(n: number, m: number, weight: (i: number, j: number) => number): [number, number][] {
  if (n * m > TABLE_MAX) return [];
  const width = m + 1;
  const best = new Int32Array((n + 1) * width);
  const at = (i: number, j: number) => best[i * width + j] ?? 0;
  for (let i = n - 1; i >= 0; i--) {
    const row = i * width;
    let right = 0;
    for (let j = m - 1; j >= 0; j--) {
      const below = best[row + width + j] ?? 0;
      const matched = weight(i, j);
      if (below > right) right = below;
      if (matched > 0) right = Math.max(right, matched + (best[row + width + j + 1] ?? 0));
      best[row + j] = right;
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < n && j < m; ) {
    const matched = weight(i, j);
    if (matched > 0 && at(i, j) === matched + at(i + 1, j + 1)) pairs.push([i++, j++]);
    else if (at(i, j) === at(i + 1, j)) i++;
    else j++;
  }
  return pairs;
}

/**
 * The places in a sequence of distinct whole numbers from 0 on that belong to a longest increasing part of it; among
 * several longest, one with the most preferred values.
 */
export function increasing(values: readonly number[], preferred: ReadonlySet<number>): Set<number> {
  const size = values.reduce((most, value) => Math.max(most, value), 0) + 1;
  // A Fenwick tree of the best part that ends at or before a value.
  const tree: (number | undefined)[] = [];
  const weight: number[] = [];
  const before: (number | undefined)[] = [];
  const heavier = (a: number | undefined, b: number | undefined) =>
    a === undefined || (b !== undefined && (weight[b] ?? 0) > (weight[a] ?? 0)) ? b : a;
  const bestUpTo = (value: number) => {
    let best: number | undefined;
    for (let at = value + 1; at > 0; at -= at & -at) best = heavier(best, tree[at]);
    return best;
  };
  values.forEach((value, place) => {
    const previous = bestUpTo(value - 1);
    before[place] = previous;
    const own = values.length + 1 + (preferred.has(value) ? 1 : 0);
    weight[place] = own + (previous === undefined ? 0 : (weight[previous] ?? 0));
    for (let at = value + 1; at <= size; at += at & -at) tree[at] = heavier(tree[at], place);
  });
  const places = new Set<number>();
  for (let place = bestUpTo(size - 1); place !== undefined; place = before[place]) places.add(place);
  return places;
}
