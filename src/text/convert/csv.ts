import Papa from 'papaparse';
import { unguardFormulas } from '../export/formula-guard.ts';
import type { Sliced } from '../sliced.ts';
import type { Draft } from './blocks.ts';
import { readingTable, type TableRow } from './table.ts';

const delimiters = ['\t', ';', ',', '|'] as const;

export type Delimiter = (typeof delimiters)[number];

/** The character between the cells of a line: a tab if there is one, else the one that stands there most outside of quotes. */
export function delimiterOf(text: string): Delimiter {
  const end = text.indexOf('\n');
  const first = (end < 0 ? text : text.slice(0, end)).replace(/"[^"]*"/g, '');
  if (first.includes('\t')) return '\t';
  const count = (delimiter: string) => first.split(delimiter).length;
  if (count('|') > 2 && count('|') > count(';') && count('|') > count(',')) return '|';
  return count(';') > count(',') ? ';' : ',';
}

/** The rows of cells (RFC 4180). A quote that is never closed is a character like others. */
export function cellsOf(text: string, delimiter: Delimiter): TableRow[] {
  let read = Papa.parse<string[]>(text, { delimiter, newline: '\n' });
  if (read.errors.some(({ code }) => code === 'MissingQuotes'))
    read = Papa.parse<string[]>(text, { delimiter, newline: '\n', quoteChar: '\0' });
  let line = 1;
  return read.data.map(row => {
    const first = line++;
    for (const cell of row) for (let i = cell.indexOf('\n'); i >= 0; i = cell.indexOf('\n', i + 1)) line++;
    return { line: first, cells: row.map(unguardFormulas) };
  });
}

/** The line that Excel reads at the top of a file: which character stands between cells. */
export const separatorLine = /^sep=([\t;,|])(?:\n|$)/i;

/** Cells separated by tabs, commas, semicolons or bars, one item a row. */
export function* readCsv(text: string): Sliced<Draft> {
  const stated = separatorLine.exec(text)?.[1];
  const delimiter = delimiters.find(sign => sign === stated) ?? delimiterOf(headLine(text));
  const rows = cellsOf(text, delimiter);
  return yield* readingTable(stated === undefined ? rows : rows.slice(1));
}

/** The first line with as many cells as the table has: exports put lines about themselves above their head. */
function headLine(text: string): string {
  const lines = text.slice(0, 4000).split('\n').slice(0, 20);
  const width = (line: string) => line.split(delimiterOf(line)).length;
  const widest = Math.max(...lines.map(width));
  return lines.find(line => width(line) > 1 && 2 * width(line) > widest) ?? text;
}
