import { once, type Pairing } from './pairing.ts';
import { wordsOf } from './rewording.ts';
import { similarity } from './similarity.ts';
import { isGrown, namesAll } from './units.ts';

const SIMILAR = 0.5;
/** Similarity of a row to itself with something typed into it. */
const GROWN = 0.75;
/** The share of a row's words that are in the parts of it. */
const DIVIDED_SHARE = 0.6;
/** Pairs of rows between the same neighbours, or in one section, that are looked at. */
const COMPARISONS_MAX = 100_000;

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
export function gapsOf({ a, b, there, back }: Pairing): Places {
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
export function rowSimilarity({ a, b }: Pairing, i: number, j: number): number {
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

/** Similarity of two rows in one place, where a row that is being typed in is itself whatever number it gets. */
export function similarityInPlace(pairing: Pairing, i: number, j: number): number {
  const [unit, match] = [pairing.a.units[i], pairing.b.units[j]];
  const grown = unit && match && unit.row.kind === match.row.kind && isGrown(unit, match) ? GROWN : 0;
  return Math.max(rowSimilarity(pairing, i, j), grown);
}

/** Pairs the rows of each group, most similar first. */
export function pairSimilar(pairing: Pairing, places: Places, likenessOf: typeof rowSimilarity): void {
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
    }
  }
  const best = [...found.values()].sort((x, y) => y.likeness - x.likeness || x.i - y.i || x.j - y.j);
  for (const { i, j } of best) pairing.pair(i, j);
}

/**
 * Pairs a row with the longest part of it where two adjacent new rows have most of its words: it was split, and its parts
 * may have been reworded.
 */
export function pairDivided(pairing: Pairing): void {
  const { here, there } = pairing.open();
  const adjacent = there.flatMap((index, at) => (there[at + 1] === index + 1 ? [index] : []));
  if (here.length * adjacent.length > COMPARISONS_MAX) return;
  const wordsIn = once(index => new Set(wordsOf(pairing.b.units[index]?.content ?? '').map(({ text }) => text)));
  for (const i of here) {
    const words = wordsOf(pairing.a.units[i]?.content ?? '');
    const counts = new Map<string, number>();
    for (const { text } of words) counts.set(text, (counts.get(text) ?? 0) + 1);
    for (const first of adjacent) {
      const [one, two] = [first, first + 1].map(part => [...wordsIn(part)].filter(word => counts.has(word)));
      if (!one?.length || !two?.length || one.some(word => wordsIn(first + 1).has(word))) continue;
      const [inOne = 0, inTwo = 0] = [one, two].map(part =>
        part.reduce((sum, word) => sum + (counts.get(word) ?? 0), 0),
      );
      if (inOne + inTwo < DIVIDED_SHARE * words.length) continue;
      const parts = inOne > inTwo ? [first, first + 1] : [first + 1, first];
      const part = parts.find(index => pairing.canPair(i, index));
      if (part === undefined) continue;
      pairing.pair(i, part);
      break;
    }
  }
}

/** Pairs rows wherever they stand if each is similar to no other row than the other one. */
export function pairUnambiguous(pairing: Pairing): void {
  const { here, there } = pairing.open();
  if (here.length * there.length > COMPARISONS_MAX) return;
  const similar = new Map<number, number[]>();
  for (const i of here) {
    for (const j of there) {
      if (rowSimilarity(pairing, i, j) < SIMILAR) continue;
      similar.set(j, [...(similar.get(j) ?? []), i]);
    }
  }
  const count = new Map<number, number>();
  for (const i of [...similar.values()].flat()) count.set(i, (count.get(i) ?? 0) + 1);
  for (const [j, [i, ...others]] of similar)
    if (i !== undefined && others.length === 0 && count.get(i) === 1) pairing.pair(i, j);
}
