import { losses } from '../../domain/messages.ts';
import type { BuiltInSlug } from '../../domain/statuses.ts';
import { detailOfName } from '../edits/named-people.ts';
import { csvColumns } from '../export/csv.ts';
import { readChecklist } from '../read.ts';
import { finish, type Sliced } from '../sliced.ts';
import type { CheckboxRow } from '../types.ts';
import { type Block, type Draft, DraftBuilder, detail, header, item } from './blocks.ts';
import {
  boxColumn,
  type Column,
  columnsOf,
  dueDayOfTime,
  isCross,
  isIcon,
  isKnownName,
  isTrue,
  knownNames,
  statusOfWord,
} from './columns.ts';
import { boxOf } from './head.ts';

/** One row of a table: its cells' texts, which may hold line breaks, and the line where it begins. */
export interface TableRow {
  line: number;
  cells: readonly string[];
  /** Whether the row is marked as the table's head. */
  head?: boolean;
}

const isRuleRow = ({ cells }: TableRow) => cells.length > 0 && cells.every(cell => /^:?-+:?$/.test(cell));

const flat = (text: string) => (text.includes('\n') ? text.replace(/\n+/g, ' ') : text).trim();

const joined = (cells: readonly string[]) => cells.map(flat).filter(Boolean).join(' – ');

/** The item of a row without named columns: its cells in one line, with the status that a box in the first one says. */
function plainRow({ cells }: TableRow): Block {
  const [first = '', ...rest] = cells.map(flat).filter(cell => cell !== '');
  if (/^(?:true|false)$/i.test(first) && rest.length > 0) return item(joined(rest), isTrue(first) ? 'done' : 'todo');
  const box = boxOf(first);
  return item(joined([box?.text ?? first, ...rest]), box?.status);
}

const itemRead = (text: string): CheckboxRow | undefined =>
  readChecklist(`- ${text}`).rows.find(row => row.kind === 'checkbox');

const dayPattern =
  /^(\d{4}[-./]\d\d[-./]\d\d|\d\d[-./]\d\d[-./]\d{4})(?:[T ][\d:.]*(?:Z|[+-]\d\d:?\d\d)?(?: ?[AP]M)?)?$/i;

/** What a cell of a column adds to the row that is being built. */
interface Building {
  status: BuiltInSlug;
  label: string;
  mandatory: boolean;
  text: string;
  tail: string[];
  details: string[];
}

/** A day of completion makes an item done; the day itself has no place in the checklist. */
function complete(row: Building, value: string, line: number, draft: DraftBuilder): void {
  if (statusOfWord(value) === 'todo') return;
  row.status = 'done';
  if (!statusOfWord(value)) draft.lose(losses.column, line, flat(value));
}

/** Whether a text names an account or a person already, as the editor writes them: a name that is a word there is none. */
const isMentioned = (text: string, value: string): boolean =>
  text.includes(`@${value}`) ||
  text.includes(`[~accountid:${value}]`) ||
  (value.startsWith('[~') && text.includes(value));

function addPerson(row: Building, stated: string, line: number, draft: DraftBuilder): void {
  // Todoist and others put the account's number behind the name.
  const value = stated
    // ClickUp writes lists.
    .replace(/^\[([^\][~]*)\]$/, '$1')
    .replace(/^(\p{L}[^()]*?) \(\d+\)$/u, (_, name: string) => {
      draft.lose(losses.setting, line, stated);
      return name;
    })
    .replace(/^@(?=\p{L})/u, '');
  const read = itemRead(row.text);
  if (value === '' || read?.assignee === value || isMentioned(row.text, value)) return;
  if (/^(?=.*\d)[A-Za-z0-9:_-]{10,128}$/.test(value)) row.tail.push(`[~accountid:${value}]`);
  else if (/^\[~accountid:[\w:-]{1,128}\]$/.test(value)) row.tail.push(value);
  else if (/^\p{L}[\p{L}\p{N}]*(?:[._-][\p{L}\p{N}]+)*$/u.test(value)) row.tail.push(`@${value}`);
  else row.details.push(detailOfName(value));
}

function addDay(row: Building, value: string): void {
  const day = dayPattern.exec(value)?.[1] ?? dueDayOfTime(value);
  const due = day === undefined ? undefined : itemRead(day)?.dueDate;
  if (due === undefined) row.details.push(`Due: ${value}`);
  else if (itemRead(row.text)?.dueDate !== due) row.tail.push(value === day ? day : due);
}

function addStatus(row: Building, value: string, line: number, draft: DraftBuilder): void {
  const known = statusOfWord(value);
  if (known) row.status = known;
  else if (isIcon(value)) row.details.push(value);
  else if (value.length > 50 || /[[\]`]/.test(value) || value.startsWith('~')) {
    draft.lose(losses.label, line, value);
  } else {
    row.label = `[${value}] `;
    draft.lose(losses.status, line, value);
  }
}

/** Columns whose cells are sentences: what they say is kept as details, whatever the column is called. */
function proseColumns(rows: readonly TableRow[], known: ReadonlySet<number>, width: number): Set<number> {
  const prose = new Set<number>();
  const judged = rows.slice(0, 50);
  for (let index = 0; index < Math.min(width, 1000); index++) {
    if (known.has(index)) continue;
    const filled = judged.map(({ cells }) => (cells[index] ?? '').trim()).filter(Boolean);
    const words = filled.reduce((sum, cell) => sum + (cell.match(/\p{L}{2,}/gu)?.length ?? 0), 0);
    const letters = filled.reduce(
      (sum, cell) => sum + (cell.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu)?.length ?? 0),
      0,
    );
    if (filled.length > 0 && (words >= 3 * filled.length || letters >= 10 * filled.length)) prose.add(index);
  }
  return prose;
}

const linesOfCell = (value: string) => value.split('\n');

/** Rows between two pauses. */
const SLICE_ROWS = 20;

/** Reads rows under named columns. */
function* readingNamedRows(
  rows: readonly TableRow[],
  columns: readonly Column[],
  { cells: names, line: headLine }: TableRow,
  draft: DraftBuilder,
): Sliced<void> {
  const known = new Set(columns.map(({ index }) => index));
  const prose = proseColumns(rows, known, names.length);
  const nameOf = (index: number) => flat(names[index] ?? '');
  const filled = new Set<number>();
  for (const { cells } of rows) for (const [index, cell] of cells.entries()) if (cell.trim() !== '') filled.add(index);
  // Names that no row's report repeats.
  const unused = names.flatMap((name, index) => {
    const isReported = !known.has(index) && filled.has(index);
    return name.trim() === '' || isReported || isKnownName(name) ? [] : [flat(name)];
  });
  yield;
  draft.lose(losses.column, headLine, unused.join(', '));
  // There a status stands in its column, and a box is a word.
  const isOwnExport = names.join() === csvColumns.join();
  let section = '';
  for (const [index, { line, cells }] of rows.entries()) {
    if (index % SLICE_ROWS === SLICE_ROWS - 1) yield;
    if (cells.every(cell => cell.trim() === '')) continue;
    const row: Building = { status: 'todo', label: '', mandatory: false, text: '', tail: [], details: [] };
    const valuesOf = (kind: Column['kind']) =>
      columns.flatMap(column => (column.kind === kind ? [(cells[column.index] ?? '').trim()] : [])).filter(Boolean);
    const texts = valuesOf('text').flatMap(linesOfCell);
    const box = isOwnExport ? undefined : boxOf(texts[0] ?? '');
    if (box) row.status = box.status;
    const [first = '', ...more] = box ? [box.text, ...texts.slice(1)] : texts;
    const [type = ''] = valuesOf('type').map(value => value.toLowerCase());
    row.text = [...valuesOf('key'), first].filter(Boolean).map(flat).join(' ');
    row.details = [...more, ...valuesOf('details').flatMap(linesOfCell)];
    for (const value of valuesOf('status')) addStatus(row, flat(value), line, draft);
    for (const value of valuesOf('done')) {
      const stated = statusOfWord(value) ?? boxOf(value)?.status;
      // "No" in this column takes back no status of another one.
      if (stated !== undefined) row.status = stated === 'todo' ? row.status : stated;
      // A day of completion says that there was one.
      else if (dayPattern.test(value)) complete(row, value, line, draft);
      else row.details = row.details.concat(linesOfCell(value));
    }
    for (const value of valuesOf('completed')) complete(row, value, line, draft);
    for (const value of valuesOf('mandatory')) {
      row.mandatory ||= isTrue(value);
      if (!statusOfWord(value)) row.details = row.details.concat(linesOfCell(value));
    }
    for (const value of valuesOf('assignee')) addPerson(row, flat(value), line, draft);
    for (const value of valuesOf('due')) addDay(row, flat(value));
    cells.forEach((cell, index) => {
      if (cell.trim() === '' || known.has(index)) return;
      const name = nameOf(index);
      if (prose.has(index)) {
        const [first = '', ...more] = linesOfCell(cell.trim());
        row.details = row.details.concat(name === '' ? first : `${name}: ${first}`, more);
      } else draft.lose(losses.column, line, name === '' ? flat(cell) : `${name}: ${flat(cell)}`);
    });

    if (type === 'section' || type === 'note') {
      if (type === 'section') draft.add(header(row.text, 2));
      else if (row.text !== '') draft.add(detail(row.text));
      for (const value of row.details) draft.add(detail(value));
      for (const value of row.tail) draft.lose(losses.column, line, value);
      continue;
    }
    if (type !== 'task') draft.lose(losses.column, line, type);
    const [named = ''] = valuesOf('section').map(flat);
    const [level = ''] = valuesOf('level');
    const depth = /^[1-6]$/.test(level) ? Number(level) : 2;
    if (level !== '' && level !== String(depth)) draft.lose(losses.column, line, `level: ${flat(level)}`);
    const words = [row.label + row.text, ...row.tail].filter(Boolean).join(' ');
    // A row without text and status is about its section, as our export writes a header without items or with details.
    const isHeader = words === '' && valuesOf('status').length === 0 && named + level !== '';
    const place = `${level} ${named}`;
    if (named + level !== '' && (isHeader || place !== section)) draft.add(header(named, depth));
    section = place;
    if (!isHeader) draft.add(item(words, row.status, row.mandatory));
    for (const line of row.details) draft.add(detail(line));
  }
}

/** Rows among which a head is looked for: exports put lines about themselves above it. */
const MAX_ROWS_ABOVE_HEAD = 20;

/** Index of the head, if a row below the first is one: it names more than the first does, and rows above it are narrow. */
function headIndex(rows: readonly TableRow[]): number {
  const width = Math.max(...rows.slice(0, 50).map(({ cells }) => cells.length));
  const narrow = rows.findIndex(({ cells }) => 2 * cells.filter(cell => cell.trim() !== '').length > width);
  if (narrow <= 0 || narrow > MAX_ROWS_ABOVE_HEAD) return 0;
  return knownNames(rows[narrow]?.cells ?? []) > 1 ? narrow : 0;
}

/** Reads rows without named columns. */
function* readingPlainRows(rows: readonly TableRow[], draft: DraftBuilder): Sliced<void> {
  for (const [index, row] of rows.entries()) {
    if (index % SLICE_ROWS === SLICE_ROWS - 1) yield;
    draft.add(plainRow(row));
  }
}

/** A table as items, one a row: by the names of its columns if the first row has names that we know, else cell by cell. */
export function* readingTable(all: readonly TableRow[]): Sliced<Draft> {
  const draft = new DraftBuilder();
  const rows = all.filter(row => !isRuleRow(row) && row.cells.some(cell => cell.trim() !== ''));
  const at = rows.length > 1 ? headIndex(rows) : 0;
  const first = rows[at];
  if (!first) return draft;
  for (const { line, cells } of rows.slice(0, at)) draft.lose(losses.setting, line, joined(cells));
  const rest = rows.slice(at + 1);
  const isTitled = first.head || (all[1] !== undefined && isRuleRow(all[1]));
  const below = rest.map(({ cells }) => cells);
  const columns = rest.length > 0 || first.head ? columnsOf(first.cells, below, isTitled) : undefined;
  const boxes = isTitled && !columns ? boxColumn(below) : -1;
  if (columns) yield* readingNamedRows(rest, columns, first, draft);
  else if (boxes >= 0) {
    for (const name of first.cells) draft.lose(losses.column, first.line, flat(name));
    const withBoxFirst = (cells: readonly string[]) => [
      isCross(cells[boxes] ?? '') ? '[ ]' : (cells[boxes] ?? ''),
      ...cells.filter((_, index) => index !== boxes),
    ];
    yield* readingPlainRows(
      rest.map(({ line, cells }) => ({ line, cells: withBoxFirst(cells) })),
      draft,
    );
  } else {
    draft.add(isTitled ? header(joined(first.cells), 2) : plainRow(first));
    yield* readingPlainRows(rest, draft);
  }
  return draft;
}

/** The same without a break. */
export const tableDraft = (all: readonly TableRow[]): Draft => finish(readingTable(all));
