/*
 * Every word that is typed is unique, so that a lost or doubled one is seen. It bears its limits in itself: it is found
 * inside other words, too. A row has a word of its own, its token.
 */

const LETTERS = 'abcdefghij';

/** All words have one length: none can be another one with something typed into it. */
const DIGITS = 4;

const coded = (number: number) =>
  [...String(number).padStart(DIGITS, '0')].map(digit => LETTERS[Number(digit)]).join('');

export const wordOf = (number: number): string => `W${coded(number)}Z`;
export const tokenOf = (number: number): string => `R${coded(number)}Z`;

const ANY = /[WR][a-j]+Z/g;

export const wordsIn = (text: string): string[] => text.match(ANY) ?? [];

export const isToken = (word: string): boolean => word.startsWith('R');

/** The token of a row: the first one in its text. */
export const tokenIn = (row: string): string | undefined => wordsIn(row).find(isToken);

/** Words that are in the text more than once. */
export function doubledIn(text: string): string[] {
  const words = wordsIn(text);
  return words.filter((word, index) => words.indexOf(word) < index);
}
