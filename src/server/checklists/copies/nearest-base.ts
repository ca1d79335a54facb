/** A line without its mark, status and `!`: the part that ticking does not change. */
const sentenceOf = (line: string): string => line.replace(/^\s*(?:[-+~x]|#+)\s+(?:\[[^\]]*\]\s+)?(?:!\s+)?/, '');

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trimEnd())
    .filter(Boolean);

/** The size of the intersection of two multisets. */
function common(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const each of one) left.set(each, (left.get(each) ?? 0) + 1);
  let count = 0;
  for (const each of other) {
    const rest = left.get(each) ?? 0;
    if (rest > 0) count += 1;
    left.set(each, rest - 1);
  }
  return count;
}

/** The difference between two texts. */
interface Difference {
  /** Sentences in both. */
  shared: number;
  /** Lines added, deleted or ticked. */
  apart: number;
  deleted: number;
}

function compare(from: readonly string[], to: readonly string[]): Difference {
  const shared = common(from.map(sentenceOf), to.map(sentenceOf));
  return {
    shared,
    apart: from.length + to.length - shared - common(from, to),
    deleted: from.length - shared,
  };
}

/** Compares two differences: below 0 where the first is the smaller one. */
const farther = (one: Difference, other: Difference): number =>
  one.apart - other.apart || other.shared - one.shared || one.deleted - other.deleted;

/**
 * The most likely base of a foreign text. Between the foreign read and write the app may have written another revision; an
 * earlier text is then nearer to the foreign one than `last`, and `last` as the base would undo the app's write. An
 * earlier text wins where it is nearer, or as near with more shared or fewer deleted lines, and at least half of it is in
 * the foreign text: a cleared or rewritten checklist has `last` as its base.
 */
export function nearestBase(text: string, last: string, earlier: readonly string[]): string {
  const lines = linesOf(text);
  let best = { text: last, ...compare(linesOf(last), lines) };
  for (const candidate of earlier) {
    const from = linesOf(candidate);
    const found = { text: candidate, ...compare(from, lines) };
    if (farther(found, best) < 0 && found.shared > 0 && 2 * found.shared >= from.length) best = found;
  }
  return best.text;
}
