import { losses } from '../../../domain/messages.ts';
import { csvColumns } from '../../export/csv.ts';
import type { Sliced } from '../../sliced.ts';
import { type DraftBuilder, detail, header, item } from '../blocks.ts';
import { rowTypeOf } from './cell-words.ts';
import type { ColumnKind } from './column-names.ts';
import { type Column, isKnownName } from './columns.ts';
import { filledCells, flatText, isSameRow, joinCells, type TableRow } from './row.ts';
import { RowItem } from './row-item.ts';

/** Whether a first row is that of our own export. */
export const isOwnHead = (names: readonly string[]): boolean => names.join() === csvColumns.join();

/** Rows by which a column of sentences is known. */
const MAX_JUDGED_ROWS = 50;
const MAX_JUDGED_COLUMNS = 1000;

/** Columns whose cells are sentences: their text is kept as details, whatever the column's name is. */
function proseColumns(rows: readonly TableRow[], known: ReadonlySet<number>, width: number): Set<number> {
  const prose = new Set<number>();
  const judged = rows.slice(0, MAX_JUDGED_ROWS);
  for (let index = 0; index < Math.min(width, MAX_JUDGED_COLUMNS); index++) {
    if (known.has(index)) continue;
    const filled = filledCells(judged.map(({ cells }) => cells[index] ?? ''));
    const count = (pattern: RegExp) => filled.reduce((sum, cell) => sum + (cell.match(pattern)?.length ?? 0), 0);
    const words = count(/\p{L}{2,}/gu);
    const letters = count(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu);
    if (filled.length > 0 && (words >= 3 * filled.length || letters >= 10 * filled.length)) prose.add(index);
  }
  return prose;
}

/** Names of subtasks in one cell. A count of them names none. */
const subtasksOf = (value: string): string[] =>
  /^[\d/ ]*$/.test(value)
    ? []
    : value
        .split(/[;\n]/)
        .map(part => part.trim())
        .filter(Boolean);

/** Rows between two pauses. */
const SLICE_ROWS = 20;

/** Reads rows under a head whose names are known. */
export class NamedRows {
  private readonly rows: readonly TableRow[];
  private readonly columns: readonly Column[];
  private readonly head: TableRow;
  private readonly draft: DraftBuilder;
  private readonly known: ReadonlySet<number>;
  private readonly prose: ReadonlySet<number>;
  private readonly isOwn: boolean;
  /** Whether the name of a column says which of several details a line is. */
  private hasSeveralDetails: boolean = false;
  private section = '';

  constructor(rows: readonly TableRow[], columns: readonly Column[], head: TableRow, draft: DraftBuilder) {
    this.rows = rows;
    this.columns = columns;
    this.head = head;
    this.draft = draft;
    this.known = new Set(columns.map(({ index }) => index));
    this.prose = proseColumns(rows, this.known, head.cells.length);
    this.isOwn = isOwnHead(head.cells);
  }

  *read(): Sliced<void> {
    yield* this.reportNames();
    const { cells: names } = this.head;
    for (const [index, row] of this.rows.entries()) {
      if (index % SLICE_ROWS === SLICE_ROWS - 1) yield;
      // Boards repeat their head below the name of each group.
      if (isSameRow(row.cells, names)) continue;
      const [name = '', ...others] = filledCells(row.cells);
      if (others.length === 0 && isSameRow(this.rows[index + 1]?.cells ?? [], names))
        this.draft.add(header(flatText(name), 2));
      else if (name !== '') this.readRow(row);
    }
  }

  /** Reports the names that no row's report repeats. */
  private *reportNames(): Sliced<void> {
    const filled = new Set<number>();
    for (const [at, { cells }] of this.rows.entries()) {
      if (at % SLICE_ROWS === SLICE_ROWS - 1) yield;
      for (const [index, cell] of cells.entries()) if (cell.trim() !== '') filled.add(index);
    }
    const details = this.columns.filter(({ kind, index }) => kind === 'details' && filled.has(index));
    this.hasSeveralDetails = details.length > 1;
    const unused = this.head.cells.filter((name, index) => {
      const isReported = !this.known.has(index) && filled.has(index);
      return name.trim() !== '' && !isReported && !isKnownName(name);
    });
    this.draft.lose(losses.column, this.head.line, unused.map(flatText).join(', '));
  }

  private nameOf(index: number): string {
    return flatText(this.head.cells[index] ?? '');
  }

  /** Names a value by its column. */
  private named(index: number, value: string): string {
    const name = this.nameOf(index);
    return name === '' ? value : `${name}: ${value}`;
  }

  private cellsOf(kind: ColumnKind, { cells }: TableRow): { index: number; value: string }[] {
    return this.columns.flatMap(column => {
      const value = column.kind === kind ? (cells[column.index] ?? '').trim() : '';
      return value === '' ? [] : [{ index: column.index, value }];
    });
  }

  private valuesOf(kind: ColumnKind, row: TableRow): string[] {
    return this.cellsOf(kind, row).map(({ value }) => value);
  }

  private readRow(row: TableRow): void {
    const [stated] = this.cellsOf('type', row);
    const type = rowTypeOf(stated?.value ?? 'task');
    if (type === 'setting') {
      this.draft.lose(losses.setting, row.line, joinCells(row.cells));
      return;
    }
    const rowItem = new RowItem(
      this.draft,
      row.line,
      this.valuesOf('text', row),
      this.valuesOf('key', row).map(flatText).join(' '),
      // In our own export a status stands in its column, and a box is a word.
      !this.isOwn,
    );
    for (const { index, value } of this.cellsOf('details', row))
      rowItem.addDetails(this.hasSeveralDetails ? this.named(index, value) : value);
    if (type === 'section' || type === 'note') this.writeRest(row, rowItem, type);
    else {
      if (type === undefined && stated) this.lose(row, stated.index, stated.value);
      this.writeItem(row, rowItem);
    }
  }

  private lose(row: TableRow, index: number, value: string): void {
    this.draft.lose(losses.column, row.line, this.named(index, flatText(value)));
  }

  /** Writes a row that is no task: a section, or a note on the row above. */
  private writeRest(row: TableRow, read: RowItem, type: 'section' | 'note'): void {
    if (type === 'section') this.draft.add(header(read.words, 2));
    else if (read.words !== '') this.draft.add(detail(read.words));
    read.writeDetails();
    for (const [index, cell] of row.cells.entries()) {
      const kind = this.columns.find(column => column.index === index)?.kind;
      const isWritten = kind === 'text' || kind === 'key' || kind === 'details' || kind === 'type';
      if (cell.trim() !== '' && !isWritten) this.lose(row, index, cell);
    }
  }

  private writeItem(row: TableRow, read: RowItem): void {
    for (const value of this.valuesOf('status', row)) read.addStatus(flatText(value));
    for (const value of this.valuesOf('done', row)) read.addDone(value);
    for (const value of this.valuesOf('completed', row)) read.complete(value);
    for (const value of this.valuesOf('mandatory', row)) read.addMandatory(value);
    for (const value of this.valuesOf('assignee', row)) read.addPerson(flatText(value));
    const [due, ...days] = this.cellsOf('due', row);
    if (due) read.addDay(flatText(due.value));
    for (const { index, value } of days) this.lose(row, index, value);
    this.addUnknown(row, read);
    const isHeader = this.openSection(row, read);
    if (!isHeader) read.write();
    read.writeDetails();
    for (const { index, value } of this.cellsOf('items', row)) this.writeSubtasks(row, index, value);
  }

  private writeSubtasks(row: TableRow, index: number, value: string): void {
    const names = subtasksOf(value);
    if (names.length === 0) this.lose(row, index, value);
    for (const name of names) {
      this.draft.nest(row.line, name);
      this.draft.add(item(name));
    }
  }

  /** Cells of columns that no name explains: sentences are details, other values are reported. */
  private addUnknown(row: TableRow, read: RowItem): void {
    for (const [index, cell] of row.cells.entries()) {
      if (cell.trim() === '' || this.known.has(index)) continue;
      if (this.prose.has(index)) read.addDetails(this.named(index, cell.trim()));
      else this.lose(row, index, cell);
    }
  }

  /** Writes the header of a section that begins. Returns whether the row is about nothing else. */
  private openSection(row: TableRow, read: RowItem): boolean {
    const [named = ''] = this.valuesOf('section', row).map(flatText);
    const [level = ''] = this.valuesOf('level', row);
    const depth = /^[1-6]$/.test(level) ? Number(level) : 2;
    if (level !== '' && level !== String(depth)) this.draft.lose(losses.column, row.line, `level: ${flatText(level)}`);
    // Our export writes a header without items or with details in a row without text and status.
    const isHeader = read.isEmpty && this.valuesOf('status', row).length === 0 && named + level !== '';
    const place = `${level} ${named}`;
    if (named + level !== '' && (isHeader || place !== this.section)) this.draft.add(header(named, depth));
    this.section = place;
    return isHeader;
  }
}
