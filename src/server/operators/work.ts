import { sql } from 'kysely';
import { countRefused, type RefusedCopies } from '../copies/records/refused-copies.ts';
import { createEntries } from '../queue/entries.ts';
import { hourEnd, hourOf } from '../quota/hours.ts';
import { APP_POOL, createLedger } from '../quota/ledger.ts';
import { createQuotaRecords } from '../quota/records.ts';
import { workClasses } from '../quota/work.ts';
import { checkTenantKeys } from '../store/sealed.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import type { Result } from './result.ts';
import { namedTenants } from './sites.ts';
import { messages, table } from './texts.ts';

/** Applies to failed jobs and to sites. */
const MAX_LISTED = 50;

interface FailedJob {
  tenant: string;
  key: string;
  name: string;
  /** Name of the error. */
  failed: string;
  due: Date;
}

const failedJobs = sql<FailedJob>`
  select tenant, key, name, failed, due from queue where failed is not null order by due desc limit ${sql.lit(MAX_LISTED)}`;

/** Refused copies of a site, by reason. */
interface RefusedOfSite extends RefusedCopies {
  tenant: string;
  /** Name of the site. */
  name: string;
}

async function listRefused(store: Store): Promise<RefusedOfSite[]> {
  const refusedOfSites: RefusedOfSite[] = [];
  for (const { id, name } of await namedTenants(store)) {
    const { rows } = await store.tenant(id, tx => countRefused({ tenant: id }).execute(tx));
    refusedOfSites.push(...rows.map(row => ({ tenant: id, name, ...row })));
  }
  return refusedOfSites;
}

/** The queued work of all sites, and the copies that the tracker refuses. */
export async function listDue(store: Store): Promise<Result> {
  const jobs = (await createEntries(store).count()).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const failed = (await store.sweep(tx => failedJobs.execute(tx))).rows;
  const counts = table(
    ['Work', 'State', 'Jobs', 'Overdue, seconds'],
    jobs.map(({ name, state, jobs: count, overdue }) => [name, state, count, Math.round(overdue)]),
  );
  const failures = table(
    ['Work', 'Key', 'Tenant', 'Failed with', 'Since'],
    failed.map(({ name, key, tenant, failed: error, due }) => [name, key, tenant, error, due.toISOString()]),
  );
  const refused = await listRefused(store);
  const copies = table(
    ['Site', 'Copy', 'Reason', 'Of', 'Next try'],
    refused.map(each => [each.name, each.copy, each.reason, messages.placesOf(each), messages.nextTry(each.next)]),
  );
  return {
    json: { jobs, failed, refused },
    text: [
      jobs.length === 0 ? messages.nothingDue : counts,
      ...(failed.length > 0 ? ['', messages.failedWork, failures] : []),
      ...(refused.length > 0 ? ['', messages.refusedCopies, copies] : []),
    ].join('\n'),
  };
}

export interface QuotaOptions {
  /** The most points of an hour that the app uses, if the operator limits them. */
  most: number | undefined;
  now(): number;
}

/** Points of this hour, as all processes have shared them. */
export async function showQuota(store: Store, { most, now }: QuotaOptions): Promise<Result> {
  const at = now();
  const ledger = createLedger({ most, now: () => at });
  const nothing = { uses: [], facts: [] };
  const shared = await createQuotaRecords(store).exchange({ given: nothing, hour: hourOf(at), since: null });
  ledger.shared(nothing, shared);
  const { limit, spent } = ledger.pool(APP_POOL);
  const until = new Date(hourEnd(at)).toISOString();
  const names = new Map((await namedTenants(store)).map(({ id, name }) => [id, name]));
  const bySite = new Map<string, number>();
  for (const { tenant, points } of shared.uses) bySite.set(tenant, (bySite.get(tenant) ?? 0) + points);
  const sites = [...bySite]
    .map(([tenant, points]) => ({
      tenant,
      name: names.get(tenant) ?? tenant,
      points,
      own: ledger.poolOf(tenant) !== APP_POOL,
    }))
    .toSorted((one, other) => other.points - one.points);
  const work = workClasses.map(({ name }) => ({ work: name, points: ledger.byWork().get(name) ?? 0 }));
  return {
    json: { limit, used: spent, until, work, sites },
    text: [
      messages.points(spent, limit, until),
      '',
      table(
        ['Work', 'Points'],
        work.map(({ work: name, points }) => [name, points]),
      ),
      '',
      table(
        ['Site', 'Points', ''],
        sites.slice(0, MAX_LISTED).map(({ name, points, own }) => [name, points, own ? messages.ownPool : '']),
      ),
    ].join('\n'),
  };
}

/**
 * Re-encrypts values of earlier keys with the newest key; with `isDry`, only counts. Code 1 if a value does not open.
 */
export async function resealAll(store: Store, vault: Vault, isDry: boolean): Promise<Result> {
  const sum = { newest: 0, old: 0, unknown: 0 };
  const unopened: string[] = [];
  for (const { id, name } of await namedTenants(store)) {
    const use = await checkTenantKeys(store, vault, id, !isDry);
    sum.newest += use.newest;
    sum.old += use.old;
    sum.unknown += use.unknown;
    if (use.unknown > 0) unopened.push(name);
  }
  return {
    json: { ...sum, sealed: isDry ? 0 : sum.old, unopened },
    text: [
      messages.resealed(sum.old, sum.newest, isDry),
      ...(sum.unknown > 0 ? [messages.unopened(sum.unknown, unopened)] : []),
    ].join('\n'),
    code: sum.unknown > 0 ? 1 : 0,
  };
}
