import type { CheckboxRow, Checklist, HeaderRow, Row } from '../types.ts';
import { guardFormulas } from './formula-guard.ts';
import { type ExportOptions, withNames } from './person.ts';

/** The names in the first line. */
export const csvColumns = ['section', 'level', 'status', 'mandatory', 'text', 'assignee', 'due', 'details'] as const;

/** A cell that begins no formula, in quotes if RFC 4180 requires them. */
function cellOf(value: string): string {
  const guarded = guardFormulas(value);
  return /[",;\t\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replace(/"/g, '""')}"` : guarded;
}

const detailsOf = (row: Row, options: ExportOptions) =>
  row.details.map(({ text }) => withNames(text, options)).join('\n');

function itemCells(row: CheckboxRow, section: readonly string[], options: ExportOptions): string[] {
  const { status, mandatory, text, assignee = '', dueDate = '' } = row;
  const person = assignee === '' ? '' : (options.nameOf?.(assignee) ?? assignee);
  return [
    ...section,
    status.name,
    mandatory ? 'yes' : '',
    withNames(text, options),
    person,
    dueDate,
    detailsOf(row, options),
  ];
}

/** The name and the level of the section that a header begins. */
const sectionOf = ({ text, level }: HeaderRow, options: ExportOptions) => [withNames(text, options), String(level)];

/**
 * Comma-separated cells (RFC 4180), a row for each item. A header has a row of its own if it has no items or has
 * details, or if nothing else would tell its section from the one above.
 */
export function exportCsv({ rows }: Checklist, options: ExportOptions): string {
  const table: string[][] = [[...csvColumns]];
  let section = ['', ''];
  rows.forEach((row, i) => {
    if (row.kind === 'checkbox') table.push(itemCells(row, section, options));
    else {
      const above = section;
      section = sectionOf(row, options);
      const isNew = section.some((cell, index) => cell !== above[index]);
      if (isNew && row.details.length === 0 && rows[i + 1]?.kind === 'checkbox') return;
      table.push([...section, '', '', '', '', '', detailsOf(row, options)]);
    }
  });
  return table.map(cells => `${cells.map(cellOf).join(',')}\r\n`).join('');
}
