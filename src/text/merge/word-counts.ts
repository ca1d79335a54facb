import { wordsOf } from './rewording.ts';

/** The words of a text of several lines. */
export const wordsIn = (text: string): string[] =>
  text.split(/[\r\n]+/).flatMap(line => wordsOf(line).map(word => word.text));

/** Whether a word is more than signs. */
export const hasLetterOrDigit = (word: string): boolean => /[\p{L}\p{N}]/u.test(word);

export type WordCounts = ReadonlyMap<string, number>;

/** How often a text has each of its words. */
export function countWords(text: string): WordCounts {
  const counts = new Map<string, number>();
  for (const word of wordsIn(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The words that two texts have in common. */
export const commonCounts = (one: WordCounts, other: WordCounts): WordCounts =>
  new Map([...one].map(([word, count]) => [word, Math.min(count, other.get(word) ?? 0)]));

/** How many words of one text another one lacks, and how many it adds. */
export function differenceOf(before: WordCounts, after: WordCounts): { lacking: number; added: number } {
  const missingFrom = (a: WordCounts, b: WordCounts) =>
    [...a].reduce((sum, [word, count]) => sum + Math.max(0, count - (b.get(word) ?? 0)), 0);
  return { lacking: missingFrom(before, after), added: missingFrom(after, before) };
}

/** Whether a text has more in common with one text than with another one, by their words. */
export function isNearer(text: string, one: string, other: string): boolean {
  const words = countWords(text);
  const distanceTo = (each: string) => {
    const { lacking, added } = differenceOf(countWords(each), words);
    return lacking + added;
  };
  return distanceTo(one) < distanceTo(other);
}
