import { sql } from 'kysely';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import { refreshStored, staleIssues } from '../checklists/commit/stale.ts';
import { derivation } from '../checklists/decide/derived.ts';
import { isSameProperty } from '../checklists/decide/property.ts';
import { rowIdsShape } from '../checklists/decide/state.ts';
import { fieldOf, sameField, storedProperty } from '../checklists/read/stored.ts';
import { MAX_ISSUES, readIssues } from '../platform/tracker/bulk-issues.ts';
import { MAX_CHANGELOGS, readChangelogs } from '../platform/tracker/changelog-pages.ts';
import type { TrackerIssue } from '../platform/tracker/issue.ts';
import { eachIssue, eachOf, Incomplete, pagesOfIssues } from '../queue/each.ts';
import type { Queue } from '../queue/queue.ts';
import { noteRegistries, registryPrint } from '../statuses/registries.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import { lookUpField } from './field.ts';
import { type CopiesJob, nextJobs } from './records/due-copies.ts';
import { cursorShape, isLongMissing } from './records/run.ts';
import type { SyncSite } from './refresh.ts';
import { enqueueRead } from './run.ts';

export const SWEEP_INTERVAL_MS = 60 * 60_000;
/** Sweeps overlap: events may be late. */
const OVERLAP_MINUTES = 10;

/** An active issue, and the confirmed values of its copies. */
interface Active {
  issue: string;
  epoch: string;
  seq: number;
  name: string;
  text: string;
  rows: unknown;
  field_text: string | null;
  project: string | null;
  property_registry: string | null;
}

/** Issues with a copy written since the last sweep, without pending writes, and not missing. */
const active = sql<boolean>`sync.missing is null and sync.pending_seq is null and sync.field_pending is null
  and greatest(sync.property_written, sync.field_written)
    > coalesce(sync.swept - make_interval(mins => ${sql.lit(OVERLAP_MINUTES)}), '-infinity')`;

const activeOf = (tx: Tx, tenant: string) =>
  tx.selectFrom('sync').where('sync.tenant', '=', tenant).where(active).orderBy('sync.issue');

/** The next active issues after the given one. */
const nextActive = ({ store, tenant }: SyncSite, after: string): Promise<Active[]> =>
  store.tenant(tenant.id, tx =>
    activeOf(tx, tenant.id)
      .innerJoin('revision', join =>
        join
          .onRef('revision.tenant', '=', 'sync.tenant')
          .onRef('revision.issue', '=', 'sync.issue')
          .onRef('revision.epoch', '=', 'sync.confirmed_epoch')
          .onRef('revision.seq', '=', 'sync.confirmed_seq'),
      )
      .innerJoin('checklist', join =>
        join.onRef('checklist.tenant', '=', 'sync.tenant').onRef('checklist.issue', '=', 'sync.issue'),
      )
      .select(['sync.issue', 'revision.epoch', 'revision.seq', 'revision.name', 'revision.text', 'revision.rows'])
      .select(['sync.field_text', 'sync.property_registry', 'checklist.project'])
      .where('sync.issue', '>', after)
      .limit(MAX_ISSUES)
      .execute(),
  );

/**
 * Whether the property has the counts, search data and sentences that it was written with. Those of other statuses are
 * found by the database alone (`dueStale`).
 */
async function isAsWritten(site: SyncSite, active: Active, value: unknown): Promise<boolean> {
  const { of, listOf } = await site.registries();
  const project = active.project ?? undefined;
  if (active.property_registry !== registryPrint(of(project))) return true;
  const version = { ...active, rows: parseAs(rowIdsShape, active.rows) };
  const { property } = await site.texts.run(derivation, { version, statuses: listOf(project) });
  return isSameProperty(value, property);
}

/** Whether the tracker's copies differ from the confirmed values. */
async function differs(
  site: SyncSite,
  active: Active,
  issue: TrackerIssue,
  fieldId: string | undefined,
): Promise<boolean> {
  const { name, text, field_text } = active;
  const property = storedProperty(issue);
  if (property.kind !== 'ours' || property.text !== text || property.name !== name) return true;
  const field = fieldOf(issue, fieldId);
  if (field !== undefined && field_text !== null && !sameField(field.text, field_text)) return true;
  return !(await isAsWritten(site, active, issue.property));
}

/** Enqueues reads of issues whose copies differ from the last write. */
async function compareCopies(site: SyncSite, fieldId: string | undefined): Promise<void> {
  const fields = fieldId === undefined ? [] : [{ id: fieldId, name: '' }];
  for await (const activeIssues of pagesOfIssues(MAX_ISSUES, after => nextActive(site, after))) {
    const issues = await readIssues(
      site.tracker,
      activeIssues.map(({ issue }) => issue),
      fields,
    );
    for (const each of activeIssues) {
      const issue = issues.get(each.issue);
      if (issue && !(await differs(site, each, issue, fieldId))) continue;
      await enqueueRead(site, { tenant: site.tenant.id, issue: each.issue });
    }
  }
}

const loggedShape = v.object({ issue: v.string(), cursor: cursorShape });

/** The next active issues after the given one whose changelog was read, each with the entry up to which it was. */
async function nextLogged({ store, tenant }: SyncSite, fieldId: string, after: string) {
  const rows = await store.tenant(tenant.id, tx =>
    activeOf(tx, tenant.id)
      .select(['sync.issue', 'sync.cursor'])
      .where('sync.field', '=', fieldId)
      .where('sync.cursor', 'is not', null)
      .where('sync.issue', '>', after)
      .limit(MAX_CHANGELOGS)
      .execute(),
  );
  return parseAs(v.array(loggedShape), rows);
}

/** Enqueues reads of issues whose field another account has written since the last read, even if it was overwritten. */
async function readLogs(site: SyncSite, fieldId: string): Promise<void> {
  const ownAccount = await site.ownAccount();
  for await (const loggedIssues of pagesOfIssues(MAX_CHANGELOGS, after => nextLogged(site, fieldId, after))) {
    const cursors = new Map<string, number>();
    for (const { issue, cursor } of loggedIssues) {
      if (cursor === null) await enqueueRead(site, { tenant: site.tenant.id, issue });
      else cursors.set(issue, cursor);
    }
    for await (const part of readChangelogs(site.tracker, [...cursors.keys()], fieldId)) {
      for (const { issue, entries } of part) {
        const cursor = cursors.get(issue);
        if (cursor === undefined || !entries.some(({ id, author }) => id > cursor && author !== ownAccount)) continue;
        cursors.delete(issue);
        await enqueueRead(site, { tenant: site.tenant.id, issue });
      }
    }
  }
}

/** The next missing issues after the given one, and whether each is gone. */
const nextMissing = ({ store, tenant }: SyncSite, after: string) =>
  store.tenant(tenant.id, tx =>
    tx
      .selectFrom('sync')
      .select(['issue', isLongMissing.as('gone')])
      .where('tenant', '=', tenant.id)
      .where('missing', 'is not', null)
      .where('issue', '>', after)
      .orderBy('issue')
      .limit(MAX_ISSUES)
      .execute(),
  );

/** Enqueues reads of missing issues that the tracker shows again, and of issues that are gone. */
async function lookForMissing(site: SyncSite): Promise<void> {
  for await (const missingIssues of pagesOfIssues(MAX_ISSUES, after => nextMissing(site, after))) {
    const ids = missingIssues.map(({ issue }) => issue);
    const shown = await readIssues(site.tracker, ids, []);
    for (const { issue, gone } of missingIssues) {
      if (gone || shown.has(issue)) await enqueueRead(site, { tenant: site.tenant.id, issue });
    }
  }
}

/** A sweep makes so many properties due, at this pace: all are written until the next sweep. */
const MAX_STALE = 500;
const STALE_PACE_SECONDS = 7;

/** Makes properties due that were made with other statuses, one after the other. */
async function dueStale(site: SyncSite): Promise<void> {
  const { store, queue, tenant } = site;
  await store.tenant(tenant.id, tx => noteRegistries(tx, tenant.id));
  const stale = await staleIssues(
    store,
    { tenant: tenant.id, project: null, kind: 'all' },
    { after: '', most: MAX_STALE },
  );
  let wait = STALE_PACE_SECONDS;
  const ids = stale.map(({ issue }) => issue);
  await eachIssue('stale properties', ids, async issue => {
    if (!(await refreshStored(site, { tenant: tenant.id, issue }, true))) return;
    await queue.add('write-property', { tenant: tenant.id, issue }, { after: wait * 1_000, key: issue });
    wait += STALE_PACE_SECONDS;
  });
}

const BATCH_SIZE = 1_000;

/** The jobs that do all work of a tenant's copies. */
export async function* jobsOfCopies(store: Store, tenant: string): AsyncGenerator<CopiesJob> {
  const next = async (after: string, most: number) =>
    (await store.batch(tenant, [nextJobs({ tenant, after, most })]))[0].rows;
  for await (const jobs of pagesOfIssues(BATCH_SIZE, next)) yield* jobs;
}

/** Lost jobs are spread by this interval, so that they leave time for the jobs of changes. */
const LOST_PACE_MS = 1_000;

/** Enqueues jobs for all work of a tenant's copies. */
export async function enqueueWork(store: Store, tenant: string, enqueue: Queue['restore']): Promise<void> {
  let lost = 0;
  for await (const { name, issue, after } of jobsOfCopies(store, tenant)) {
    await enqueue(name, { tenant, issue }, { after: after || lost * LOST_PACE_MS, key: issue });
    lost += 1;
  }
}

const timeShape = v.object({ time: v.date() });

/** Finds foreign changes without an event, in the issues that were active since the last sweep. */
export async function sweep(site: SyncSite): Promise<void> {
  const { store, tenant } = site;
  const { rows } = await store.tenant(tenant.id, tx => sql`select now() as time`.execute(tx));
  const { time } = parseAs(timeShape, rows[0]);
  /** Those without a call first; what the tracker refuses of one keeps no other one from being done. */
  const parts: Readonly<Record<string, () => Promise<void>>> = {
    'copies behind': () => enqueueWork(store, tenant.id, site.queue.restore),
    'stale copies': () => dueStale(site),
    'foreign copies': async () => compareCopies(site, (await lookUpField(site)).id),
    'changelogs of fields': async () => {
      const fieldId = await site.field();
      if (fieldId !== undefined) await readLogs(site, fieldId);
    },
    'missing issues': () => lookForMissing(site),
  };
  const result = await eachOf(
    Object.entries(parts),
    ([name]) => name,
    ([, work]) => work(),
  );
  if (result.failures.length > 0) throw new Incomplete('sweep', result);
  await store.tenant(tenant.id, tx =>
    tx.updateTable('sync').set({ swept: time }).where('tenant', '=', tenant.id).where(active).execute(),
  );
}
