import { sql } from 'kysely';
import type { TenantIssue } from '../checklists/read/revisions.ts';
import { statement } from '../store/statement.ts';
import { type At, type Copies, doneAt, paused, type RefusedCopy, updateCopies } from './records/run.ts';
import type { CopyRefusal } from './refusals.ts';

/**
 * How a read finds the property: it holds the newest revision; it lacks it, and is written; it holds the newest text
 * in a foreign value, which was overwritten once and is left now; or the app writes no property of this checklist.
 */
export type PropertyFound = 'equal' | 'behind' | 'left' | 'unwanted';

/*
 * The states of the property, and the statements that lead to them. It is due (`property_due`) from a change on, pending
 * (`pending_seq`) while a write has no answer, then confirmed (`confirmed_seq`), doubted, due again, or refused. A read
 * of the issue settles it (`recordRead`).
 */

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
