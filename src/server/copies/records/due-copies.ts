import { sql } from 'kysely';
import {
  isFieldDue,
  isFieldOld,
  isPropertyDue,
  isPropertyOld,
  isScheduled,
  isUnread,
} from '../../checklists/commit/due.ts';
import type { TenantIssue } from '../../checklists/read/revisions.ts';
import { statement } from '../../store/statement.ts';

/** Makes the copies of one issue due that are not known to hold the newest revision. */
export const makeIssueDue = statement((db, values: TenantIssue & { hasField: boolean }) =>
  db
    .updateTable('sync')
    .from('checklist')
    .set({
      property_wanted: sql<boolean>`sync.property_wanted or (checklist.mirrored and checklist.seq > 0 and ${isPropertyOld})`,
      field_wanted: sql<boolean>`sync.field_wanted or (${values.hasField}::boolean and checklist.mirrored
        and checklist.seq > 0 and (sync.field_seq is null or ${isFieldOld}))`,
    })
    .where('sync.tenant', '=', values.tenant)
    .where('sync.issue', '=', values.issue)
    .whereRef('checklist.tenant', '=', 'sync.tenant')
    .whereRef('checklist.issue', '=', 'sync.issue'),
);

/** Milliseconds until a time. */
const until = (moment: unknown) => sql`greatest(0, extract(epoch from ${moment} - now()) * 1000)::float8`;

/** Whether a copy has to be written, and was not refused; and whether it has no job then. */
const isPropertyOpen = sql<boolean>`(${isPropertyDue} and sync.property_refused is null)`;
const isFieldOpen = sql<boolean>`(${isFieldDue} and sync.field_refused is null)`;
const isUnscheduled = sql`(${isPropertyOpen} and not ${isScheduled('write-property')}
  or ${isFieldOpen} and not ${isScheduled('write-field')})`;
const isReadRefused = sql`(sync.property_refused is not null and coalesce(sync.property_retry > now(), false))`;

/** The work of an issue's copies. */
export interface CopiesWork {
  issue: string;
  /** Milliseconds until the job `sync` is due; `null` where the copies have jobs of their own. */
  after: number | null;
  /** The copies that have to be written, and whether each was refused. */
  isPropertyDue: boolean;
  isFieldDue: boolean;
  isPropertyRefused: boolean;
  isFieldRefused: boolean;
  isUnread: boolean;
}

/** The next issues with work after the given one, without missing ones. A read that was refused waits for its time. */
export const nextWork = statement<{ tenant: string; after: string; most: number }, CopiesWork>(
  (db, { tenant, after, most }) =>
    db
      .selectFrom('sync')
      // Without statistics, as after a restored backup, the database would join each row with each other one.
      .innerJoinLateral(
        of =>
          of
            .selectFrom('checklist')
            .select(['epoch', 'seq', 'mirrored'])
            .whereRef('checklist.tenant', '=', 'sync.tenant')
            .whereRef('checklist.issue', '=', 'sync.issue')
            .limit(1)
            .as('checklist'),
        join => join.onTrue(),
      )
      .select([
        'sync.issue',
        sql<number | null>`case when ${isUnread} and not ${isReadRefused} or ${isUnscheduled} then 0
          when sync.property_refused is not null or sync.field_refused is not null
            then ${until(sql`coalesce(least(case when sync.property_refused is not null then sync.property_retry end,
              case when sync.field_refused is not null then sync.field_retry end), now())`)} end`.as('after'),
        isPropertyDue.as('isPropertyDue'),
        isFieldDue.as('isFieldDue'),
        sql<boolean>`sync.property_refused is not null`.as('isPropertyRefused'),
        sql<boolean>`sync.field_refused is not null`.as('isFieldRefused'),
        isUnread.as('isUnread'),
      ])
      .where('sync.tenant', '=', tenant)
      .where('sync.issue', '>', after)
      .where(sql<boolean>`sync.missing is null and (${isUnread} or ${isPropertyDue} or ${isFieldDue})`)
      .orderBy('sync.issue')
      .limit(most),
);
