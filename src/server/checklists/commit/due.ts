import { type CompiledQuery, sql } from 'kysely';
import type { Queue } from '../../queue/queue.ts';
import { statement } from '../../store/statement.ts';
import type { State } from '../decide/state.ts';
import type { TenantIssue } from '../read/revisions.ts';

/*
 * Whether a copy in the tracker has to be written follows from what is stored of it; when, from its job alone. These
 * conditions read `checklist` with `sync`.
 */

/** Whether a copy is known to hold another revision than the newest one. */
export const isPropertyOld = sql<boolean>`((sync.confirmed_epoch, sync.confirmed_seq) is distinct from (checklist.epoch, checklist.seq))`;
export const isFieldOld = sql<boolean>`((sync.field_epoch, sync.field_seq) is distinct from (checklist.epoch, checklist.seq)
  and sync.field_seq is not null and (select mirror from tenant where tenant.tenant = sync.tenant))`;

const isWritten = sql`checklist.mirrored and checklist.seq > 0`;
/** Whether a copy has to be written. A field that was never read becomes due with a change only. */
export const isPropertyDue = sql<boolean>`(${isWritten} and (sync.property_wanted or ${isPropertyOld}))`;
export const isFieldDue = sql<boolean>`(${isWritten} and (sync.field_wanted or ${isFieldOld}))`;

/** Whether the tracker may hold a value that was not read yet. */
export const isUnread = sql<boolean>`(sync.hints > sync.hints_read or sync.pending_seq is not null)`;

/** Whether a copy has a job of its own, which writes it at its time. */
export const isScheduled = (job: 'write-property' | 'write-field') => sql<boolean>`exists (select from queue
  where queue.tenant = sync.tenant and queue.key = sync.issue and queue.name = ${sql.lit(job)} and queue.failed is null)`;

/** The property is written this long after a change, and at least this long after its last write. */
const PROPERTY_DELAY_MS = 1_000;
const PROPERTY_INTERVAL_MS = 10_000;
/** A write that changes the verdict follows at once, but at least this long after the last write. */
const VERDICT_INTERVAL_MS = 2_000;
const FIELD_DEBOUNCE_MS = 5_000;
const MAX_FIELD_DELAY_MS = 30_000;

/**
 * Makes the copies due if that does not follow from the revisions that they hold: a field that was never read, a
 * foreign value with the newest text, copies that were forgotten with their issue.
 */
const want = statement((db, { tenant, issue, field }: TenantIssue & { field: boolean }) =>
  db
    .insertInto('sync')
    .values({ tenant, issue, property_wanted: true, field_wanted: field })
    .onConflict(conflict =>
      conflict.columns(['tenant', 'issue']).doUpdateSet({
        property_wanted: true,
        field_wanted: sql<boolean>`sync.field_wanted or excluded.field_wanted`,
      }),
    ),
);

/** The statement that enqueues the field's write. */
export const enqueueField = (queue: Pick<Queue, 'enqueue'>, place: TenantIssue): CompiledQuery<unknown> =>
  queue.enqueue('write-field', place, { after: FIELD_DEBOUNCE_MS, maxWait: MAX_FIELD_DELAY_MS, key: place.issue });

/**
 * The statements that make the copies due after a change, and the milliseconds until the first of them is. The property is
 * written a second after the change, at most every ten seconds, or immediately, at most every two seconds, if its verdict
 * changes; the field after five seconds without a change, thirty at the latest (docs/storage.md). `isTakenOver`: the
 * tracker holds the newest text in a foreign value.
 */
export function makeDue(
  queue: Pick<Queue, 'enqueue'>,
  place: TenantIssue,
  verdict: string,
  { copies }: Pick<State, 'copies'>,
  { hasField, isTakenOver = false }: { hasField: boolean; isTakenOver?: boolean },
): { statements: CompiledQuery<unknown>[]; after: number } {
  const key = place.issue;
  const age = copies?.age ?? Number.POSITIVE_INFINITY;
  const after =
    copies?.verdict === verdict
      ? Math.max(PROPERTY_DELAY_MS, PROPERTY_INTERVAL_MS - age)
      : Math.max(0, VERDICT_INTERVAL_MS - age);
  const isKnown = copies !== null && !isTakenOver && (!hasField || copies.isFieldKnown);
  const statements = [
    ...(isKnown ? [] : [want({ ...place, field: hasField })]),
    queue.enqueue('write-property', place, { after, key }),
    ...(hasField ? [enqueueField(queue, place)] : []),
  ];
  return { statements, after };
}
