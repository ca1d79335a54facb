import Papa from 'papaparse';
import { unguardFormulas } from '../export/formula-guard.ts';
import { finish, type Sliced } from '../sliced.ts';
import type { Draft } from './blocks.ts';
import { isOwnHead } from './table/named-rows.ts';
import { readingTable, type TableRow } from './table.ts';

const delimiters = ['\t', ';', ',', '|'] as const;

export type Delimiter = (typeof delimiters)[number];

/**
 * The character between the cells of a line: a tab if there is one, otherwise the most frequent delimiter outside of
 * quotes.
 */
export function delimiterOf(text: string): Delimiter {
  const end = text.indexOf('\n');
  const first = (end < 0 ? text : text.slice(0, end)).replace(/"[^"]*"/g, '');
  if (first.includes('\t')) return '\t';
  const count = (delimiter: string) => first.split(delimiter).length;
  if (count('|') > 2 && count('|') > count(';') && count('|') > count(',')) return '|';
  return count(';') > count(',') ? ';' : ',';
}

/** Rows that are parsed between two pauses. */
const SLICE_ROWS = 100;

/** Cells of a row; what stands behind is part of the last one. */
const MAX_CELLS = 1000;

/** The rows of cells (RFC 4180). A quote that is never closed is an ordinary character. */
export function* readingCells(text: string, delimiter: Delimiter): Sliced<TableRow[]> {
  const options = { delimiter, newline: '\n', fastMode: false, preview: SLICE_ROWS } as const;
  const rows: TableRow[] = [];
  let line = 1;
  let quoteChar = '"';
  for (let from = 0, isCut = true; isCut; ) {
    const { data, errors, meta } = Papa.parse<string[]>(text.slice(from), { ...options, quoteChar });
    if (errors.some(({ code }) => code === 'MissingQuotes')) {
      rows.length = 0;
      [line, from, quoteChar] = [1, 0, '\0'];
      continue;
    }
    for (const row of data) {
      const first = line++;
      if (row.length > MAX_CELLS) row.push(row.splice(MAX_CELLS - 1).join(delimiter));
      for (const cell of row) for (let i = cell.indexOf('\n'); i >= 0; i = cell.indexOf('\n', i + 1)) line++;
      rows.push({ line: first, cells: row.map(unguardFormulas) });
    }
    from += meta.cursor;
    isCut = meta.truncated;
    if (isCut) yield;
  }
  return rows;
}

/** Reads the cells without yielding, as `readingCells` does in slices. */
export const cellsOf = (text: string, delimiter: Delimiter): TableRow[] => finish(readingCells(text, delimiter));

/** The line that Excel reads at the top of a file: which character stands between cells. */
export const separatorLine = /^sep=([\t;,|])(?:\n|$)/i;

/** Whether a text is our own export, which a spreadsheet may have written anew. */
export function isOwnCsv(text: string): boolean {
  const [line = ''] = text.slice(0, 200).split('\n', 1);
  return isOwnHead(cellsOf(line, delimiterOf(line))[0]?.cells ?? []);
}

/** Cells separated by tabs, commas, semicolons or bars, one item a row. */
export function* readingCsv(text: string): Sliced<Draft> {
  const stated = separatorLine.exec(text)?.[1];
  const delimiter = delimiters.find(sign => sign === stated) ?? delimiterOf(headLine(text));
  const rows = yield* readingCells(text, delimiter);
  yield;
  return yield* readingTable(stated === undefined ? rows : rows.slice(1));
}

/** The first line with as many cells as the table has: exports put lines about themselves above their head. */
function headLine(text: string): string {
  const lines = text.slice(0, 4000).split('\n').slice(0, 20);
  const width = (line: string) => line.split(delimiterOf(line)).length;
  const widest = Math.max(...lines.map(width));
  return lines.find(line => width(line) > 1 && 2 * width(line) > widest) ?? text;
}
