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

/** How many sentences two texts share, and how many lines were added, deleted or ticked between them. */
function compare(one: readonly string[], other: readonly string[]): { shared: number; apart: number } {
  const shared = common(one.map(sentenceOf), other.map(sentenceOf));
  return { shared, apart: one.length + other.length - shared - common(one, other) };
}

/**
 * The text that somebody most likely started from. Whoever reads a storage, thinks and writes it back may have been
 * overtaken by a write of ours in between; then an earlier text of ours is nearer to theirs than what stood there last,
 * and to take the latter would undo what was written meanwhile. An earlier one must be nearer, and be there for the
 * most part: whoever clears a checklist or writes a new one started from what he saw.
 */
export function likeliestBase(text: string, last: string, earlier: readonly string[]): string {
  const lines = linesOf(text);
  let best = { text: last, apart: compare(linesOf(last), lines).apart };
  for (const candidate of earlier) {
    const from = linesOf(candidate);
    const { shared, apart } = compare(from, lines);
    if (apart < best.apart && shared > 0 && 2 * shared >= from.length) best = { text: candidate, apart };
  }
  return best.text;
}
