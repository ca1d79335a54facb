import { sql } from 'kysely';
import { isFieldDue, isPropertyDue, isUnread } from '../../checklists/commit/due.ts';
import type { TenantIssue } from '../../checklists/read/revisions.ts';
import { builder, statement } from '../../store/statement.ts';
import type { CopyName } from '../refusals.ts';
import { updateCopies } from './run.ts';

/** Makes a field due that was never read. */
export const wantUnknownField = statement((db, values: TenantIssue) =>
  updateCopies(db, values).set({ field_wanted: true }).where('field_seq', 'is', null),
);

/** Milliseconds until a refused copy is tried again; `null` for other copies. */
const pauseOf = (copy: CopyName) => sql`case when ${sql.ref(`sync.${copy}_refused`)} is not null
  then greatest(0, coalesce(extract(epoch from ${sql.ref(`sync.${copy}_retry`)} - now()) * 1000, 0))::float8 end`;

/** A job of an issue's copies. */
export interface CopiesJob {
  issue: string;
  name: 'sync' | 'write-property' | 'write-field';
  /** Milliseconds until it is due. */
  after: number;
  /** It tries a refused copy again. */
  isRefused: boolean;
}

/**
 * The jobs of the next issues with work after the given one, without missing issues. A read that was refused waits for its
 * time. Without statistics, as after a restored backup, the database would join each row with each other one.
 */
export const nextJobs = statement<{ tenant: string; after: string; most: number }, CopiesJob>(
  (_, { tenant, after, most }) => ({
    compile: () =>
      sql<CopiesJob>`select issue, job.name, coalesce(pause, 0) as after, pause is not null and job.name <> 'sync' as "isRefused"
        from (
          select sync.issue, ${isUnread} as read, ${isPropertyDue} as property, ${isFieldDue} as field,
            ${pauseOf('property')} as property_pause, ${pauseOf('field')} as field_pause
          from sync cross join lateral (
            select epoch, seq, mirrored from checklist where tenant = sync.tenant and issue = sync.issue limit 1) checklist
          where sync.tenant = ${tenant} and sync.issue > ${after} and sync.missing is null
            and (${isUnread} or ${isPropertyDue} or ${isFieldDue})
          order by sync.issue limit ${most}) open
        cross join lateral (values ('sync', read, property_pause), ('write-property', property, property_pause),
          ('write-field', field, field_pause)) job(name, is_open, pause)
        where job.is_open order by issue, job.name`.compile(builder),
  }),
);
