/** A line without its mark, status and `!`: what stays the same when somebody ticks. */
const sentenceOf = (line: string): string => line.replace(/^\s*(?:[-+~x]|#+)\s+(?:\[[^\]]*\]\s+)?(?:!\s+)?/, '');

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trimEnd())
    .filter(Boolean);

/** How many strings two lists have in common, each as often as in both. */
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

/** How one text may have become another. */
interface Likeness {
  /** Sentences in both. */
  shared: number;
  /** Lines added, deleted or ticked. */
  apart: number;
  deleted: number;
}

function compare(from: readonly string[], to: readonly string[]): Likeness {
  const shared = common(from.map(sentenceOf), to.map(sentenceOf));
  return {
    shared,
    apart: from.length + to.length - shared - common(from, to),
    deleted: from.length - shared,
  };
}

/** Below 0 where a text was rather made by the one way than by the other. */
const farther = (one: Likeness, other: Likeness): number =>
  one.apart - other.apart || other.shared - one.shared || one.deleted - other.deleted;

/**
 * The text that somebody most likely started from. Whoever reads a storage, thinks and writes it back may have been
 * overtaken by a write of ours in between; then an earlier text of ours is nearer to theirs than what stood there last,
 * and to take the latter would undo what was written meanwhile. An earlier one must be nearer, or as near with more of
 * it said again (nobody adds what stands in the one by chance) or less of it deleted, and be there for the most part:
 * whoever clears a checklist or writes a new one started from what he saw.
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
