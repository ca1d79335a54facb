import { boxOf } from '../head.ts';
import { isCross, isIcon, isTruth, statusOfWord } from './cell-words.ts';
import { type ColumnKind, isDateName, isWeakTitle, kindOfName } from './column-names.ts';
import { dayOfCell } from './day-of-cell.ts';

/** A column of a table that is understood. */
export interface Column {
  kind: ColumnKind;
  index: number;
}

const isDay = (cell: string): boolean => dayOfCell(cell.trim()) !== undefined;

/**
 * The columns with known names. Of several columns of one kind, the one with most cells counts; details and texts may
 * be several.
 */
function namedColumns(cells: readonly string[], rows: readonly (readonly string[])[] = []): Column[] {
  const named = cells.flatMap((cell, index): Column[] => {
    // A head is short: a known name in a sentence is none.
    const kind = cell.length < 60 ? kindOfName(cell) : undefined;
    return kind ? [{ kind, index }] : [];
  });
  const filled = ({ index }: Column) => rows.filter(row => (row[index] ?? '').trim() !== '').length;
  const fullest = new Map<ColumnKind, Column>();
  for (const column of named) {
    const other = fullest.get(column.kind);
    if (!other || filled(column) > filled(other)) fullest.set(column.kind, column);
  }
  const columns = named.filter(
    column => column.kind === 'details' || column.kind === 'text' || fullest.get(column.kind) === column,
  );
  const date = cells.findIndex(isDateName);
  // Todoist says so to the due day, beside a deadline. Beside another day, or in a log, it is not when a task is due.
  const isDue = fullest.has('text') && !fullest.has('due') && !fullest.has('completed');
  if (date >= 0 && (fullest.has('type') || (isDue && rows.some(row => isDay(row[date] ?? '')))))
    columns.push({ kind: 'due', index: date });
  // Only a section has a level that a header can have.
  return fullest.has('section') ? columns : columns.filter(({ kind }) => kind !== 'level');
}

/** Whether a column of that name is understood. */
export const isKnownName = (name: string): boolean => kindOfName(name) !== undefined || isDateName(name);

/** The number of columns that a first row names by known names. */
export const knownNames = (cells: readonly string[]): number => namedColumns(cells).length;

const isDatum = (cell: string) =>
  /^[\d\s.,:/+\-–TZ%€$£#]*$/.test(cell) ||
  /^[\w.+-]+@[\w.-]+$/.test(cell) ||
  /^https?:\/\/\S+$/.test(cell) ||
  statusOfWord(cell) !== undefined;

/** How much a column's cells read like the titles of items: filled, different from each other, words rather than data. */
function titleScore(cells: readonly string[]): number {
  const filled = cells.filter(cell => cell !== '');
  if (filled.length === 0) return 0;
  const words = filled.filter(cell => !isDatum(cell));
  const different = new Set(words).size;
  const length = words.reduce((sum, cell) => sum + Math.min(cell.length, 60), 0) / Math.max(1, words.length);
  return (words.length / cells.length) * (different / filled.length) * Math.min(1, length / 12);
}

/** How much the cells of a column of titles must read like titles. */
const MIN_TITLE_SCORE = 0.2;

/** The column that holds the titles, by what its cells say; the first of equal ones. */
function titleColumn(rows: readonly (readonly string[])[], known: readonly Column[], width: number): number {
  let [best, bestScore] = [-1, 0];
  for (let index = 0; index < width; index++) {
    if (known.some(column => column.index === index)) continue;
    const score = titleScore(rows.map(row => (row[index] ?? '').trim()));
    // The title usually stands further left than notes about it.
    if (score > bestScore * 1.25) [best, bestScore] = [index, score];
  }
  return bestScore >= MIN_TITLE_SCORE ? best : -1;
}

/**
 * Of several columns of texts, one is the items' text: the one that reads most like titles, and of two that do the one
 * whose name says so. Keys and details are the others.
 */
function withOneText(
  columns: readonly Column[],
  names: readonly string[],
  rows: readonly (readonly string[])[],
): Column[] {
  const texts = columns.filter(({ kind }) => kind === 'text');
  if (texts.length < 2) return [...columns];
  const cellsOf = ({ index }: Column) => rows.map(row => (row[index] ?? '').trim());
  const score = (column: Column) => titleScore(cellsOf(column));
  const surest = texts.filter(column => !isWeakTitle(names[column.index] ?? '') && score(column) >= MIN_TITLE_SCORE);
  const candidates = surest.length > 0 ? surest : texts;
  const scores = candidates.map(score);
  const title = candidates[scores.indexOf(Math.max(...scores))];
  return columns.map(column => {
    if (column.kind !== 'text' || column === title) return column;
    const isKey = cellsOf(column).every(cell => cell === '' || /^[A-Z][A-Z0-9_]+-\d+$/.test(cell));
    return { ...column, kind: isKey && !columns.some(({ kind }) => kind === 'key') ? 'key' : 'details' };
  });
}

/** The columns that hold nothing but signs for yes and no, and icons that say neither, beside another one. */
function signColumns(rows: readonly (readonly string[])[], isSign: (cell: string) => boolean): number[] {
  const signed = new Set<number>();
  const worded = new Set<number>();
  for (const cells of rows)
    for (const [index, text] of cells.entries()) {
      const cell = text.trim();
      if (cell !== '' && !isIcon(cell)) (isSign(cell) ? signed : worded).add(index);
    }
  return (rows[0]?.length ?? 0) < 2 ? [] : [...signed].filter(index => !worded.has(index));
}

/** The column that holds nothing but boxes and crosses, if there is one, and another that says of what. */
export function boxColumn(rows: readonly (readonly string[])[]): number {
  const [column = -1, ...others] = signColumns(rows, cell => boxOf(cell)?.text === '' || isCross(cell));
  return others.length > 0 ? -1 : column;
}

/** The column without a name that holds the check boxes of a spreadsheet, which it writes as truths. */
const truthColumn = (names: readonly string[], rows: readonly (readonly string[])[]): number =>
  signColumns(rows, isTruth).find(index => (names[index] ?? '').trim() === '') ?? -1;

/** The columns with that of boxes, if no name says which one has the status. */
function withBoxes(
  columns: readonly Column[],
  names: readonly string[],
  rows: readonly (readonly string[])[],
): Column[] {
  const isStated = columns.some(({ kind }) => kind === 'status' || kind === 'done' || kind === 'completed');
  const truths = truthColumn(names, rows);
  const index = isStated ? -1 : truths >= 0 ? truths : boxColumn(rows);
  return index < 0 || columns.some(column => column.index === index)
    ? [...columns]
    : [...columns, { kind: 'done', index }];
}

/** Rows by whose cells a column's content is judged. */
const MAX_JUDGED_ROWS = 50;

/**
 * The columns of a table by its first row, if that is a head: it names at least what some cells say. A head that names no
 * column of titles leaves them to be found by what the cells below say.
 */
export function columnsOf(
  cells: readonly string[],
  below: readonly (readonly string[])[] = [],
  isHead = false,
): Column[] | undefined {
  const rows = below.slice(0, MAX_JUDGED_ROWS);
  const named = withOneText(namedColumns(cells, rows), cells, rows);
  const columns = named.length > 1 ? withBoxes(named, cells, rows) : named;
  const texts = columns.filter(({ kind }) => kind === 'text');
  if (texts.length > 0) return columns.length > 1 || cells.length === 1 ? columns : undefined;
  if (columns.length === 0) return undefined;
  const contentColumns = columns.filter(({ kind }) => kind !== 'section');
  const index = contentColumns.length === 0 ? -1 : titleColumn(rows, columns, Math.min(cells.length, 1000));
  const withTitle = (at: number) => [
    ...columns.filter(column => column.index !== at),
    { kind: 'text' as const, index: at },
  ];
  if (index >= 0 && (columns.length > 1 || isHead)) return withTitle(index).sort((a, b) => a.index - b.index);
  const [prose] = columns.filter(({ kind }) => kind === 'details');
  return prose && columns.length > 1 ? withTitle(prose.index).sort((a, b) => a.index - b.index) : undefined;
}
