import { type Kysely, sql } from 'kysely';
import { eachIssue, pagesOfIssues } from '../../queue/each.ts';
import { registryPrint, type SiteStatuses } from '../../statuses/registries.ts';
import { statement } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';
import type { Tables, Tx } from '../../store/tables.ts';
import type { OwnTexts } from '../../text-workers/pool.ts';
import { derivation } from '../decide/derived.ts';
import { propertyPrint } from '../decide/property.ts';
import { type TenantIssue, versionAt } from '../read/revisions.ts';
import { lockChecklist } from './load.ts';
import { clearStatuses, putIndex } from './store.ts';

/*
 * Data that is derived from a checklist is stored with its revision and with a hash of the statuses: the indexes in the
 * database, and the counts, search data and sentences in the property. The data is stale if its revision is not the
 * newest, or if the statuses have changed.
 */

/** Scope of a search for stale things: only the indexes, or the properties as well. */
export type StaleKind = 'indexes' | 'all';

/** The hash of the statuses of a checklist's project, or of the site. */
const print = sql`(select coalesce(
  (select own.print from registry own where own.tenant = checklist.tenant and own.project = checklist.project),
  (select site.print from registry site where site.tenant = checklist.tenant and site.project = '')))`;

const isIndexStale = sql<boolean>`((indexed_epoch, indexed_seq, indexed_registry)
  is distinct from (checklist.epoch, checklist.seq, ${print}))`;

/** Only of properties that hold the newest revision, are the app's own, and are not due or refused. */
const isPropertyStale = sql<boolean>`(mirrored and missing is null and not property_wanted and pending_seq is null
  and hints <= hints_read and property_seen is null and property_refused is null
  and (confirmed_epoch, confirmed_seq) is not distinct from (checklist.epoch, checklist.seq)
  and property_registry is distinct from ${print})`;

/** Without the issues that were forgotten, whose copies are not known (`forget`). */
const staleOf = (
  db: Kysely<Tables>,
  { tenant, project, isAll }: { tenant: string; project: string | null; isAll: boolean },
) =>
  db
    .selectFrom('checklist')
    .innerJoin('sync', join =>
      join.onRef('sync.tenant', '=', 'checklist.tenant').onRef('sync.issue', '=', 'checklist.issue'),
    )
    .where('checklist.tenant', '=', tenant)
    .where('checklist.seq', '>', 0)
    .where(sql<boolean>`coalesce(checklist.project = ${project}::text, true)`)
    .where(
      sql<boolean>`${print} is not null and (${isIndexStale} or (${isAll}::boolean and coalesce(${isPropertyStale}, false)))`,
    );

interface Range {
  tenant: string;
  /** Id of the only project; `null` for the whole site. */
  project: string | null;
  isAll: boolean;
}

/** An issue with its key, if that is known. */
interface StaleIssue {
  issue: string;
  key: string | null;
}

const next = statement<Range & { after: string; most: number }, StaleIssue>((db, values) =>
  staleOf(db, values)
    .select(['checklist.issue', 'checklist.key'])
    .where('checklist.issue', '>', values.after)
    .orderBy('checklist.issue')
    .limit(values.most),
);

const counted = statement<Range, { count: number }>((db, values) =>
  staleOf(db, values).select(sql<number>`count(*)::integer`.as('count')),
);

export interface StaleScope {
  tenant: string;
  project: string | null;
  kind: StaleKind;
}

const rangeOf = ({ tenant, project, kind }: StaleScope): Range => ({ tenant, project, isAll: kind === 'all' });

/** The next issues with stale things after the given one, by id. */
export async function staleIssues(
  store: Store,
  scope: StaleScope,
  { after, most }: { after: string; most: number },
): Promise<StaleIssue[]> {
  const [{ rows }] = await store.batch(scope.tenant, [next({ ...rangeOf(scope), after, most })]);
  return rows;
}

/** How many issues have stale things. */
export async function countStale(store: Store, scope: StaleScope): Promise<number> {
  const [{ rows }] = await store.batch(scope.tenant, [counted(rangeOf(scope))]);
  return rows[0]?.count ?? 0;
}

export interface StaleSite {
  store: Store;
  registries(): Promise<SiteStatuses>;
  texts: Pick<OwnTexts, 'run'>;
}

const load = (tx: Tx, { tenant, issue }: TenantIssue) =>
  tx
    .selectFrom('checklist')
    .innerJoin('sync', join =>
      join.onRef('sync.tenant', '=', 'checklist.tenant').onRef('sync.issue', '=', 'checklist.issue'),
    )
    .select(['checklist.epoch', 'checklist.seq', 'project', 'property_print'])
    .select([isIndexStale.as('index'), sql<boolean>`coalesce(${isPropertyStale}, false)`.as('property')])
    .where('checklist.tenant', '=', tenant)
    .where('checklist.issue', '=', issue);

/**
 * Makes an issue's indexes anew if they are stale, without a call to the tracker. A stale property with another value
 * becomes due if `makesDue` says so; one that would get the value that it has only gets the new hash.
 * Resolves with whether the property is due, or has to be.
 */
export async function refreshStored(
  { store, registries, texts }: StaleSite,
  place: TenantIssue,
  makesDue: boolean,
): Promise<boolean> {
  const { tenant } = place;
  const loadedChecklist = await store.tenant(tenant, async tx => {
    const row = await load(tx, place).executeTakeFirst();
    return row && { ...row, version: await versionAt(tx, place, row) };
  });
  if (!loadedChecklist?.version) return false;
  const { version } = loadedChecklist;
  const { of, listOf } = await registries();
  const registry = registryPrint(of(loadedChecklist.project ?? undefined));
  const derived = await texts.run(derivation, { version, statuses: listOf(loadedChecklist.project ?? undefined) });
  const expectedPrint = loadedChecklist.property ? propertyPrint(derived.property) : null;
  return store.tenant(tenant, async tx => {
    await tx.executeQuery(lockChecklist(place));
    const currentChecklist = await load(tx, place).executeTakeFirst();
    // A change meanwhile has written its own indexes, and made the property due.
    if (currentChecklist?.epoch !== version.epoch || currentChecklist.seq !== version.seq) return false;
    if (currentChecklist.index) {
      const project = loadedChecklist.project ?? undefined;
      const anew = [clearStatuses(place), ...putIndex(place, version, { project, registry }, derived.index)];
      for (const each of anew) await tx.executeQuery(each);
    }
    if (!currentChecklist.property) return false;
    const update = tx.updateTable('sync').where('tenant', '=', tenant).where('issue', '=', place.issue);
    if (loadedChecklist.property_print === expectedPrint) {
      await update.set({ property_registry: registry, property_print: expectedPrint }).execute();
      return false;
    }
    if (makesDue) await update.set({ property_wanted: true }).execute();
    return true;
  });
}

const BATCH_SIZE = 50;

/** The issues of a tenant with stale indexes. */
async function* withStaleIndexes(store: Store, tenant: string): AsyncGenerator<string> {
  const scope = { tenant, project: null, kind: 'indexes' } as const;
  for await (const issues of pagesOfIssues(BATCH_SIZE, (after, most) => staleIssues(store, scope, { after, most })))
    for (const { issue } of issues) yield issue;
}

/** Makes all stale indexes of a tenant anew, without a call to the tracker. Rejects with `Incomplete` after failures. */
export const refreshIndexes = (site: StaleSite, tenant: string): Promise<void> =>
  eachIssue('indexes', withStaleIndexes(site.store, tenant), issue => refreshStored(site, { tenant, issue }, false));
