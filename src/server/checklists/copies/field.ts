import { FIELD_CAPACITY } from '../../../domain/constants.ts';
import { storage } from '../../../domain/messages.ts';
import { cleanText } from '../../../text/document.ts';
import { hashText } from '../../common/hash.ts';
import { writeJson } from '../../common/json.ts';
import type { TrackerRefused } from '../../errors/tracker.ts';
import type { TrackerIssue } from '../../platform/tracker/issue.ts';
import { flatText } from '../../platform/tracker/richtext.ts';
import type { FieldText } from '../revisions.ts';

/** Bullets in the notation of a rich-text field. */
const bullet = /^\*+(?=[ \t])/gm;

/** The field's value as lines of a checklist; `undefined` where the issue lacks the field. */
export function fieldOf({ fields }: TrackerIssue, id: string | undefined): FieldText | undefined {
  const field = fields.find(each => each.id === id);
  if (!field) return undefined;
  const { text } = cleanText(flatText(field.value) ?? '');
  return { id: field.id, text: text.replace(bullet, '-') };
}

/** Normalizes a field's text for comparison: the tracker changes spaces and blank lines. */
const normalized = (text: string): string =>
  cleanText(text)
    .text.replace(bullet, '-')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** Whether two texts of the field are equal up to the tracker's normalization. */
export const sameField = (one: string, other: string): boolean => normalized(one) === normalized(other);

/** Identifies the app's own writes of the field. */
export const fieldMark = (text: string): string => hashText(normalized(text));

const offScreen = /not on the appropriate screen/i;
const tooLong = /CONTENT_LIMIT_EXCEEDED|too long/i;

/** Why a field write of the newest text can have no effect until something else changes; `undefined` for other refusals. */
export function fieldRefusal(error: TrackerRefused): 'screen' | 'size' | undefined {
  const reason = writeJson(error.body ?? '');
  if (offScreen.test(reason)) return 'screen';
  return tooLong.test(reason) ? 'size' : undefined;
}

/** The user's message for a field write of this size that the tracker refused. */
export function fieldNotice(error: TrackerRefused, size: number): string {
  const refusal = fieldRefusal(error);
  if (refusal === 'screen') return storage.fieldNotOnScreen;
  return refusal === 'size' ? storage.fieldTooLarge(size, FIELD_CAPACITY) : storage.fieldRefused;
}
