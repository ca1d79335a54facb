/** Comparison data of a text, computed once. */
export interface Shape {
  readonly text: string;
  /** How often each pair of neighbouring letters stands there. */
  readonly pairs: ReadonlyMap<string, number>;
  readonly size: number;
  readonly numbers: string;
}

export function shapeOf(text: string): Shape {
  const pairs = new Map<string, number>();
  const letters = text.toLowerCase().replace(/\s+/g, ' ');
  for (let i = 0; i + 1 < letters.length; i++) {
    const pair = letters.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return { text, pairs, size: Math.max(letters.length - 1, 0), numbers: (text.match(/\d+/g) ?? []).join(' ') };
}

const contains = (long: string, short: string) => short.length >= 3 && ` ${long} `.includes(` ${short} `);

/**
 * Similarity of two texts, 0 to 1: the share of common bigrams (Dice's coefficient), and at least 0.75 where one
 * contains the other as whole words. Texts with different numbers are not similar: taking `Task 3` for a rewording of
 * `Task 4` would tick the wrong row.
 */
export function similarity(a: Shape, b: Shape): number {
  if (a.numbers !== b.numbers || a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const [pair, count] of a.pairs) common += Math.min(count, b.pairs.get(pair) ?? 0);
  const grown = contains(a.text, b.text) || contains(b.text, a.text) ? 0.75 : 0;
  return Math.max((2 * common) / (a.size + b.size), grown);
}
