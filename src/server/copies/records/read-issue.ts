import { sql } from 'kysely';
import type { TenantIssue } from '../../checklists/read/revisions.ts';
import { statement } from '../../store/statement.ts';
import type { FieldFound } from '../field.ts';
import type { PropertyFound } from '../property.ts';
import { paused, type RefusedCopy, updateCopies } from './run.ts';

/** The result of reading an issue. */
export interface Read extends TenantIssue {
  /** Numbers of hints and of named accounts at the start of the read. */
  hints: number;
  named: number;
  /** The revision that the property holds; `null` keeps the one before. */
  epoch: string | null;
  seq: number | null;
  /** The foreign value that the property holds, as JSON, or `null`. */
  seen: string | null;
  property: PropertyFound;
  /** Hashes of the property's value and of the statuses, if it is that of the newest revision; else `null`. */
  print: string | null;
  registry: string | null;
  /** The verdict of the property; `null` where it holds no checklist. */
  verdict: string | null;
  /** Whether the property differs from the last read. */
  changed: boolean;
  contended: boolean;
  found: FieldFound;
  /** The field and its text; `null` where it was not read, and the text where it was left out of the checklist. */
  field: string | null;
  field_text: string | null;
  /** The newest revision. */
  newest_epoch: string;
  newest_seq: number;
  /** The newest entry of the changelog that was read and applied. */
  cursor: number | null;
  notice: string | null;
  watch: string;
}

/** Records a read, in a transaction that holds the checklist's lock. */
export const recordRead = statement((db, values: Read) => {
  const { hints, named, epoch, seq, seen, verdict, changed, contended, property, found, field, field_text, cursor } =
    values;
  const { notice, watch, print, registry, newest_epoch, newest_seq } = values;
  // Its read was refused where it is not to be written.
  const isSettled = sql`${property}::text in ('equal', 'unwanted')`;
  const isFieldEqual = sql`${found}::text = 'equal'`;
  return updateCopies(db, values).set({
    ...{
      hints_read: hints,
      read_at: sql<Date>`now()`,
      missing: null,
      // Keeps the accounts of events that arrived meanwhile.
      actors: sql<string[]>`actors[${named}::integer + 1:]`,
      pending_epoch: null,
      pending_seq: null,
      field_pending: null,
      verdict,
      watch,
    },
    confirmed_epoch: sql<string | null>`coalesce(${epoch}::text, confirmed_epoch)`,
    confirmed_seq: sql<number | null>`coalesce(${seq}::integer, confirmed_seq)`,
    // The echo of a write with unknown outcome may arrive at any time, and causes a read.
    echoes: sql<number>`case when pending_seq is null then echoes else 0 end`,
    property_seen: seen,
    property_print: sql<string | null>`coalesce(${print}::text, property_print)`,
    property_registry: sql<string | null>`coalesce(${registry}::text, property_registry)`,
    swaps: sql<number>`case when ${changed}::boolean then 0 else swaps end`,
    contended: sql<boolean>`contended or ${contended}::boolean`,
    property_due: sql<Date | null>`case ${property}::text when 'left' then property_due
      when 'behind' then case when property_refused is null then coalesce(property_due, now()) else now() end end`,
    field: sql<string | null>`coalesce(${field}::text, field)`,
    field_unread: sql<boolean>`${field}::text is null and field is not null`,
    field_text: sql<string | null>`case when ${field}::text is null then field_text else ${field_text}::text end`,
    field_due: sql<Date | null>`case when ${found}::text <> 'behind' then field_due
      when field_refused is null then coalesce(field_due, now()) else now() end`,
    cursor: sql<string | null>`${cursor}::bigint::text`,
    notice: sql<string | null>`coalesce(${notice}::text, notice)`,
    property_refused: sql<string | null>`case when not ${isSettled} then property_refused end`,
    property_tries: sql<number>`case when ${isSettled} then 0 else property_tries end`,
    field_epoch: sql<string | null>`case when ${isFieldEqual} then ${newest_epoch}::text else field_epoch end`,
    field_seq: sql<number | null>`case when ${isFieldEqual} then ${newest_seq}::integer else field_seq end`,
    field_refused: sql<string | null>`case when not ${isFieldEqual} then field_refused end`,
    field_tries: sql<number>`case when ${isFieldEqual} then 0 else field_tries end`,
  });
});

/** Days after which an issue that the tracker does not show is gone: the app may only lack permission for its project. */
const MISSING_DAYS = 7;

/** Whether an issue has been missing for `MISSING_DAYS`. */
export const isGone = sql<boolean>`missing < now() - make_interval(days => ${sql.lit(MISSING_DAYS)})`;

/** Records that the tracker does not show the issue. Returns whether it is gone. */
export const noteMissing = statement<TenantIssue, { isGone: boolean }>((db, values) =>
  updateCopies(db, values).set({ missing: sql<Date>`coalesce(missing, now())` }).returning(isGone.as('isGone')),
);

/**
 * Records that the tracker denies the issue, which exists: from now on it counts as not shown. Due copies count as refused,
 * with a notice for users, until the issue is read again.
 */
export const noteDenied = statement<TenantIssue & RefusedCopy, { isGone: boolean }>((db, values) => {
  const isDue = sql`(property_due is not null or field_due is not null)`;
  const { tries, retry } = paused('property', values);
  return updateCopies(db, values)
    .set({
      missing: sql<Date>`now()`,
      property_refused: sql<string | null>`case when ${isDue} then ${values.refused} else property_refused end`,
      property_notice: sql<string | null>`case when ${isDue} then ${values.notice} else property_notice end`,
      property_tries: sql<number>`case when ${isDue} then ${tries} else property_tries end`,
      property_retry: sql<Date | null>`case when ${isDue} then ${retry} else property_retry end`,
      field_refused: sql<string | null>`case when field_due is not null then ${values.refused} else field_refused end`,
    })
    .returning(sql<boolean>`false`.as('isGone'));
});

/** Records an event of deletion: the issue is gone at once if the tracker does not show it. */
export const noteDeleted = statement((db, values: TenantIssue) =>
  updateCopies(db, values).set({ missing: sql<Date>`'-infinity'` }),
);
