import { sql } from 'kysely';
import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';
import type { ChecklistService } from '../../checklists/service/checklists.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tenant, Tenants } from '../../platform/tenants.ts';
import { MAX_REPORTED, type ReportedAccount, reportAccounts } from '../../platform/tracker/report-accounts.ts';
import type { Trackers } from '../../platform/tracker/trackers.ts';
import { eachOf, eachSite } from '../../queue/each.ts';
import type { Handlers, Queue } from '../../queue/queue.ts';
import { wantedCopies } from '../../queue/wanted-copies.ts';
import { startDelayOf } from '../../quota/hours.ts';
import { background } from '../../quota/work.ts';
import type { Store } from '../../store/store.ts';
import { eraseAccount } from './erase.ts';
import { storedAccounts } from './stored-accounts.ts';

/** The days between two reports until the platform names another cycle, and after a refused report. */
const DEFAULT_CYCLE_DAYS = 7;
const REFUSED_CYCLE_DAYS = 1;
const DAY_MS = 24 * 60 * 60_000;

export interface PeopleOptions {
  store: Store;
  tenants: Tenants;
  queue: Pick<Queue, 'restore' | 'enqueue' | 'wake'>;
  checklists: Pick<ChecklistService, 'permitted'>;
  trackerOf: Trackers;
  onError(error: unknown): void;
}

/** Reports the accounts of persons that are stored to the platform, which says whom to erase. */
export interface People {
  jobs: Pick<Handlers, 'report-people'>;
  /** Enqueues the next report of each site. */
  recover(): Promise<void>;
  /**
   * Erases a person by an administrator's wish. Resolves with the number of changed checklists, `undefined` if nothing
   * is stored about the account.
   */
  erase(tenant: Tenant, account: string, by: string): Promise<number | undefined>;
}

const cycleShape = v.object({ days: v.number(), wait: v.number() });
const accountsShape = v.array(v.object({ accountId: v.string(), updatedAt: v.date() }));

/** The days of a site's cycle, and the milliseconds until its next report. */
async function cycleOf(store: Store, tenant: string) {
  const { rows } = await store.tenant(tenant, tx =>
    sql`select days, (extract(epoch from due - now()) * 1000)::float8 as wait
      from report_cycle where tenant = ${tenant}`.execute(tx),
  );
  return rows[0] === undefined ? undefined : parseAs(cycleShape, rows[0]);
}

/** Sets the time of the next report. */
const putCycle = (store: Store, tenant: string, days: number, { isRefused }: { isRefused: boolean }) =>
  store.tenant(tenant, tx =>
    sql`insert into report_cycle (tenant, days, due, refused)
      values (${tenant}, ${days}, now() + make_interval(days => ${isRefused ? REFUSED_CYCLE_DAYS : days}::int), ${isRefused})
      on conflict (tenant) do update set days = excluded.days, due = excluded.due, refused = excluded.refused`.execute(
      tx,
    ),
  );

/** Notes the stored accounts. Resolves with the accounts that were not reported since the cycle began. */
async function dueAccounts(store: Store, tenant: string, days: number): Promise<ReportedAccount[]> {
  const stored = await storedAccounts(store, tenant);
  return store.tenant(tenant, async tx => {
    await sql`delete from reported_account where tenant = ${tenant} and account <> all(${stored}::text[])`.execute(tx);
    await sql`insert into reported_account (tenant, account)
      select ${tenant}, account from unnest(${stored}::text[]) account on conflict do nothing`.execute(tx);
    // A report that failed goes on with the accounts that are left.
    const { rows } = await sql`select account as "accountId", refreshed as "updatedAt" from reported_account
      where tenant = ${tenant} and (reported is null or reported < now() - make_interval(hours => ${days * 12}::int))
      order by account`.execute(tx);
    return parseAs(accountsShape, rows);
  });
}

/** Notes a report, and drops the cached data of changed accounts, which their browsers send again. */
const noteReported = (store: Store, tenant: string, accounts: readonly string[], updated: readonly string[]) =>
  store.tenant(tenant, async tx => {
    await sql`update reported_account set reported = now(),
        refreshed = case when account = any(${updated}::text[]) then now() else refreshed end
      where tenant = ${tenant} and account = any(${accounts}::text[])`.execute(tx);
    await sql`update person set zone = null where tenant = ${tenant} and account = any(${updated}::text[])`.execute(tx);
  });

export function createPeople({ store, tenants, queue, checklists, trackerOf, onError }: PeopleOptions): People {
  const copies = wantedCopies(queue);
  async function report(tenant: Tenant): Promise<void> {
    const tracker = trackerOf(tenant, background('job'));
    let days = (await cycleOf(store, tenant.id))?.days ?? DEFAULT_CYCLE_DAYS;
    const accounts = await dueAccounts(store, tenant.id, days);
    const failed: unknown[] = [];
    for (let from = 0; from < accounts.length; from += MAX_REPORTED) {
      const batch = accounts.slice(from, from + MAX_REPORTED);
      const { closed, updated, days: cycleDays } = await reportAccounts(tracker, batch);
      days = cycleDays ?? days;
      const ids = batch.map(({ accountId }) => accountId);
      // Only accounts that were reported: the answer is not trusted with others.
      const { failures } = await eachOf(
        closed.filter(id => ids.includes(id)),
        () => 'a person',
        account => eraseAccount({ store, tenant, checklists, copies }, account),
      );
      const unerased = failures.map(({ thing }) => thing);
      failed.push(...failures.map(({ error }) => error));
      await noteReported(
        store,
        tenant.id,
        ids.filter(id => !unerased.includes(id)),
        updated,
      );
    }
    // They are reported again by the job's next try.
    if (failed.length > 0) throw new AggregateError(failed, `Not erased completely: ${failed.length}`);
    await putCycle(store, tenant.id, days, { isRefused: false });
  }

  return {
    jobs: {
      async 'report-people'({ tenant: id }) {
        const tenant = await tenants.find(id);
        if (!tenant) return;
        const cycle = await cycleOf(store, id);
        if (cycle && cycle.wait > 0) return;
        try {
          await report(tenant);
        } catch (error) {
          if (!(error instanceof TrackerRefused)) throw error;
          // For example until a site approves the version with the scope. Not tried again before the next day.
          await putCycle(store, id, cycle?.days ?? DEFAULT_CYCLE_DAYS, { isRefused: true });
          onError(error);
        }
      },
    },
    async recover() {
      await eachSite('search for lost reports', await store.tenants(), onError, async id => {
        if (!(await tenants.find(id))) return;
        const wait = (await cycleOf(store, id))?.wait ?? startDelayOf(id, 'people');
        await queue.restore(
          'report-people',
          { tenant: id },
          { after: Math.min(Math.max(0, wait), DAY_MS), key: 'people' },
        );
      });
    },
    async erase(tenant, account, by) {
      if (!(await storedAccounts(store, tenant.id)).includes(account)) return undefined;
      return eraseAccount({ store, tenant, checklists, copies }, account, by);
    },
  };
}
