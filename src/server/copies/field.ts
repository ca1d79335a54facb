import { sql } from 'kysely';
import { FIELD_CAPACITY } from '../../domain/constants.ts';
import { storage } from '../../domain/messages.ts';
import type { TenantIssue } from '../checklists/read/revisions.ts';
import { normalizedField } from '../checklists/read/stored.ts';
import { TrackerRefused } from '../errors/tracker.ts';
import { writeJson } from '../platform/json.ts';
import { statement } from '../store/statement.ts';
import { hashText } from '../text-workers/hash.ts';
import { type At, doneAt, paused, type RefusedCopy, updateCopies } from './records/run.ts';

/** Identifies the app's own writes of the field. */
export const fieldMark = (text: string): string => hashText(normalizedField(text));

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

/** Id of the field that mirrors a site's checklists, undefined if there is none; or why the tracker does not list its fields. */
export type FieldLookup = { id: string | undefined; refusal?: undefined } | { id?: undefined; refusal: TrackerRefused };

/** Looks up the field. A refused lookup concerns the field alone: the property is read and written without it. */
export async function lookUpField({ field }: { field(): Promise<string | undefined> }): Promise<FieldLookup> {
  try {
    return { id: await field() };
  } catch (error) {
    if (error instanceof TrackerRefused && error.status >= 300) return { refusal: error };
    throw error;
  }
}

/**
 * How a read finds the field: not at all; with a text that was left out of the checklist; with the newest revision's
 * text; with an older or a foreign one, and is written; or with a text that needs no write, such as the tracker's own form
 * of the app's.
 */
export type FieldFound = 'unread' | 'leftOut' | 'equal' | 'behind' | 'kept';

/*
 * The states of the field, and the statements that lead to them. It is due (`field_due`) from a change on, pending
 * (`field_pending`) while a write has no answer, then confirmed (`field_seq`), refused, or dropped where the site has no
 * field. A read of the issue settles it (`recordRead`).
 */

/** Records a write of the field as pending, by its mark (`fieldMark`). */
export const beginField = statement((db, values: TenantIssue & { mark: string }) =>
  updateCopies(db, values).set({ field_pending: values.mark }),
);

/** Records that the field holds the text. */
export const confirmField = statement((db, values: At & { field: string; text: string; isWritten: boolean }) =>
  updateCopies(db, values).set({
    ...{ field_due: doneAt(values, 'field_due'), field_since: doneAt(values, 'field_since') },
    ...{ field: values.field, field_text: values.text, field_pending: null, notice: null },
    ...{ field_epoch: values.epoch, field_seq: values.seq, field_refused: null, field_tries: 0 },
    field_written: sql<Date | null>`case when ${values.isWritten}::boolean then now() else field_written end`,
  }),
);

/** Clears the field's due time: the checklist is not mirrored in a field. */
export const dropField = statement((db, values: At) =>
  updateCopies(db, values).set({
    ...{ field_due: doneAt(values, 'field_due'), field_since: doneAt(values, 'field_since') },
    ...{ field_pending: null, notice: null, field_refused: null, field_tries: 0 },
  }),
);

/** Records that the field was refused, with a notice for users. It is due again later. */
export const refuseField = statement((db, values: At & RefusedCopy) => {
  const { tries, retry } = paused('field', values);
  return updateCopies(db, values).set({
    field_due: doneAt(values, 'field_due', retry),
    field_since: doneAt(values, 'field_since'),
    ...{ field_pending: null, notice: values.notice, field_refused: values.refused },
    ...{ field_tries: tries, field_retry: retry },
  });
});
