import { FIELD_CAPACITY } from '../../domain/constants.ts';
import { storage } from '../../domain/messages.ts';
import { cleanText } from '../../text/document.ts';
import { type Tracker, TrackerUnavailable } from '../tracker/client.ts';
import { type TrackerIssue, TrackerRefused, writeField } from '../tracker/issue.ts';

/** The form in which two texts of the field are compared: a rich-text field drops blanks at line ends and at its own. */
const settled = (text: string): string =>
  cleanText(text)
    .text.split('\n')
    .map(line => line.trimEnd())
    .join('\n')
    .trim();

const offScreen = /not on the appropriate screen/i;
const tooLong = /CONTENT_LIMIT_EXCEEDED|too long/i;

function notice(error: TrackerRefused, size: number): string {
  const reason = JSON.stringify(error.body ?? '');
  if (offScreen.test(reason)) return storage.fieldNotOnScreen;
  if (tooLong.test(reason)) return storage.fieldTooLarge(size, FIELD_CAPACITY);
  return storage.fieldRefused;
}

/**
 * Keeps our text field equal to the checklist. It never fails: what did not work comes back as notices, since the
 * checklist itself is stored by then.
 */
export async function mirrorField(
  tracker: Tracker,
  issueId: string,
  issue: TrackerIssue,
  ownField: string | undefined,
  text: string,
): Promise<string[]> {
  if (ownField === undefined) return [];
  const field = issue.fields.find(({ id }) => id === ownField);
  if (!field) return [storage.fieldNotOnScreen];
  if (settled(typeof field.value === 'string' ? field.value : '') === settled(text)) return [];
  if (text.length > FIELD_CAPACITY) return [storage.fieldTooLarge(text.length, FIELD_CAPACITY)];
  try {
    await writeField(tracker, issueId, ownField, text);
    return [];
  } catch (error) {
    if (error instanceof TrackerRefused) return [notice(error, text.length)];
    if (error instanceof TrackerUnavailable) return [storage.fieldRefused];
    throw error;
  }
}
