const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trimEnd())
    .filter(Boolean);

/** How many lines two texts share, and how many stand in only one of them; the order does not count. */
function compare(one: readonly string[], other: readonly string[]): { shared: number; apart: number } {
  const left = new Map<string, number>();
  for (const line of one) left.set(line, (left.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of other) {
    const count = left.get(line) ?? 0;
    if (count > 0) shared += 1;
    left.set(line, count - 1);
  }
  return { shared, apart: one.length + other.length - 2 * shared };
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
