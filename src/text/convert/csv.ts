import { unguardFormulas } from '../export/formula-guard.ts';
import type { Draft } from './blocks.ts';
import { type TableRow, tableDraft } from './table.ts';

const delimiters = ['\t', ';', ','] as const;

export type Delimiter = (typeof delimiters)[number];

/** What separates the cells of the first row: a tab if there is one, else what stands there oftener outside quotes. */
export function delimiterOf(text: string): Delimiter {
  const end = text.indexOf('\n');
  const first = (end < 0 ? text : text.slice(0, end)).replace(/"[^"]*"/g, '');
  if (first.includes('\t')) return '\t';
  const count = (delimiter: string) => first.split(delimiter).length;
  return count(';') > count(',') ? ';' : ',';
}

/** The rows of cells (RFC 4180). A quote that is never closed is a character like others. */
export function cellsOf(text: string, delimiter: Delimiter): TableRow[] {
  const rows: TableRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let start = 1;
  let lastQuote = text.lastIndexOf('"');
  for (let at = 0; at <= text.length; ) {
    let cell = '';
    if (text[at] === '"' && at < lastQuote) {
      const quoted = quotedCell(text, at);
      if (quoted) {
        cell = quoted.cell;
        at = quoted.to;
      } else lastQuote = -1;
    }
    const from = at;
    while (at < text.length && text[at] !== delimiter && text[at] !== '\n') at++;
    cell += text.slice(from, at);
    cells.push(unguardFormulas(cell));
    for (let i = cell.indexOf('\n'); i >= 0; i = cell.indexOf('\n', i + 1)) line++;
    if (text[at] !== delimiter) {
      rows.push({ line: start, cells });
      cells = [];
      start = ++line;
    }
    at++;
  }
  return rows;
}

/** The cell whose quote stands at `at`, up to the quote that ends it, or nothing if none does. */
function quotedCell(text: string, at: number): { cell: string; to: number } | undefined {
  let cell = '';
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return undefined;
    cell += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { cell, to: quote + 1 };
    cell += '"';
    from = quote + 2;
  }
}

/** What Excel reads at the top of a file, and some write there: which sign stands between cells. */
export const separatorLine = /^sep=([\t;,])(?:\n|$)/i;

/** Cells separated by tabs, commas or semicolons, one item a row. */
export function readCsv(text: string): Draft {
  const stated = separatorLine.exec(text)?.[1];
  const rows = cellsOf(text, delimiters.find(sign => sign === stated) ?? delimiterOf(text));
  return tableDraft(stated === undefined ? rows : rows.slice(1));
}
