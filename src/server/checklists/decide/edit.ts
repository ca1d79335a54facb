import { type ChecklistChange, keepsRows, typedTexts } from '../../../domain/change.ts';
import { fieldErrors, validateName } from '../../../domain/fields.ts';
import { storage } from '../../../domain/messages.ts';
import { isStarter } from '../../../domain/templates/starters.ts';
import { demoTemplate } from '../../../domain/templates.ts';
import { applyChanges, cleanName } from '../../../text/document.ts';
import { erasePerson } from '../../../text/edits/erase-person.ts';
import { relabel } from '../../../text/edits/relabel.ts';
import { addIssueKey, applyTemplate, setStatus } from '../../../text/edits.ts';
import { merge } from '../../../text/merge.ts';
import { performEdit, rowIdsAfter } from '../../../text/perform.ts';
import { plainText } from '../../../text/plain-text.ts';
import { locate, rowAt, targetOf } from '../../../text/rows.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import type { Checklist, Row } from '../../../text/types.ts';
import { Refused, refusedBy } from '../../errors/refused.ts';
import type { TemplateUses } from '../../templates/uses.ts';
import { readText } from '../../text-workers/reading.ts';
import type { BackgroundEdit, Conversion, Edit, ItemToConvert, Proposal, SourceText, UserEdit } from './types.ts';

/** A text that was read from the tracker. */
export type ReadText = Extract<BackgroundEdit, { kind: 'foreignProperty' | 'foreignField' | 'inherited' }>;

export const isReadText = (edit: Edit): edit is ReadText =>
  edit.kind === 'foreignProperty' || edit.kind === 'foreignField' || edit.kind === 'inherited';

export const isBackground = (edit: Edit): edit is BackgroundEdit =>
  isReadText(edit) ||
  edit.kind === 'joinInherited' ||
  edit.kind === 'followIssue' ||
  edit.kind === 'bringStatuses' ||
  edit.kind === 'erasePerson';

/** Whether each row of the text keeps the id at its index as long as the number of rows is the same. */
export const keepsRowIds = (edit: Edit): boolean =>
  edit.kind === 'followIssue' || edit.kind === 'convertItemToIssue' || (!isBackground(edit) && keepsRows(edit));

const rowless: readonly Edit['kind'][] = ['deleteChecklistItem', 'clearChecklist', 'moveChecklistItem'];
export const addsNoRow = (edit: Edit): boolean => keepsRowIds(edit) || rowless.includes(edit.kind);

/**
 * The ids of the edited text's rows, if the edit says them, '' for a row without one. `base` are the ids of the base's rows;
 * with the base's `checklist`, edits that delete or move rows say them, too.
 */
export function rowIdsOf(edit: Edit, base: readonly string[], checklist?: Checklist): readonly string[] | undefined {
  if (edit.kind === 'restoreChecklistRevision') return 'text' in edit.source ? edit.source.rows : undefined;
  if (isBackground(edit)) return keepsRowIds(edit) ? base : undefined;
  return rowIdsAfter(edit, base, checklist);
}

/** The entry in the history. */
export function entryOf(edit: Edit): string {
  if (edit.kind === 'joinInherited') return 'inherited';
  return 'log' in edit && edit.log !== undefined ? edit.log : edit.kind;
}

/** The checklist's new name in stored form; `undefined` if the edit does not change it. Throws `Refused`. */
export function nameOf(edit: Edit): string | undefined {
  if (!('name' in edit) || edit.name === undefined) return undefined;
  if (isReadText(edit)) return edit.name;
  const name = cleanName(edit.name);
  const code = validateName(name);
  if (code) throw new Refused(code, fieldErrors[code], 'name');
  return name;
}

/** How the edit changes the templates that the issue uses; `undefined` if it does not. */
export function usesOf(edit: Edit): TemplateUses | undefined {
  const added =
    edit.kind === 'applyTemplateToChecklist' ? [...new Set(edit.templateIds)].filter(id => !isStarter(id)) : [];
  const isReplaced = 'mode' in edit && edit.mode === 'REPLACE' && !edit.section;
  const emptied = edit.kind === 'clearChecklist' || isReplaced;
  return added.length > 0 || emptied ? { added, emptied } : undefined;
}

/** The name and length of an edit's list of rows. A section is moved by its header. */
export function rowListOf(edit: Edit | ChecklistChange): [name: string, length: number] | undefined {
  if (edit.kind === 'moveChecklistItem') return ['targets', edit.targets.length];
  return edit.kind === 'changeChecklistItems' ? ['edits', edit.edits.length] : undefined;
}

/** A change of a row without text of its own counts as this many characters. */
const ROW_CHARS = 32;

/** About how many characters a proposal brings. */
export function sizeOf({ edit, base }: Pick<Proposal, 'edit' | 'base'>): number {
  const typed = isBackground(edit) ? [] : typedTexts(edit);
  const source = 'source' in edit && 'text' in edit.source ? edit.source.text : '';
  const rows = rowListOf(edit)?.[1] ?? 0;
  return typed.join('').length + ROW_CHARS * rows + source.length + (base.text?.length ?? 0);
}

/** The tracker's limit of an issue's summary, in UTF-16 units. */
const MAX_SUMMARY_LENGTH = 255;

/** An item's text on one line, without markup and mentions. */
function summaryOf(checklist: Checklist, index: number): string {
  if (rowAt(checklist, index).kind === 'header') throw new Refused('NOT_AN_ITEM', storage.headerNoIssue, 'target');
  const text = plainText(checklist, index);
  if (text === '') throw new Refused('REQUIRED', fieldErrors.REQUIRED, 'target');
  // A surrogate pair is not cut in half.
  return text
    .slice(0, MAX_SUMMARY_LENGTH)
    .replace(/\p{Surrogate}$/u, '')
    .trim();
}

/** Finds the item that a conversion is about. Throws `Refused` if it cannot be an issue, and `ChangedMeanwhile`. */
export function itemToConvert({ target }: Conversion, checklist: Checklist, rowIds: readonly string[]): ItemToConvert {
  const index = locate(checklist, target);
  return { row: rowIds[index] ?? null, summary: summaryOf(checklist, index) };
}

/** Returns the text that the server has loaded. Throws `Refused` if there is none. */
function loadedText(source: SourceText): string {
  if ('refusal' in source) throw refusedBy(source.refusal);
  return source.text;
}

/** The index of the item that follows an issue: the converted item while it names the issue, else the only one that begins with its key. */
function followingIndex({ rows }: Checklist, rowIds: readonly string[], row: string | null, key: string): number {
  const namesIssue = (each: Row) => each.kind === 'checkbox' && each.issueKeys.includes(key);
  const converted = row === null ? -1 : rows.findIndex((each, index) => rowIds[index] === row && namesIssue(each));
  if (converted >= 0) return converted;
  const beginning = rows.flatMap((each, index) => (namesIssue(each) && each.text.startsWith(key) ? index : []));
  return beginning.length === 1 ? (beginning[0] ?? -1) : -1;
}

/** Sets the item by its issue. An item that was completed otherwise, or is no longer there, stays. */
function follow(
  checklist: Checklist,
  rowIds: readonly string[],
  { row, key, done }: Extract<Edit, { kind: 'followIssue' }>,
): string {
  const { text, rows } = checklist;
  const index = followingIndex(checklist, rowIds, row, key);
  const item = rows[index];
  if (item?.kind !== 'checkbox') return text;
  const applies = done ? !item.status.checked : item.status.slug === 'done';
  return applies ? applyChanges(text, setStatus(checklist, targetOf(checklist, index), done ? 'done' : 'todo')) : text;
}

/** Adds the rows of another edition's checklist that are missing; none if an earlier text had all: then they were deleted here. */
function join(
  base: string,
  { text, earlier }: Extract<Edit, { kind: 'joinInherited' }>,
  statuses: StatusRegistry,
): string {
  for (const each of earlier) {
    const joined = merge('', each, text, statuses);
    if (joined.text === each) return base;
  }
  return merge('', base, text, statuses).text;
}

function placeTemplate(
  checklist: Checklist,
  template: string,
  { mode, section }: Extract<Edit, { kind: 'applyTemplateToChecklist' | 'applyDemoTemplateToChecklist' }>,
): string {
  const place = { replace: mode === 'REPLACE', ...(section && { header: section }) };
  return applyChanges(checklist.text, applyTemplate(checklist, template, place));
}

function applyBackgroundEdit(checklist: Checklist, edit: BackgroundEdit, rowIds: readonly string[]): string {
  const { text, statuses } = checklist;
  switch (edit.kind) {
    case 'foreignProperty':
    case 'foreignField':
    case 'inherited':
      return edit.text;
    case 'joinInherited':
      return join(text, edit, statuses);
    case 'erasePerson':
      return erasePerson(text, edit.account);
    case 'bringStatuses':
      return applyChanges(text, relabel(checklist, new Map(edit.moves)));
    case 'followIssue':
      return follow(checklist, rowIds, edit);
  }
}

function applyUserEdit(checklist: Checklist, edit: UserEdit): string {
  const { text, statuses } = checklist;
  switch (edit.kind) {
    case 'restoreChecklistRevision':
      return loadedText(edit.source);
    case 'applyTemplateToChecklist':
      return placeTemplate(checklist, loadedText(edit.source), edit);
    case 'applyDemoTemplateToChecklist':
      return placeTemplate(checklist, demoTemplate.text, edit);
    case 'convertItemToIssue': {
      const { target, issueKey, replaces } = edit;
      if (issueKey === undefined) return text;
      return applyChanges(text, addIssueKey(checklist, target, issueKey, replaces));
    }
    default: {
      const edited = performEdit(checklist, edit);
      if (edit.kind !== 'updateChecklistFromText') return edited;
      const { rows } = readText(edited, statuses, text);
      if (rows.length === 0) throw new Refused('CHECKLIST_REQUIRED', fieldErrors.CHECKLIST_REQUIRED, 'text');
      return edited;
    }
  }
}

/**
 * Returns the text that an edit makes of its base. `rowIds` are the persistent ids of the base's rows, as far as they
 * are known. Throws `Refused` and the errors of edits (text/errors.ts).
 */
export function applyEdit(base: string, edit: Edit, statuses: StatusRegistry, rowIds: readonly string[]): string {
  const checklist = readText(base, statuses);
  return isBackground(edit) ? applyBackgroundEdit(checklist, edit, rowIds) : applyUserEdit(checklist, edit);
}
