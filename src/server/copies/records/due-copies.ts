import { sql } from 'kysely';
import { isFieldDue, isPropertyDue, isUnread } from '../../checklists/commit/due.ts';
import type { TenantIssue } from '../../checklists/read/revisions.ts';
import { statement } from '../../store/statement.ts';
import type { CopyName } from '../refusals.ts';
import { updateCopies } from './run.ts';

/** Makes a field due that was never read. */
export const wantUnknownField = statement((db, values: TenantIssue) =>
  updateCopies(db, values).set({ field_wanted: true }).where('field_seq', 'is', null),
);

/** Milliseconds until a refused copy is tried again; `null` for other copies. */
const pauseOf = (copy: CopyName) => sql<number | null>`case when ${sql.ref(`sync.${copy}_refused`)} is not null
  then greatest(0, coalesce(extract(epoch from ${sql.ref(`sync.${copy}_retry`)} - now()) * 1000, 0))::float8 end`;

/** The work of an issue's copies. */
export interface CopiesWork {
  issue: string;
  isUnread: boolean;
  isPropertyDue: boolean;
  isFieldDue: boolean;
  propertyPause: number | null;
  fieldPause: number | null;
}

/** The next issues with work after the given one, without missing ones. */
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
      .select(['sync.issue', isUnread.as('isUnread'), isPropertyDue.as('isPropertyDue'), isFieldDue.as('isFieldDue')])
      .select([pauseOf('property').as('propertyPause'), pauseOf('field').as('fieldPause')])
      .where('sync.tenant', '=', tenant)
      .where('sync.issue', '>', after)
      .where(sql<boolean>`sync.missing is null and (${isUnread} or ${isPropertyDue} or ${isFieldDue})`)
      .orderBy('sync.issue')
      .limit(most),
);
