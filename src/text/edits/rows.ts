import { cleanText } from '../document.ts';
import { EditRefused } from '../errors.ts';
import { sections } from '../progress.ts';
import { locate, rangeOf, targetOf } from '../rows.ts';
import type { Checklist, Target, TextChange } from '../types.ts';

/*
 * Edits of whole rows. Blank lines above a row move with it, so that moving back restores the text; blank lines at the
 * end stay. A text without a final line break keeps that.
 */

/**
 * The start of the row at `index`, the blank lines above it included; for the number of rows, the end of the last row.
 */
const boundary = (checklist: Checklist, index: number) => (index === 0 ? 0 : rangeOf(checklist, index - 1).to);

const endsLine = (text: string) => /[\n\r]$/.test(text);

/**
 * The index of a `>` that would make this line a detail if a row came directly above it, relative to the text's start.
 */
function orphanAt(text: string): number | undefined {
  return /^[ \t\xa0]*(?=>)/.exec(text)?.[0].length;
}

const withMark = (text: string, at: number) => `${text.slice(0, at)}- ${text.slice(at)}`;

/** Whether a text has rows, which each line is that is not blank. Does not read them. */
export const hasRows = (text: string): boolean => /[^ \t\r\n]/.test(text);

/**
 * Inserts lines as rows before the row at `index`; the number of rows means the end. A first line that would become a
 * detail of the row above gets a mark. Text without any row inserts nothing.
 */
export function insertRows(checklist: Checklist, index: number, text: string): TextChange[] {
  const cleaned = cleanText(text).text;
  if (!hasRows(cleaned)) return [];
  const lines = cleaned.replace(/^(?:[ \t\xa0]*\n)+|(?:\n[ \t\xa0]*)+$/g, '');
  const place = Math.min(Math.max(index, 0), checklist.rows.length);
  const from = boundary(checklist, place);
  const orphan = place > 0 ? orphanAt(lines) : undefined;
  const block = orphan === undefined ? lines : withMark(lines, orphan);
  if (checklist.text === '') return [{ from, insert: block }];
  if (from > 0 && !endsLine(checklist.text.slice(0, from))) return [{ from, insert: `\n${block}` }];
  // A blank line keeps an item that starts with `>`, on the first line, from becoming a detail.
  const below = orphanAt(checklist.text.slice(from)) === undefined ? '\n' : '\n\n';
  return [{ from, insert: block + below }];
}

/** Deletes a row with its details. Blank lines stay. */
export function deleteRow(checklist: Checklist, target: Target): TextChange[] {
  const { from, to } = rangeOf(checklist, locate(checklist, target));
  return [{ from, to }];
}

/**
 * Moves rows with their details, in text order, before the row at `index` as counted before the move; the number of rows
 * means the end. A row that starts with `>` gets a mark if it would otherwise become a detail.
 */
export function moveRows(checklist: Checklist, targets: readonly Target[], index: number): TextChange[] {
  const { text, rows } = checklist;
  const picked = [...new Set(targets.map(target => locate(checklist, target)))].sort((a, b) => a - b);
  const place = Math.min(Math.max(index, 0), rows.length);
  // Rows next to the place stay; what comes from above goes before them, what comes from below after them.
  let first = place;
  let last = place;
  const above = picked.filter(row => row < place);
  const below = picked.filter(row => row >= place);
  while (above.at(-1) === first - 1) first = above.pop() ?? first;
  while (below[0] === last) last = (below.shift() ?? last) + 1;
  const moving = [...above, ...below];
  if (moving.length === 0) return [];

  const end = boundary(checklist, rows.length);
  const open = !endsLine(text.slice(0, end));
  const blockOf = (row: number) => {
    const block = text.slice(boundary(checklist, row), rangeOf(checklist, row).to);
    const orphan = row === 0 ? orphanAt(block) : undefined;
    const lines = orphan === undefined ? block : withMark(block, orphan);
    return endsLine(lines) ? lines : `${lines}\n`;
  };
  const insertAt = (row: number, blocks: readonly number[]): TextChange[] => {
    if (blocks.length === 0) return [];
    const lines = blocks.map(blockOf).join('');
    const from = boundary(checklist, row);
    return [{ from, insert: open && from === end ? `\n${lines.replace(/\r?\n$|\r$/, '')}` : lines }];
  };
  const removals = moving.map(row => ({ from: boundary(checklist, row), to: rangeOf(checklist, row).to }));
  if (open && moving.includes(rows.length - 1)) takeBreak(text, removals);
  const displaced = last === 0 ? orphanAt(text) : undefined;
  const mark = displaced === undefined ? [] : [{ from: displaced, insert: '- ' }];
  const inserts = first === last ? insertAt(first, moving) : [...insertAt(first, above), ...insertAt(last, below)];
  return [...removals, ...inserts, ...mark].sort((a, b) => a.from - b.from);
}

/** A header and the rows that it owns. Throws `EditRefused` on an item. */
export function sectionOf(checklist: Checklist, target: Target): Target[] {
  const header = locate(checklist, target);
  const section = sections(checklist).find(found => found.header === header);
  if (!section) throw new EditRefused('NOT_A_HEADER', 'Only a header has a section.');
  return Array.from({ length: section.end - header }, (_, i) => targetOf(checklist, header + i));
}

/**
 * Moves a header with the rows that it owns before the row at `index` as counted before the move; an index inside the
 * section changes nothing. Throws `EditRefused` on an item.
 */
export const moveSection = (checklist: Checklist, target: Target, index: number): TextChange[] =>
  moveRows(checklist, sectionOf(checklist, target), index);

/** Deletes everything, blank lines too. */
export const clear = ({ text }: Checklist): TextChange[] => (text === '' ? [] : [{ from: 0, to: text.length }]);

/**
 * If the last rows are removed from a text without a final line break, removes the line break of the row that becomes
 * the last one too.
 */
function takeBreak(text: string, removals: { from: number; to: number }[]): void {
  let i = removals.length - 1;
  while (removals[i - 1]?.to === removals[i]?.from) i--;
  const removal = removals[i];
  if (removal) removal.from -= /\r\n$/.test(text.slice(0, removal.from)) ? 2 : 1;
}
