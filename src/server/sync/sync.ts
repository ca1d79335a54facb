import { isChecklistField } from '../../domain/storage.ts';
import { cleanText } from '../../text/document.ts';
import { adopt } from '../checklists/adopt.ts';
import { forgetCalled } from '../checklists/assigned/records.ts';
import { loadState, lockChecklist, readState } from '../checklists/change/state.ts';
import { markDue, verdictOf } from '../checklists/copies/due.ts';
import { fieldMark, sameField } from '../checklists/copies/field.ts';
import { tooLarge } from '../checklists/copies/property.ts';
import { newestAuthor, putPosition, type TenantIssue } from '../checklists/revisions.ts';
import type { Site } from '../checklists/site.ts';
import { readText } from '../common/reading.ts';
import type { IssueEvent } from '../platform/issue-events.ts';
import type { Tenant, Tenants } from '../platform/tenants.ts';
import type { Caller } from '../platform/tokens.ts';
import { isIssueId } from '../platform/tracker/issue.ts';
import type { Trackers } from '../platform/tracker/trackers.ts';
import type { Handlers, Queue } from '../queue/queue.ts';
import { background, type Cause } from '../quota/work.ts';
import type { Store } from '../store/store.ts';
import { createOwnAccounts } from './own-account.ts';
import { hastenAll, hastenProperty, isOpen, noteDeleted, noteHint, notePropertyEvent } from './records.ts';
import { hint, type SyncSite, syncIssue } from './run.ts';
import { EVERY, sweep } from './sweep.ts';

/**
 * Has what was adopted written into the tracker's copies, as if it had been changed here; resolves with whether the
 * property has room for it: what has none is left alone.
 */
export async function takeOver(site: Site, place: TenantIssue): Promise<boolean> {
  const { store, tenant } = site;
  const registries = await site.registries();
  const statements = [lockChecklist(place), loadState(place, tenant.epoch)] as const;
  return store.exchange(tenant.id, statements, ([, loaded]) => {
    const state = readState(loaded.rows[0]);
    const { last, checklist } = state;
    if (!last || !checklist) return { statements: [], value: true };
    const statuses = registries.of(checklist.project ?? undefined);
    if (tooLarge(last, statuses)) return { statements: [], value: false };
    if (checklist.mirrored) return { statements: [], value: true };
    const { epoch, seq } = last;
    const due = markDue(place, verdictOf(readText(last.text, statuses).rows), state, tenant.mirror !== 'none');
    return { statements: [putPosition({ ...place, epoch, seq }), due.statement], value: true };
  });
}

export interface SyncOptions {
  store: Store;
  tenants: Tenants;
  queue: Queue;
  siteOf(tenant: Tenant, cause: Cause): Site;
  trackerOf: Trackers;
  /** Told of what went wrong and did not stop the work. */
  onError(error: unknown): void;
}

/** What jobs over many issues do with the copies of one. */
export interface TenantSync {
  /** Reads an issue, takes up foreign changes and makes its copies equal, unless the database does not know it. */
  refresh(issueId: string): Promise<void>;
  /** Keeps copies of what stands in an issue from now on; resolves with whether the property has room for it. */
  takeOver(issueId: string): Promise<boolean>;
}

/** Keeps the tracker's copies of checklists equal, and takes up foreign changes (design.md §4.2). */
export interface Sync {
  jobs: Pick<Handlers, 'sync' | 'sweep'>;
  /** The tracker told of an event of an issue. */
  noticed(caller: Caller, issueId: string, event: IssueEvent): Promise<void>;
  /** The last panel of an issue has closed: what is to be written of its property is written now. */
  left(tenant: string, issue: string): Promise<void>;
  of(tenant: Tenant): TenantSync;
  /** Has all copies of a tenant that are still to be written be written now; resolves with whether there are any. */
  finish(tenant: string): Promise<boolean>;
  /** Enqueues what the queue lost, or gave up, tenant by tenant; what waits there goes on waiting. */
  recover(): Promise<void>;
  /** The same for one tenant: what waits is to go on. */
  recoverTenant(tenant: string): Promise<void>;
}

/** Milliseconds after which an issue is read that may have changed: a bulk change tells of each step. */
const LOOK = 1_000;
/** Issues that are enqueued at once. */
const BATCH = 1_000;

export function createSync({ store, tenants, queue, siteOf, trackerOf, onError }: SyncOptions): Sync {
  const accounts = createOwnAccounts();

  type Work = 'event' | 'job' | 'sweep' | 'verdict';
  /** Writes are counted for the account that made what is written, if one did. */
  function syncSite(tenant: Tenant, work: Work, account: string | null = null): SyncSite {
    const site = siteOf(tenant, background(work));
    const callers = {
      event: site.tracker,
      property: trackerOf(tenant, { work: 'property', account }),
      verdict: trackerOf(tenant, { work: 'verdict', account }),
      field: trackerOf(tenant, { work: 'field', account }),
    };
    const ownAccount = () => accounts.of(tenant, site.tracker);
    return { ...site, callers, ownAccount, urgent: () => syncSite(tenant, 'verdict', account) };
  }

  /** Whether an update may have changed what is kept in the tracker. */
  async function mayConcern(site: SyncSite, issue: string, { changes }: IssueEvent): Promise<boolean> {
    if (changes === undefined) return true;
    const { tenant } = site;
    const row = await store.tenant(tenant.id, tx =>
      tx
        .selectFrom('sync')
        .select(['field', 'field_text', 'field_pending'])
        .where('tenant', '=', tenant.id)
        .where('issue', '=', issue)
        .executeTakeFirst(),
    );
    // Of an issue that was gone for a while nothing is known.
    if (!row) return true;
    const isEcho = (to: string | null) => {
      const { text } = cleanText(to ?? '');
      if (fieldMark(text) === row.field_pending) return true;
      return row.field_text !== null && sameField(text, row.field_text);
    };
    return changes.some(({ id, name, to }) => {
      if (id === 'project') return true;
      if (id === row.field) return !isEcho(to);
      return row.field === null && isChecklistField(name);
    });
  }

  async function noticed({ tenant, account }: Caller, issue: string, event: IssueEvent): Promise<void> {
    if (!isIssueId(issue) || event.kind === 'created') return;
    const place = { tenant: tenant.id, issue };
    const site = syncSite(tenant, 'event');
    if (event.kind === 'property') {
      const isOwn = accounts.isOwn(tenant, account);
      const [noted] = await store.batch(tenant.id, [
        notePropertyEvent({ ...place, account: isOwn ? null : account, isForeign: isOwn === false }),
      ]);
      if (noted.rows[0]?.isHinted) await queue.add('sync', place, { after: LOOK, key: issue });
      return;
    }
    await store.tenant(tenant.id, tx => forgetCalled(tx, place));
    if (event.kind === 'updated' && !(await mayConcern(site, issue, event))) return;
    await hint(site, place, LOOK);
    // After the hint, which makes a row of what was forgotten: events come twice.
    if (event.kind === 'deleted') await store.batch(tenant.id, [noteDeleted(place)]);
  }

  /** Brings an issue's copies up to date now, and by a job where the tracker does not answer. */
  async function syncNow(site: SyncSite, place: TenantIssue): Promise<void> {
    try {
      await syncIssue(site, place);
    } catch (error) {
      await queue.add('sync', place, { key: place.issue });
      throw error;
    }
  }

  async function enqueueOpen(tenant: string, enqueue: Queue['restore']): Promise<void> {
    if (!(await tenants.find(tenant))) return;
    await enqueue('sweep', { tenant }, { after: EVERY, key: 'sweep' });
    for (let after = ''; ; ) {
      const open = await store.tenant(tenant, tx =>
        tx
          .selectFrom('sync')
          .select('issue')
          .where('tenant', '=', tenant)
          .where('issue', '>', after)
          .where(isOpen)
          .orderBy('issue')
          .limit(BATCH)
          .execute(),
      );
      for (const { issue } of open) await enqueue('sync', { tenant, issue }, { after: 0, key: issue });
      const last = open.at(-1);
      if (!last || open.length < BATCH) return;
      after = last.issue;
    }
  }

  return {
    jobs: {
      async sync({ tenant: id, issue }) {
        // For a tenant that is gone there is nothing to do.
        const tenant = await tenants.find(id);
        if (!tenant) return;
        const place = { tenant: id, issue };
        const author = await store.tenant(id, tx => newestAuthor(tx, place));
        await syncIssue(syncSite(tenant, 'event', author), place);
      },
      async sweep({ tenant: id }) {
        const tenant = await tenants.find(id);
        if (tenant) await sweep(syncSite(tenant, 'sweep'));
      },
    },
    noticed,
    async left(tenant, issue) {
      if (!isIssueId(issue)) return;
      const [hastened] = await store.batch(tenant, [hastenProperty({ tenant, issue })]);
      if (hastened.rows.length > 0) await queue.add('sync', { tenant, issue }, { key: issue });
    },
    of: tenant => {
      const site = syncSite(tenant, 'job');
      return {
        async refresh(issue) {
          const place = { tenant: tenant.id, issue };
          const [noted] = await store.batch(tenant.id, [noteHint(place)]);
          if (noted.rows.length > 0) await syncNow(site, place);
        },
        async takeOver(issue) {
          const place = { tenant: tenant.id, issue };
          // What is known of it may be what a reader found there long ago.
          const [noted] = await store.batch(tenant.id, [noteHint(place)]);
          await (noted.rows.length > 0 ? syncNow(site, place) : adopt(site, place));
          const fits = await takeOver(site, place);
          if (fits) await syncNow(site, place);
          return fits;
        },
      };
    },
    async finish(tenant) {
      const [open] = await store.batch(tenant, [hastenAll({ tenant })]);
      if (open.rows.length > 0) await enqueueOpen(tenant, queue.add);
      return open.rows.length > 0;
    },
    recoverTenant: tenant => enqueueOpen(tenant, queue.add),
    async recover() {
      // What fails for one tenant does not stop the others.
      for (const id of await store.tenants()) await enqueueOpen(id, queue.restore).catch(onError);
    },
  };
}
