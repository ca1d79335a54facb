import { sql } from 'kysely';
import { fieldOf, sameField } from '../checklists/field.ts';
import { fieldIfKnown } from '../checklists/site.ts';
import { storedProperty } from '../checklists/stored.ts';
import type { TrackerIssue } from '../platform/tracker/issue.ts';
import { readIssues } from '../platform/tracker/many.ts';
import { hint, type SyncSite } from './run.ts';

/** Milliseconds between two sweeps of a tenant, and minutes that one looks back: they overlap. */
export const EVERY = 60 * 60_000;
const BACK = 70;
/** Issues that the tracker is asked for at once. */
const BATCH = 100;

/** An issue that was active, and what its copies were confirmed to hold. */
interface Active {
  issue: string;
  name: string;
  text: string;
  field_text: string | null;
}

/** The next issues, from that one on, that changed lately and have no copy that is still to be written. */
const nextActive = ({ store, tenant }: SyncSite, after: string): Promise<Active[]> =>
  store.tenant(tenant.id, tx =>
    tx
      .selectFrom('sync')
      .innerJoin('revision', join =>
        join
          .onRef('revision.tenant', '=', 'sync.tenant')
          .onRef('revision.issue', '=', 'sync.issue')
          .onRef('revision.epoch', '=', 'sync.confirmed_epoch')
          .onRef('revision.seq', '=', 'sync.confirmed_seq'),
      )
      .select(['sync.issue', 'revision.name', 'revision.text', 'sync.field_text'])
      .where('sync.tenant', '=', tenant.id)
      .where('sync.issue', '>', after)
      .where('pending_seq', 'is', null)
      .where('field_pending', 'is', null)
      .where(sql<boolean>`property_written > now() - make_interval(mins => ${sql.lit(BACK)})`)
      .orderBy('sync.issue')
      .limit(BATCH)
      .execute(),
  );

/** Whether the tracker's copies do not hold what they were confirmed to hold. */
function differs({ name, text, field_text }: Active, issue: TrackerIssue, fieldId: string | undefined): boolean {
  const property = storedProperty(issue);
  const isSame = property.kind === 'ours' && property.text === text && property.name === name;
  const field = fieldOf(issue, fieldId);
  return !isSame || (field !== undefined && field_text !== null && !sameField(field.text, field_text));
}

/** Finds the issues whose copies are not what we last wrote, of those that were active lately, and has them read. */
export async function sweep(site: SyncSite): Promise<void> {
  const { tenant, tracker } = site;
  const fieldId = await fieldIfKnown(site);
  const fields = fieldId === undefined ? [] : [{ id: fieldId, name: '' }];
  for (let after = ''; ; ) {
    const active = await nextActive(site, after);
    const last = active.at(-1);
    if (!last) return;
    after = last.issue;
    const issues = await readIssues(
      tracker,
      active.map(({ issue }) => issue),
      fields,
    );
    for (const each of active) {
      const issue = issues.get(each.issue);
      if (issue && !differs(each, issue, fieldId)) continue;
      await hint(site, { tenant: tenant.id, issue: each.issue });
    }
    if (active.length < BATCH) return;
  }
}
