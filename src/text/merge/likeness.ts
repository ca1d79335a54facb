function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  const letters = text.toLowerCase().replace(/\s+/g, ' ');
  for (let i = 0; i + 1 < letters.length; i++) {
    const pair = letters.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

const size = (pairs: ReadonlyMap<string, number>) => [...pairs.values()].reduce((sum, count) => sum + count, 0);

const contains = (long: string, short: string) => short.length >= 3 && ` ${long} `.includes(` ${short} `);

const numbersOf = (text: string) => (text.match(/\d+/g) ?? []).join(' ');

/**
 * How alike two texts are, 0 to 1: the share of pairs of neighbouring letters that both have (Dice's coefficient), and
 * at least 0.6 where one contains the other as whole words. Texts with different numbers are not
 * alike: `Task 3` is no rewording of `Task 4`, and taking it for one would tick the wrong row.
 */
export function likeness(a: string, b: string): number {
  if (numbersOf(a) !== numbersOf(b)) return 0;
  const [left, right] = [pairsOf(a), pairsOf(b)];
  const [sizeA, sizeB] = [size(left), size(right)];
  if (sizeA === 0 || sizeB === 0) return 0;
  let common = 0;
  for (const [pair, count] of left) common += Math.min(count, right.get(pair) ?? 0);
  const grown = contains(a, b) || contains(b, a) ? 0.6 : 0;
  return Math.max((2 * common) / (sizeA + sizeB), grown);
}
