import { losses } from '../../domain/messages.ts';
import { finish, type Sliced } from '../sliced.ts';
import { type Draft, DraftBuilder, header } from './blocks.ts';
import { isCross } from './table/cell-words.ts';
import { boxColumn, columnsOf, knownNames } from './table/columns.ts';
import { NamedRows } from './table/named-rows.ts';
import { filledCells, flatText, isSameRow, joinCells, plainRow, type TableRow } from './table/row.ts';

export type { TableRow } from './table/row.ts';

const isRuleRow = ({ cells }: TableRow) => cells.length > 0 && cells.every(cell => /^:?-+:?$/.test(cell));

/** Rows between two pauses. */
const SLICE_ROWS = 20;

/** Rows among which a head is looked for: exports put lines about themselves above it. */
const MAX_ROWS_ABOVE_HEAD = 20;

/** Rows by which the width of a table is known. */
const MAX_WIDTH_ROWS = 50;

/** Index of the head, if a row below the first is one: it names more than the first does, and rows above it are narrow. */
function headIndex(rows: readonly TableRow[]): number {
  const width = Math.max(...rows.slice(0, MAX_WIDTH_ROWS).map(({ cells }) => cells.length));
  const narrow = rows.findIndex(({ cells }) => 2 * filledCells(cells).length > width);
  if (narrow <= 0 || narrow > MAX_ROWS_ABOVE_HEAD) return 0;
  return knownNames(rows[narrow]?.cells ?? []) > 1 ? narrow : 0;
}

/** Rows above a head are about the export. If the head repeats, these rows are the names of a board and its first group. */
function readAbove(above: readonly TableRow[], isRepeated: boolean, draft: DraftBuilder): void {
  for (const [index, { line, cells }] of above.entries()) {
    const isName = isRepeated && filledCells(cells).length === 1;
    if (isName) draft.add(header(joinCells(cells), index === above.length - 1 ? 2 : 1));
    else draft.lose(losses.setting, line, joinCells(cells));
  }
}

/** Reads rows without named columns. */
function* readingPlainRows(rows: readonly TableRow[], draft: DraftBuilder): Sliced<void> {
  for (const [index, row] of rows.entries()) {
    if (index % SLICE_ROWS === SLICE_ROWS - 1) yield;
    draft.add(plainRow(row));
  }
}

/** The rows of a titled table, with the sign from one column first. */
const withSignFirst = (rows: readonly TableRow[], column: number): TableRow[] =>
  rows.map(({ line, cells }) => {
    const sign = isCross(cells[column] ?? '') ? '[ ]' : (cells[column] ?? '');
    return { line, cells: [sign, ...cells.filter((_, index) => index !== column)] };
  });

/** A table as items, one a row: by the names of its columns if the first row has names that we know, else cell by cell. */
export function* readingTable(all: readonly TableRow[]): Sliced<Draft> {
  const draft = new DraftBuilder();
  const rows = all.filter(row => !isRuleRow(row) && row.cells.some(cell => cell.trim() !== ''));
  const at = rows.length > 1 ? headIndex(rows) : 0;
  const first = rows[at];
  if (!first) return draft;
  const rowsBelow = rows.slice(at + 1);
  readAbove(
    rows.slice(0, at),
    rowsBelow.some(({ cells }) => isSameRow(cells, first.cells)),
    draft,
  );
  yield;
  const isTitled = first.head || (all[1] !== undefined && isRuleRow(all[1]));
  const below = rowsBelow.map(({ cells }) => cells);
  const columns = rowsBelow.length > 0 || first.head ? columnsOf(first.cells, below, isTitled) : undefined;
  const boxes = isTitled && !columns ? boxColumn(below) : -1;
  if (columns) yield* new NamedRows(rowsBelow, columns, first, draft).read();
  else if (boxes >= 0) {
    for (const name of first.cells) draft.lose(losses.column, first.line, flatText(name));
    yield* readingPlainRows(withSignFirst(rowsBelow, boxes), draft);
  } else {
    draft.add(isTitled ? header(joinCells(first.cells), 2) : plainRow(first));
    yield* readingPlainRows(rowsBelow, draft);
  }
  return draft;
}

/** Reads a table without yielding, as `readingTable` does in slices. */
export const tableDraft = (all: readonly TableRow[]): Draft => finish(readingTable(all));
