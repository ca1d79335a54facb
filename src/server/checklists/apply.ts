import { fieldErrors, validateName } from '../../domain/fields.ts';
import { applyChanges, cleanText } from '../../text/document.ts';
import { deleteRow, insertRows, setStatus } from '../../text/edits.ts';
import { normaliseItems } from '../../text/normalise.ts';
import { readChecklist } from '../../text/read.ts';
import { Refused } from '../refused.ts';
import type { Edit } from './types.ts';

/** How many items a text has; headers are none. */
export const itemCount = (text: string): number =>
  readChecklist(text).rows.filter(({ kind }) => kind === 'checkbox').length;

/** The text that an edit makes of the one that it started from. Throws `Refused` or the edit's own typed errors. */
export function applyEdit(base: string, edit: Edit): string {
  if (edit.kind === 'updateChecklistFromText') {
    const { text } = cleanText(edit.text);
    if (readChecklist(text).rows.length > 0) return text;
    throw new Refused('CHECKLIST_REQUIRED', fieldErrors.CHECKLIST_REQUIRED, 'text');
  }
  const checklist = readChecklist(base);
  switch (edit.kind) {
    case 'addChecklistItemsFromText': {
      const end = checklist.rows.length;
      const index = Math.min(Math.max(edit.index ?? end, 0), end);
      return applyChanges(base, insertRows(checklist, index, normaliseItems(cleanText(edit.text).text)));
    }
    case 'setItemStatus':
      return applyChanges(base, setStatus(checklist, edit.target, edit.status));
    case 'deleteChecklistItem':
      return applyChanges(base, deleteRow(checklist, edit.target));
  }
}

/** The name that an edit gives, as it is stored; `undefined` where it gives none. */
export function nameOf(edit: Edit): string | undefined {
  if (edit.kind !== 'updateChecklistFromText' || edit.name === undefined) return undefined;
  const name = cleanText(edit.name).text.trim().replace(/\s+/g, ' ');
  const code = validateName(name);
  if (code) throw new Refused(code, fieldErrors[code], 'name');
  return name;
}
