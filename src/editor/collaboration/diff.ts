import { rewordingChanges } from '../../text/merge/rewording.ts';
import { inOrder } from '../../text/merge/sequence.ts';
import { hasLetterOrDigit, wordsIn } from '../../text/merge/word-counts.ts';
import type { TextChange } from '../../text/types.ts';

/**
 * The changes that turn one text into another, line by line and within a line only what differs, so that a cursor or
 * a selection elsewhere stays where it was; many lines rewritten at once are replaced as one block. Sorted, not
 * overlapping, offsets into `before`.
 */
export function changesBetween(before: string, after: string): TextChange[] {
  if (before === after) return [];
  const a = lines(before);
  const b = lines(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const changes: TextChange[] = [];
  let position = a.slice(0, start).join('').length;
  for (const block of blocks(a.slice(start, endA), b.slice(start, endB))) {
    if (block.kept !== undefined) {
      position += block.kept.length;
      continue;
    }
    const pairs = rewordedLines(block.removed, block.added) ?? [[block.removed.join(''), block.added.join('')]];
    for (const [removed, added] of pairs) {
      changes.push(...rewordingChanges(removed, added, position));
      position += removed.length;
    }
  }
  return changes;
}

/** More lines, multiplied by those that they became, are replaced as one block. */
const MAX_LINE_PAIRS = 2_500;

/** Details and blank lines are not other lines, reworded. */
const kindOf = (line = '') => /^[ \t\xa0]*(>|\n|$)/.exec(line)?.[1];

const fullWords = (line: string): string[] => wordsIn(line).filter(hasLetterOrDigit);

/**
 * Pairs of lines: each removed one, and what it says now. Equally many lines are most likely the same lines, reworded; else
 * some were deleted or added, with all of their words. `undefined` where the lines may have been joined or divided.
 */
function rewordedLines(removed: readonly string[], added: readonly string[]): [string, string][] | undefined {
  if (removed.length === added.length) return removed.map((line, index) => [line, added[index] ?? '']);
  const least = Math.min(removed.length, added.length);
  if (least === 0 || removed.length * added.length > MAX_LINE_PAIRS) return undefined;
  const [was = [], is = []] = [removed, added].map(all => all.map(fullWords));
  const pairs = inOrder(removed.length, added.length, (i, j) => {
    if (kindOf(removed[i]) !== kindOf(added[j])) return 0;
    const words = new Set(is[j]);
    return 1 + 2 * (was[i] ?? []).filter(word => words.has(word)).length;
  });
  const [before, after] = [new Set(was.flat()), new Set(is.flat())];
  const reworded: [string, string][] = [];
  let [from, start] = [0, 0];
  for (const [i, j] of [...pairs, [removed.length, added.length] as const]) {
    for (; from < i; from++) reworded.push([removed[from] ?? '', '']);
    for (; start < j; start++) reworded.push(['', added[start] ?? '']);
    if (i < removed.length) reworded.push([removed[from++] ?? '', added[start++] ?? '']);
  }
  const isNowhere = (line: string, words: ReadonlySet<string>) => !fullWords(line).some(word => words.has(word));
  const isWhole = reworded.every(
    ([old, next]) => (next !== '' || isNowhere(old, after)) && (old !== '' || isNowhere(next, before)),
  );
  return pairs.length === least && isWhole ? reworded : undefined;
}

/** Lines with their breaks, so that joining them gives the text back. */
const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

type Block = { kept: string } | { kept?: undefined; removed: string[]; added: string[] };

/** Lines of both sides in order: equal ones by a longest common subsequence, the rest in blocks between them. */
function* blocks(a: readonly string[], b: readonly string[]): Generator<Block> {
  let i = 0;
  let j = 0;
  const pairs = inOrder(a.length, b.length, (left, right) => (a[left] === b[right] ? 1 : 0));
  for (const [left, right] of [...pairs, [a.length, b.length] as const]) {
    if (i < left || j < right) yield { removed: a.slice(i, left), added: b.slice(j, right) };
    const kept = a[left];
    if (kept !== undefined) yield { kept };
    i = left + 1;
    j = right + 1;
  }
}
