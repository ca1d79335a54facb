import type { IssuePlace } from '../../access/portal.ts';
import { readProject, SERVICE_PROJECT } from '../../platform/tracker/issue.ts';
import { statement } from '../../store/statement.ts';
import { adopt } from '../commit/adopt.ts';
import type { Site } from '../service/site.ts';
import type { TenantIssue } from './revisions.ts';

const load = statement((db, { tenant, issue }: TenantIssue) =>
  db.selectFrom('checklist').select(['project', 'service']).where('tenant', '=', tenant).where('issue', '=', issue),
);

/**
 * The issue's project as last read; `undefined` if the tracker did not name it, or the database does not know the
 * issue.
 */
export async function knownProject({ store }: Pick<Site, 'store'>, place: TenantIssue): Promise<string | undefined> {
  const [{ rows }] = await store.batch(place.tenant, [load(place)]);
  return rows[0]?.project ?? undefined;
}

/** The issue's project, and whether it has a portal, as far as the database knows. */
export async function knownPlace({ store }: Pick<Site, 'store'>, place: TenantIssue): Promise<IssuePlace> {
  const [{ rows }] = await store.batch(place.tenant, [load(place)]);
  return { project: rows[0]?.project ?? undefined, service: rows[0]?.service ?? undefined };
}

/** The project as last read, after adopting an unknown issue. */
export async function projectOf(site: Site, place: TenantIssue): Promise<string | undefined> {
  const [{ rows }] = await site.store.batch(place.tenant, [load(place)]);
  if (rows.length > 0) return rows[0]?.project ?? undefined;
  await adopt(site, place);
  return knownProject(site, place);
}

/** Of an issue that may have moved, it is not known whether its project has a portal. */
export const forgetPlace = statement((db, { tenant, issue }: TenantIssue) =>
  db.updateTable('checklist').set({ service: null }).where('tenant', '=', tenant).where('issue', '=', issue),
);

const putPlace = statement(
  (db, { tenant, issue, project, service }: TenantIssue & { project: string; service: boolean }) =>
    db.updateTable('checklist').set({ project, service }).where('tenant', '=', tenant).where('issue', '=', issue),
);

/** The issue's project, and whether it has a portal; both after adopting an unknown issue, and read if not known. */
export async function placeOf(site: Site, place: TenantIssue): Promise<IssuePlace> {
  const read = async () => (await site.store.batch(place.tenant, [load(place)]))[0].rows[0];
  let storedPlace = await read();
  if (!storedPlace) {
    await adopt(site, place);
    storedPlace = await read();
  }
  if (storedPlace?.project != null && storedPlace.service !== null)
    return { project: storedPlace.project, service: storedPlace.service };
  const { id: project, type } = await readProject(site.tracker, place.issue);
  const service = type === SERVICE_PROJECT;
  await site.store.batch(place.tenant, [putPlace({ ...place, project, service })]);
  return { project, service };
}
