/*
 * Keeps cells of a CSV file from being formulas. Spreadsheets split a file at the separator of their locale, which also
 * splits inside of a quoted cell whose quote is not at the start of their cell. So a cell can begin after each comma,
 * semicolon, tab and line break. Quotes before a formula may be taken for those of a cell. Spreadsheets of East Asia take
 * full-width signs for their usual forms.
 */

const unsafe = /(?<=^|[,;\t\r\n])(?=["']*[=+\-@＝＋－＠])|^(?=["']*[\t\r\n])/g;
const guarded = /(?<=^|[,;\t\r\n])'(?=["']*[=+\-@＝＋－＠])|^'(?=["']*[\t\r\n])/g;

/** Puts an apostrophe before a cell that could begin with a formula. */
export const guardFormulas = (value: string): string => value.replace(unsafe, "'");

/** The inverse of `guardFormulas`. */
export const unguardFormulas = (value: string): string => value.replace(guarded, '');
