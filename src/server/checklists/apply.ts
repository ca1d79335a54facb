import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import type { ChecklistEdit } from '../../domain/edits.ts';
import { fieldErrors, validateName } from '../../domain/fields.ts';
import { storage } from '../../domain/messages.ts';
import { encodedSize } from '../../domain/storage.ts';
import { cleanText } from '../../text/document.ts';
import { performEdit } from '../../text/perform.ts';
import { readChecklist } from '../../text/read.ts';
import { Refused } from '../refused.ts';
import type { Change, ChangeRequest } from './types.ts';

/** Whatever is longer than the whole property cannot be stored; it is not worth parsing. */
function refuseOversized({ edit, base }: ChangeRequest): void {
  const sizes = [base.text ?? '', 'text' in edit ? edit.text : ''].map(text => encodedSize(text));
  const size = Math.max(...sizes);
  if (size <= 2 * PROPERTY_CAPACITY) return;
  throw new Refused('TOO_LARGE', storage.tooLarge(size, PROPERTY_CAPACITY), 'text');
}

/** The text that an edit makes of the one that it started from. Throws `Refused` or the edit's own typed errors. */
function applyEdit(base: string, edit: ChecklistEdit): string {
  const text = performEdit(readChecklist(base), edit);
  if (edit.kind !== 'updateChecklistFromText' || readChecklist(text).rows.length > 0) return text;
  throw new Refused('CHECKLIST_REQUIRED', fieldErrors.CHECKLIST_REQUIRED, 'text');
}

/** The name that an edit gives, as it is stored; `undefined` where it gives none. */
function nameOf(edit: ChecklistEdit): string | undefined {
  if (edit.kind !== 'updateChecklistFromText' || edit.name === undefined) return undefined;
  const name = cleanText(edit.name).text.trim().replace(/\s+/g, ' ');
  const code = validateName(name);
  if (code) throw new Refused(code, fieldErrors[code], 'name');
  return name;
}

/** What a request asks of the storage. Throws `Refused` where that can be said before anything is read. */
export function changeOf(request: ChangeRequest): Change {
  refuseOversized(request);
  const { issueId, clientId, base, edit } = request;
  return { issueId, clientId, base, kind: edit.kind, name: nameOf(edit), apply: text => applyEdit(text, edit) };
}
