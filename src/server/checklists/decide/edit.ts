import { type ChecklistChange, keepsRows, rowIdsAfter, typedTexts } from '../../../domain/change.ts';
import { fieldErrors, validateName } from '../../../domain/fields.ts';
import { isStarter } from '../../../domain/templates/starters.ts';
import { cleanName } from '../../../text/document.ts';
import { Refused } from '../../errors/refused.ts';
import type { TemplateUses } from '../../templates/uses.ts';
import type { BackgroundEdit, Edit, Proposal } from './types.ts';

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

/** The ids of the edited text's rows, if the edit says them, '' for a row without one. `base` are the ids of the base's rows. */
export function rowIdsOf(edit: Edit, base: readonly string[]): readonly string[] | undefined {
  if (edit.kind === 'restoreChecklistRevision') return 'text' in edit.source ? edit.source.rows : undefined;
  if (isBackground(edit)) return keepsRowIds(edit) ? base : undefined;
  return rowIdsAfter(edit, base);
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

/** For how many characters a change of a row without text of its own counts. */
const ROW_CHARS = 32;

/** About how many characters a proposal brings. */
export function sizeOf({ edit, base }: Pick<Proposal, 'edit' | 'base'>): number {
  const typed = isBackground(edit) ? [] : typedTexts(edit);
  const source = 'source' in edit && 'text' in edit.source ? edit.source.text : '';
  const rows = rowListOf(edit)?.[1] ?? 0;
  return typed.join('').length + ROW_CHARS * rows + source.length + (base.text?.length ?? 0);
}
