import { statement } from '../store/statement.ts';
import { adopt } from './adopt.ts';
import type { TenantIssue } from './revisions.ts';
import type { Site } from './site.ts';

const load = statement((db, { tenant, issue }: TenantIssue) =>
  db.selectFrom('checklist').select('project').where('tenant', '=', tenant).where('issue', '=', issue),
);

/** The issue's project as last read; `undefined` where the tracker did not name it, or the database does not know the issue. */
export async function knownProject({ store }: Pick<Site, 'store'>, place: TenantIssue): Promise<string | undefined> {
  const [{ rows }] = await store.batch(place.tenant, [load(place)]);
  return rows[0]?.project ?? undefined;
}

/** The same, after adopting an unknown issue. */
export async function projectOf(site: Site, place: TenantIssue): Promise<string | undefined> {
  const [{ rows }] = await site.store.batch(place.tenant, [load(place)]);
  if (rows.length > 0) return rows[0]?.project ?? undefined;
  await adopt(site, place);
  return knownProject(site, place);
}

/** Stores the issue's project, and its key, which changes with it. */
export const putProject = statement(
  (db, { tenant, issue, project, key }: TenantIssue & { project: string; key: string | null }) =>
    db.updateTable('checklist').set({ project, key }).where('tenant', '=', tenant).where('issue', '=', issue),
);
