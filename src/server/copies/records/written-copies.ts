import { type RawBuilder, sql } from 'kysely';
import type { TenantIssue } from '../../checklists/read/revisions.ts';
import { statement } from '../../store/statement.ts';
import { afterRefusal, type CopyName, type CopyRefusal, type RetryPause } from '../refusals.ts';
import { type Copies, updateCopies } from './run.ts';

/** The revision that is written to a copy. */
type At = TenantIssue & { epoch: string; seq: number };

/** Clears a due time if the revision is still the newest one, or sets it to `then`. */
const doneAt = (
  { tenant, issue, epoch, seq }: At,
  due: 'property_due' | 'field_due' | 'field_since',
  then: RawBuilder<unknown> = sql`null`,
) =>
  sql<Date | null>`case when exists (select from checklist where tenant = ${tenant} and issue = ${issue}
    and epoch = ${epoch} and seq = ${seq}) then ${then} else ${sql.ref(due)} end`;

/** A copy that was not written: why, and minutes until the next tries. */
export type RefusedCopy = { refused: CopyRefusal; notice: string | null } & RetryPause;

/** The columns of a copy's pause after a further refusal. */
export const paused = (copy: CopyName, pause: RetryPause) =>
  afterRefusal(pause, { tries: sql.ref(`${copy}_tries`), retry: sql.ref(`${copy}_retry`) });

/** Seconds within which the echo of an own write arrives. */
const ECHO_SECONDS = 60;

/** Records a write of the property as pending. */
export const beginProperty = statement((db, values: At) => {
  const { epoch, seq } = values;
  return updateCopies(db, values).set({
    ...{ pending_epoch: epoch, pending_seq: seq, property_written: sql<Date>`now()` },
    property_due: doneAt(values, 'property_due'),
    echoes: sql<number>`case when echoes_until > now() then echoes + 1 else 1 end`,
    echoes_until: sql<Date>`now() + make_interval(secs => ${sql.lit(ECHO_SECONDS)})`,
  });
});

/** Hashes of a property's value and of the statuses that it was made with. */
interface Written {
  print: string;
  registry: string;
}

/** Records that the property holds the revision. */
export const confirmProperty = statement((db, values: At & Written & { verdict: string; watch: string }) => {
  const { epoch, seq, print, registry, verdict, watch } = values;
  return updateCopies(db, values).set({
    ...{ confirmed_epoch: epoch, confirmed_seq: seq, pending_epoch: null, pending_seq: null, verdict, watch },
    ...{ property_seen: null, property_print: print, property_registry: registry },
    ...{ swaps: 0, missing: null },
    ...{ property_notice: null, property_refused: null, property_tries: 0 },
  });
});

/**
 * Records a write of the property with unknown outcome: the issue is read before the next write, and at any event of the
 * property.
 */
export const doubtProperty = statement((db, values: TenantIssue & { isSwap: boolean }) =>
  updateCopies(db, values).set({
    swaps: sql<number>`swaps + ${values.isSwap}::boolean::int`,
    hints: sql<number>`hints + 1`,
    property_due: sql<Date>`now()`,
    echoes: 0,
  }),
);

const unwritten = {
  ...{ pending_epoch: null, pending_seq: null },
  echoes: sql<number>`greatest(echoes - 1, 0)`,
};

/** Records a write of the property that had no effect: it stays due. */
export const failProperty = statement((db, values: TenantIssue) =>
  updateCopies(db, values).set({ ...unwritten, property_due: sql<Date>`coalesce(property_due, now())` }),
);

/** Records that the property was refused, with a notice for users. It is due again later, at a newer revision's time if there is one. */
export const refuseProperty = statement((db, values: TenantIssue & RefusedCopy) => {
  const { tries, retry } = paused('property', values);
  return updateCopies(db, values).set({
    ...unwritten,
    property_due: sql<Date>`coalesce(property_due, ${retry})`,
    property_notice: values.notice,
    property_refused: values.refused,
    property_tries: tries,
    property_retry: retry,
  });
});

/**
 * Records that the tracker refused a read before a write, which keeps the due copies from being written: the property, and
 * the field where it was due, count as refused. The read is due again later, at once with a revision after `newest`. A try
 * before its time makes no pause longer.
 */
export const refuseRead = statement((db, values: TenantIssue & RefusedCopy & Pick<Copies, 'newest'>) => {
  const { tenant, issue, newest, notice, refused } = values;
  const isNewest = sql`(select seq from checklist where tenant = ${tenant} and issue = ${issue})
    is not distinct from ${newest}::integer`;
  const isFieldKept = sql`${isNewest} and field_due <= now()`;
  const { tries, retry } = paused('property', values);
  return updateCopies(db, values).set({
    property_due: sql<Date>`case when ${isNewest} then ${retry} else coalesce(property_due, now()) end`,
    field_due: sql<Date | null>`case when ${isFieldKept} then ${retry} else field_due end`,
    field_refused: sql<CopyRefusal | null>`case when ${isFieldKept} then ${refused}::text else field_refused end`,
    property_notice: notice,
    property_refused: refused,
    property_tries: tries,
    property_retry: retry,
  });
});

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
