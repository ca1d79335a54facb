import { statement } from '../store/statement.ts';
import { adopt } from './adopt.ts';
import type { TenantIssue } from './revisions.ts';
import type { Site } from './site.ts';

const load = statement((db, { tenant, issue }: TenantIssue) =>
  db.selectFrom('checklist').select('project').where('tenant', '=', tenant).where('issue', '=', issue),
);

/** The issue's project, as it was last read; `undefined` where the tracker did not say, or the database does not know the issue. */
export async function knownProject({ store }: Pick<Site, 'store'>, place: TenantIssue): Promise<string | undefined> {
  const [{ rows }] = await store.batch(place.tenant, [load(place)]);
  return rows[0]?.project ?? undefined;
}

/** The same; an issue that the database does not know is adopted first. */
export async function projectOf(site: Site, place: TenantIssue): Promise<string | undefined> {
  const [{ rows }] = await site.store.batch(place.tenant, [load(place)]);
  if (rows.length > 0) return rows[0]?.project ?? undefined;
  await adopt(site, place);
  return knownProject(site, place);
}

/** That the issue was found in that project. */
export const putProject = statement((db, { tenant, issue, project }: TenantIssue & { project: string }) =>
  db.updateTable('checklist').set({ project }).where('tenant', '=', tenant).where('issue', '=', issue),
);
