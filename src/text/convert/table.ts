import { losses } from '../../domain/messages.ts';
import type { BuiltInSlug } from '../../domain/statuses.ts';
import { detailOfName } from '../edits/named-people.ts';
import { readChecklist } from '../read.ts';
import type { CheckboxRow } from '../types.ts';
import { type Block, type Draft, detail, header, item, type Loss } from './blocks.ts';
import { type Column, columnsOf, isTrue, statusOfWord } from './columns.ts';
import { boxOf } from './head.ts';

/** One row of a table: its cells' texts, which may hold line breaks, and the line where it begins. */
export interface TableRow {
  line: number;
  cells: readonly string[];
  /** Whether the row is marked as the table's head. */
  head?: boolean;
}

/** The cells of a line between pipes. */
export function pipeCells(line: string): string[] {
  const inner = line.replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map(cell => cell.trim().replace(/\\\|/g, '|'));
}

const isRuleRow = ({ cells }: TableRow) => cells.length > 0 && cells.every(cell => /^:?-+:?$/.test(cell));

const flat = (text: string) => (text.includes('\n') ? text.replace(/\n+/g, ' ') : text).trim();

/** A row without named columns: its cells in one line; a box in the first cell is the item's. */
function plainRow({ cells }: TableRow): Block[] {
  const filled = cells.map(flat).filter(cell => cell !== '');
  const [first = ''] = filled;
  if (filled.length < 2 && !boxOf(first)) return first === '' ? [] : [item(first)];
  const rest = filled.slice(1);
  const box = boxOf(first);
  const isBox = /^(?:true|false)$/i.test(first) && rest.length > 0;
  const status: BuiltInSlug = isBox ? (isTrue(first) ? 'done' : 'todo') : (box?.status ?? 'todo');
  const words = isBox ? rest : [box?.text ?? first, ...rest].filter(cell => cell !== '');
  return [item(words.join(' – '), status)];
}

const itemRead = (text: string): CheckboxRow | undefined =>
  readChecklist(`- ${text}`).rows.find(row => row.kind === 'checkbox');

const dayPattern = /^(\d{4}[-./]\d\d[-./]\d\d|\d\d[-./]\d\d[-./]\d{4})(?:[T ][\d:.]*Z?)?$/;

/** What a cell of a column adds to the row that is being built. */
interface Building {
  status: BuiltInSlug;
  label: string;
  mandatory: boolean;
  text: string;
  tail: string[];
  details: string[];
}

function addPerson(row: Building, value: string): void {
  const read = itemRead(row.text);
  if (read?.assignee === value || row.text.includes(value)) return;
  if (/^(?=.*\d)[A-Za-z0-9:_-]{10,128}$/.test(value)) row.tail.push(`[~accountid:${value}]`);
  else if (/^\[~accountid:[\w:-]{1,128}\]$/.test(value)) row.tail.push(value);
  else if (/^\p{L}[\p{L}\p{N}]*(?:[._-][\p{L}\p{N}]+)*$/u.test(value)) row.tail.push(`@${value}`);
  else row.details.push(detailOfName(value));
}

function addDay(row: Building, value: string): void {
  const day = dayPattern.exec(value)?.[1];
  const due = day === undefined ? undefined : itemRead(day)?.dueDate;
  if (due === undefined) row.details.push(`Due: ${value}`);
  else if (itemRead(row.text)?.dueDate !== due) row.tail.push(value === day ? day : due);
}

function addStatus(row: Building, value: string, line: number, lost: Loss[]): void {
  const known = statusOfWord(value);
  if (known) row.status = known;
  else if (value.length > 50 || /[[\]`]/.test(value) || value.startsWith('~')) {
    lost.push({ what: losses.label, line, text: value });
  } else {
    row.label = `[${value}] `;
    lost.push({ what: losses.status, line, text: value });
  }
}

/** Rows under named columns. */
function namedRows(rows: readonly TableRow[], columns: readonly Column[], names: readonly string[]): Draft {
  const blocks: Block[] = [];
  const lost: Loss[] = [];
  const known = new Set(columns.map(({ index }) => index));
  let section = '';
  for (const { line, cells } of rows) {
    if (cells.every(cell => cell.trim() === '')) continue;
    const row: Building = { status: 'todo', label: '', mandatory: false, text: '', tail: [], details: [] };
    const valuesOf = (kind: Column['kind']) =>
      columns.flatMap(column => (column.kind === kind ? [(cells[column.index] ?? '').trim()] : [])).filter(Boolean);
    const [first = '', ...more] = valuesOf('text').flatMap(value => value.split('\n'));
    row.text = [...valuesOf('key'), first].filter(Boolean).map(flat).join(' ');
    row.details = [...more, ...valuesOf('details').flatMap(value => value.split('\n'))];
    for (const value of valuesOf('status')) addStatus(row, flat(value), line, lost);
    for (const value of valuesOf('done')) {
      if (isTrue(value)) row.status = 'done';
      else if (!statusOfWord(value)) row.details = row.details.concat(value.split('\n'));
    }
    for (const value of valuesOf('mandatory')) {
      row.mandatory ||= isTrue(value);
      if (!statusOfWord(value)) row.details = row.details.concat(value.split('\n'));
    }
    for (const value of valuesOf('assignee')) addPerson(row, flat(value));
    for (const value of valuesOf('due')) addDay(row, flat(value));
    cells.forEach((cell, index) => {
      if (cell.trim() === '' || known.has(index)) return;
      const name = names[index] ?? '';
      lost.push({ what: losses.column, line, text: name === '' ? flat(cell) : `${flat(name)}: ${flat(cell)}` });
    });

    const [named = ''] = valuesOf('section').map(flat);
    const [level = ''] = valuesOf('level');
    const depth = /^[1-6]$/.test(level) ? Number(level) : 2;
    if (level !== '' && level !== String(depth))
      lost.push({ what: losses.column, line, text: `level: ${flat(level)}` });
    const words = [row.label + row.text, ...row.tail].filter(Boolean).join(' ');
    // A row without text and status is about its section, as our export writes a header without items or with details.
    const isHeader = words === '' && valuesOf('status').length === 0 && named + level !== '';
    const place = `${level} ${named}`;
    if (named + level !== '' && (isHeader || place !== section)) blocks.push(header(named, depth));
    section = place;
    if (!isHeader) blocks.push(item(words, row.status, row.mandatory));
    for (const line of row.details) blocks.push(detail(line));
  }
  return { blocks, lost };
}

/** A table as items, one a row: by the names of its columns where the first row has names that we know, else cell by cell. */
export function tableDraft(all: readonly TableRow[]): Draft {
  const rows = all.filter(row => !isRuleRow(row));
  const [first] = rows;
  if (!first) return { blocks: [], lost: [] };
  const rest = rows.slice(1);
  const columns = rest.length > 0 || first.head ? columnsOf(first.cells) : undefined;
  if (columns) return namedRows(rest, columns, first.cells);
  const title = first.head || (all[1] !== undefined && isRuleRow(all[1]));
  const head: Block[] = title ? [header(first.cells.map(flat).filter(Boolean).join(' – '), 2)] : plainRow(first);
  return { blocks: head.concat(rest.flatMap(plainRow)), lost: [] };
}
