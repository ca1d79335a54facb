import { builtInStatuses } from '../../domain/statuses.ts';
import { replaceText } from '../document.ts';
import { ambiguousText, EditRefused } from '../errors.ts';
import { readChecklist } from '../read.ts';
import { rangeOf, sourceOf } from '../rows.ts';
import type { Checklist, HeaderRow, Target, TextChange } from '../types.ts';
import { itemOf, partsOf, readsAs } from './parts.ts';

/*
 * Edits that make a header of an item, an item of a detail, and back. What the words say stays; a status, which only
 * items have, goes.
 */

const indentOf = (line: string) => /^[ \t\xa0]*/.exec(line)?.[0] ?? '';

/** A mark with the blank that it needs before words. */
const before = (mark: string, words: string) => (words === '' ? mark : `${mark} `);

/** Whether a line of these words is an open item that says just that. */
const readsAsOpen = (checklist: Checklist, line: string, text: string) =>
  readsAs(checklist, line, { status: builtInStatuses[0], mandatory: false, text }) !== undefined;

/** Gives a header another level. Throws `EditRefused` on an item. */
export function setLevel(checklist: Checklist, target: Target, level: HeaderRow['level']): TextChange[] {
  const { row, from, head } = partsOf(checklist, target);
  if (row.kind !== 'header') throw new EditRefused('NOT_A_HEADER', 'Only a header has a level.');
  const start = from + indentOf(head).length;
  if (level > row.level) return [{ from: start, insert: '#'.repeat(level - row.level) }];
  return level < row.level ? [{ from: start, to: start + row.level - level }] : [];
}

/** Makes an item a header of that level; its status and `!` go, its details stay. A header only gets the level. */
export function makeHeader(checklist: Checklist, target: Target, level: HeaderRow['level']): TextChange[] {
  const { row, from, head, content } = partsOf(checklist, target);
  if (row.kind === 'header') return setLevel(checklist, target, level);
  return replaceText(head, indentOf(head) + before('#'.repeat(level), content), from);
}

/** Whether a line's former head, perhaps with blank lines above, makes an item of these words again. */
function isFormer(checklist: Checklist, former: string | undefined, content: string, words: string): former is string {
  if (former === undefined) return false;
  const { rows } = readChecklist(former + content, checklist.statuses);
  return rows.length === 1 && rows[0]?.kind === 'checkbox' && rows[0].text === words;
}

/**
 * Makes a header an open item, or, given the head that its line had before, that item. Nothing to do on an item. Throws
 * `EditRefused` if its words begin like a status or `!`.
 */
export function makeItem(checklist: Checklist, target: Target, former?: string): TextChange[] {
  const { row, from, head, content } = partsOf(checklist, target);
  if (row.kind === 'checkbox') return [];
  if (isFormer(checklist, former, content, row.text)) return replaceText(head, former, from);
  const item = head.replace(/#+/, '-');
  if (!readsAsOpen(checklist, item + content, row.text)) throw ambiguousText();
  return replaceText(head, item, from);
}

/** The text that `makeDetail` replaces: the blank lines above an item, and its head. */
export function headOf(checklist: Checklist, target: Target): { from: number; text: string } {
  const { index, from, head } = partsOf(checklist, target);
  const above = index === 0 ? from : rangeOf(checklist, index - 1).to;
  return { from: above, text: checklist.text.slice(above, from) + head };
}

/**
 * Makes an item, with its details, details of the row above; blank lines between the two go. Throws `EditRefused` on a
 * header, and if no row is above.
 */
export function makeDetail(checklist: Checklist, target: Target): TextChange[] {
  const { index, head, content } = itemOf(checklist, target);
  if (index === 0) throw new EditRefused('NOTHING_ABOVE', 'There is no item above for a detail.');
  const { from, text } = headOf(checklist, target);
  return replaceText(text, indentOf(head) + before('>', content), from);
}

/**
 * Makes one detail of a row an open item, or, given the head that its line had before, that item; the details below it
 * become the item's. Throws `EditRefused` if its words begin like a status or `!`, and if there is no such detail.
 */
export function detachDetail(checklist: Checklist, target: Target, detail: number, former?: string): TextChange[] {
  const { row, index } = partsOf(checklist, target);
  const targetDetail = row.details[detail];
  if (!targetDetail) throw new EditRefused('NO_DETAIL', 'There is no such detail.');
  const source = sourceOf(checklist, index);
  const start = source.lastIndexOf('\n', targetDetail.from - 1) + 1;
  const head = source.slice(start, targetDetail.from);
  const at = rangeOf(checklist, index).from + start;
  if (isFormer(checklist, former, targetDetail.text, targetDetail.text)) return replaceText(head, former, at);
  const [, indent = '', blanks = ''] = /^([ \t\xa0]*)>([ \t\xa0]*)$/.exec(head) ?? [];
  const item = `${indent}-${blanks === '' && targetDetail.text !== '' ? ' ' : blanks}`;
  if (!readsAsOpen(checklist, item + targetDetail.text, targetDetail.text)) throw ambiguousText();
  return replaceText(head, item, at);
}
