import { FIELD_CAPACITY } from '../../../domain/constants.ts';
import { storage } from '../../../domain/messages.ts';
import { cleanText } from '../../../text/document.ts';
import { hashText } from '../../common/hash.ts';
import type { TrackerRefused } from '../../errors/tracker.ts';
import type { TrackerIssue } from '../../platform/tracker/issue.ts';
import { flatText } from '../../platform/tracker/richtext.ts';
import type { FieldText } from '../revisions.ts';

/** A rich-text field keeps bullets as its own notation writes them. */
const bullet = /^\*+(?=[ \t])/gm;

/** What an issue's field holds, as the lines of a checklist; `undefined` where the field is not on the issue. */
export function fieldOf({ fields }: TrackerIssue, id: string | undefined): FieldText | undefined {
  const field = fields.find(each => each.id === id);
  if (!field) return undefined;
  const { text } = cleanText(flatText(field.value) ?? '');
  return { id: field.id, text: text.replace(bullet, '-') };
}

/** The form in which two texts of the field are compared: it tidies up blanks and blank lines. */
const settled = (text: string): string =>
  cleanText(text)
    .text.replace(bullet, '-')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** Whether the field, holding the one, need not be written to hold the other. */
export const sameField = (one: string, other: string): boolean => settled(one) === settled(other);

/** By what a text that we write there is known again. */
export const fieldMark = (text: string): string => hashText(settled(text));

const offScreen = /not on the appropriate screen/i;
const tooLong = /CONTENT_LIMIT_EXCEEDED|too long/i;

/** Why the tracker did not take a text of that size, in words for people. */
export function fieldNotice(error: TrackerRefused, size: number): string {
  const reason = JSON.stringify(error.body ?? '');
  if (offScreen.test(reason)) return storage.fieldNotOnScreen;
  if (tooLong.test(reason)) return storage.fieldTooLarge(size, FIELD_CAPACITY);
  return storage.fieldRefused;
}
