/** The words of the editor's find and replace. */

export const panel = 'Find and replace';
export const find = 'Find';
export const replace = 'Replace';
export const replaceAll = 'Replace all';
export const next = 'Next';
export const previous = 'Previous';
export const selectAll = 'Select all matches';
export const matchCase = 'Match case';
export const expression = 'Regular expression';
export const wholeWords = 'Whole words';
export const close = 'Close find and replace';
export const invalid = 'Not a valid regular expression';
export const none = 'No matches';
export const matches = (total: string, all: number) => `${total} ${all === 1 ? 'match' : 'matches'}`;
export const place = (selected: string, total: string) => `${selected} of ${total}`;
export const replaced = (count: number) => `${count.toLocaleString('en')} replaced.`;
export const inChips = (count: number) =>
  count === 1
    ? "1 match is part of a chip and wasn't replaced."
    : `${count.toLocaleString('en')} matches are parts of chips and weren't replaced.`;
