/** How well a label answers to what is typed: its letters in order, best at words' starts and side by side. 0 for not at all. */
function matchScore(typed: string, label: string): number {
  const text = label.toLowerCase();
  let score = 1;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const whole = text.indexOf(word);
    if (whole >= 0) {
      score += 4 * word.length + (isStart(text, whole) ? 8 : 0);
      continue;
    }
    let at = -1;
    for (const letter of word) {
      const next = text.indexOf(letter, at + 1);
      if (next < 0) return 0;
      score += next === at + 1 || isStart(text, next) ? 1 : 0;
      at = next;
    }
  }
  return score;
}

const isStart = (text: string, at: number) => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');

/** Those that match, the best first; equal ones, and all of them while nothing is typed, in their own order. */
export const bestMatches = <T extends { label: string }>(typed: string, all: readonly T[]): T[] =>
  typed.trim() === ''
    ? [...all]
    : all
        .map(choice => ({ choice, score: matchScore(typed, choice.label) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .map(({ choice }) => choice);
