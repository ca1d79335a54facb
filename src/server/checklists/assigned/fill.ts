import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import { readText } from '../../common/reading.ts';
import type { Store } from '../../store/store.ts';
import type { Tx } from '../../store/tables.ts';
import { lockChecklist } from '../change/state.ts';
import { assignersOf, indexRows } from '../indexes.ts';
import type { TenantIssue } from '../revisions.ts';
import { history, VERSION, versionShape } from '../revisions.ts';

/*
 * Fills in what index rows of earlier versions lack: section and assigner, read from the issue's history without a call to
 * the tracker. Done issues are marked, so that an interrupted run goes on, and several processes do each issue once.
 */

/** Issues that are looked up at once. */
const ISSUES = 50;
/** Revisions of an issue that are searched for who assigned its items. */
const MOST_REVISIONS = 200;

const authored = v.array(v.object({ ...versionShape.entries, account: v.string() }));

const unfilled = (tx: Tx, tenant: string) =>
  tx.selectFrom('assigned_item').where('tenant', '=', tenant).where('filled', '=', false);

async function fillIssue(tx: Tx, place: TenantIssue, project: string | undefined, statuses: StatusRegistry) {
  await tx.executeQuery(lockChecklist(place));
  const rest = await unfilled(tx, place.tenant).select('position').where('issue', '=', place.issue).limit(1).execute();
  if (rest.length === 0) return;
  const newest = await history(tx, place)
    .select([...VERSION, 'account'])
    .orderBy('created', 'desc')
    .orderBy('seq', 'desc')
    .limit(MOST_REVISIONS)
    .execute();
  const [first, ...later] = parseAs(authored, newest).reverse();
  const last = later.at(-1) ?? first;
  if (first && last) {
    // What the oldest one has may have been assigned before, unless it is the issue's first.
    const [before, revisions] = first.seq === 1 ? [null, [first, ...later]] : [first, later];
    const assigners = assignersOf(before, revisions, text => readText(text, statuses).rows);
    for (const statement of indexRows(place, last, { project, statuses }, assigners)) await tx.executeQuery(statement);
  }
  await tx
    .updateTable('assigned_item')
    .set({ filled: true })
    .where('tenant', '=', place.tenant)
    .where('issue', '=', place.issue)
    .execute();
}

export interface FillOptions {
  store: Store;
  tenant: string;
  /** The issue's project, where it is known. */
  projectOf(place: TenantIssue): Promise<string | undefined>;
  statusesOf(project: string | undefined): StatusRegistry;
}

/** Fills in the sections and assigners of a tenant's assigned items. */
export async function fillAssigned({ store, tenant, projectOf, statusesOf }: FillOptions): Promise<void> {
  for (;;) {
    const found = await store.tenant(tenant, tx =>
      unfilled(tx, tenant).select('issue').distinct().orderBy('issue').limit(ISSUES).execute(),
    );
    for (const { issue } of found) {
      const place = { tenant, issue };
      const project = await projectOf(place);
      await store.tenant(tenant, tx => fillIssue(tx, place, project, statusesOf(project)));
    }
    if (found.length < ISSUES) return;
  }
}
