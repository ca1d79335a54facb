import { sql } from 'kysely';
import { isPropertyDue } from '../../checklists/commit/due.ts';
import type { CopyName, ProjectCopyName } from '../refusals.ts';

/** Copies that are not written, by reason. */
export interface RefusedCopies {
  copy: CopyName | ProjectCopyName;
  reason: string;
  /** Number of issues; 0 for copies in projects. */
  issues: number;
  /** Number of projects, and keys of the first ones; 0 and none for copies of checklists. */
  projects: number;
  projectKeys: readonly string[];
  /** When the first of them is tried again; `null` if all are of missing issues. */
  next: Date | null;
}

const MAX_PROJECT_KEYS = 5;

/** The scope of counted refused copies; without a tenant, of all in a transaction that sees them. */
export interface RefusedScope {
  tenant?: string;
  /** Id of a project. */
  project?: string;
}

/**
 * Counts the copies that are not written, by reason. Those of missing issues, too, which sweeps look for, as `hidden` if
 * nothing else was refused; those of uninstalled sites not: nothing tries them.
 */
export const countRefused = ({ tenant, project }: RefusedScope = {}) => {
  const installed = sql`tenant in (select tenant from tenant where enabled)`;
  const ofTenants = tenant === undefined ? installed : sql`tenant = ${tenant} and ${installed}`;
  const ofIssues =
    project === undefined
      ? ofTenants
      : sql`${ofTenants} and exists (select from checklist where checklist.tenant = sync.tenant
          and checklist.issue = sync.issue and checklist.project = ${project})`;
  const isOfDueProperty = sql`exists (select from checklist where checklist.tenant = sync.tenant
    and checklist.issue = sync.issue and ${isPropertyDue})`;
  const ofProjects = project === undefined ? ofTenants : sql`${ofTenants} and project = ${project}`;
  return sql<RefusedCopies>`
    select 'property' as copy, property_refused as reason, count(*)::integer as issues, 0 as projects,
        '{}'::text[] as "projectKeys", min(property_retry) filter (where missing is null) as next from sync
      where property_refused is not null and ${ofIssues} group by property_refused
    union all
    select 'property', 'hidden', count(*)::integer, 0, '{}', null from sync
      where missing > '-infinity' and property_refused is null and ${isOfDueProperty} and ${ofIssues}
      having count(*) > 0
    union all
    select 'field', field_refused, count(*)::integer, 0, '{}', min(field_retry) filter (where missing is null) from sync
      where field_refused is not null and ${ofIssues} group by field_refused
    union all
    select copy, refused, 0, count(*)::integer, (array_agg(key order by key))[1:${sql.lit(MAX_PROJECT_KEYS)}], min(due)
      from project_copy where ${ofProjects} group by copy, refused`;
};
