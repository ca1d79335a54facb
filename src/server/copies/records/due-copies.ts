import { sql } from 'kysely';
import type { TenantIssue } from '../../checklists/read/revisions.ts';
import { statement } from '../../store/statement.ts';
import { updateCopies } from './run.ts';

export const isPropertyOld = sql<boolean>`(sync.confirmed_epoch, sync.confirmed_seq) is distinct from (checklist.epoch, checklist.seq)`;
export const isFieldOld = sql<boolean>`(sync.field_epoch, sync.field_seq) is distinct from (checklist.epoch, checklist.seq)`;

/** Whether a copy differs from the newest revision, and nothing is due that writes or reads it. Reads a checklist with its copies. */
const isPropertyBehind = sql<boolean>`(sync.property_due is null and sync.pending_seq is null
  and sync.hints <= sync.hints_read and ${isPropertyOld})`;
const isFieldBehind = sql<boolean>`(sync.field_due is null and sync.hints <= sync.hints_read
  and sync.field_seq is not null and ${isFieldOld})`;

/** Whether an issue that is not missing has pending or due work. */
export const hasWork = sql<boolean>`(missing is null and (hints > hints_read or pending_seq is not null
  or property_due is not null or field_due is not null))`;

/** Milliseconds until an issue's work is due. A read that was refused waits for its time. */
export const dueIn = sql<number>`case when (hints > hints_read or pending_seq is not null)
    and not (property_refused is not null and coalesce(property_due > now(), false)) then 0
  else greatest(0, extract(epoch from least(property_due, field_due) - now()) * 1000)::float8 end`;

/** Milliseconds until an issue has due work; no row where it has none. */
export const nextDue = statement<TenantIssue, { after: number }>((db, { tenant, issue }) =>
  db
    .selectFrom('sync')
    .select(dueIn.as('after'))
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where(hasWork),
);

/** Milliseconds until the property is due; no row where it is not. */
export const propertyDue = statement<TenantIssue, { after: number }>((db, { tenant, issue }) =>
  db
    .selectFrom('sync')
    .select(sql<number>`greatest(0, extract(epoch from property_due - now()) * 1000)::float8`.as('after'))
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('property_due', 'is not', null),
);

/** Makes a property due now that is due later. Returns a row where it was. */
export const makePropertyDue = statement<TenantIssue, { hints: number }>((db, values) =>
  updateCopies(db, values)
    .set({ property_due: sql<Date>`now()` })
    .where(sql<boolean>`property_due > now()`)
    .returning('hints'),
);

/** Due times of copies that are due, not later than now. */
const dueNow = {
  property_due: sql<Date | null>`case when property_due is not null then least(property_due, now()) end`,
  field_due: sql<Date | null>`case when field_due is not null then least(field_due, now()) end`,
};

/** Makes all due copies of a tenant due now. Returns a row for each issue with work, and whether only refused copies wait. */
export const makeAllDue = statement<{ tenant: string }, { issue: string; isRefused: boolean }>((db, { tenant }) =>
  db
    .updateTable('sync')
    .set(dueNow)
    .where('tenant', '=', tenant)
    .where(hasWork)
    .returning([
      'issue',
      sql<boolean>`hints <= hints_read and pending_seq is null and (property_due is null or property_refused is not null)
        and (field_due is null or field_refused is not null)`.as('isRefused'),
    ]),
);

/** Makes the copies of one issue due now that are due later, or not known to hold the newest revision. */
export const makeIssueDue = statement((db, values: TenantIssue & { hasField: boolean }) =>
  db
    .updateTable('sync')
    .from('checklist')
    .set({
      property_due: sql<Date | null>`case when sync.property_due is not null then least(sync.property_due, now())
        when checklist.mirrored and checklist.seq > 0 and ${isPropertyOld} then now() end`,
      field_due: sql<Date | null>`case when sync.field_due is not null then least(sync.field_due, now())
        when ${values.hasField}::boolean and checklist.mirrored and checklist.seq > 0 and ${isFieldOld} then now() end`,
    })
    .where('sync.tenant', '=', values.tenant)
    .where('sync.issue', '=', values.issue)
    .whereRef('checklist.tenant', '=', 'sync.tenant')
    .whereRef('checklist.issue', '=', 'sync.issue'),
);

/** Maximum number of copies that are made due at once, and seconds between two of them. */
const MAX_BEHIND = 500;
const BEHIND_PACE_SECONDS = 1;

/**
 * Makes copies due that differ from the newest revision without a time for their next try. Copies of unknown revisions
 * are left out. Returns the issues, and the milliseconds until each is due.
 */
export const makeBehindDue = statement<{ tenant: string; hasField: boolean }, { issue: string; after: number }>(
  (db, { tenant, hasField }) =>
    db
      // Without statistics, as after a restored backup, the database would join each row with each other one.
      .with(
        behind => behind('behind').materialized(),
        each =>
          each
            .selectFrom('sync')
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
              isPropertyBehind.as('property'),
              sql<boolean>`${hasField}::boolean and ${isFieldBehind}`.as('field'),
              sql<number>`(row_number() over (order by sync.issue) - 1)::integer * ${sql.lit(BEHIND_PACE_SECONDS)}`.as(
                'after',
              ),
            ])
            .where('sync.tenant', '=', tenant)
            .where('checklist.mirrored', '=', true)
            .where('checklist.seq', '>', 0)
            .where(
              sql<boolean>`sync.missing is null and (${isPropertyBehind} or (${hasField}::boolean and ${isFieldBehind}))`,
            )
            .orderBy('sync.issue')
            .limit(MAX_BEHIND),
      )
      .updateTable('sync')
      .from('behind')
      .set({
        property_due: sql<Date | null>`case when behind.property then now() + make_interval(secs => behind.after)
          else property_due end`,
        field_due: sql<Date | null>`case when behind.field then now() + make_interval(secs => behind.after) else field_due end`,
      })
      .where('sync.tenant', '=', tenant)
      .whereRef('sync.issue', '=', 'behind.issue')
      .returning(['sync.issue', sql<number>`behind.after * 1000`.as('after')]),
);
