import { Gauge } from 'prom-client';
import { isChecklistField } from '../../domain/storage.ts';
import { sleep } from '../../domain/timing.ts';
import { cleanText } from '../../text/document.ts';
import { forgetIssueName } from '../checklists/assigned/records.ts';
import { adopt } from '../checklists/commit/adopt.ts';
import { makeDue } from '../checklists/commit/due.ts';
import { loadState, lockChecklist, readState } from '../checklists/commit/load.ts';
import { derivation } from '../checklists/decide/derived.ts';
import { newestAuthor, putPosition, type TenantIssue } from '../checklists/read/revisions.ts';
import { sameField } from '../checklists/read/stored.ts';
import type { Site } from '../checklists/service/site.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { IssueEvent } from '../platform/issue-events.ts';
import type { Tenant, Tenants } from '../platform/tenants.ts';
import type { Caller } from '../platform/tokens.ts';
import { isIssueId } from '../platform/tracker/issue.ts';
import type { Trackers } from '../platform/tracker/trackers.ts';
import { eachSite } from '../queue/each.ts';
import type { Handlers, Queue } from '../queue/queue.ts';
import { background, type Cause } from '../quota/work.ts';
import type { Store } from '../store/store.ts';
import { createKeyedMutex } from '../text-workers/mutex.ts';
import type { RunTask } from '../text-workers/task.ts';
import { fieldMark } from './field.ts';
import { createOwnAccounts } from './own-account.ts';
import { type CopiesState, readCopiesState } from './records/copies-state.ts';
import { wantUnknownField } from './records/due-copies.ts';
import { noteHint, notePropertyEvent } from './records/hints.ts';
import { noteMail } from './records/mailed-projects.ts';
import { countRefused } from './records/refused-copies.ts';
import { loadCopies, noteShown, readCopies, type Writes } from './records/run.ts';
import type { SyncSite } from './refresh.ts';
import { copyRefusals, createMailSuppression, projectCopies } from './refusals.ts';
import { enqueueRead, syncIssue } from './run.ts';
import { enqueueWork, jobsOfCopies, SWEEP_INTERVAL_MS, sweep } from './sweep.ts';

/**
 * Marks the copies of an adopted checklist due, as after a change. Resolves with whether the property has room for it;
 * without room nothing is written.
 */
export async function takeOver(site: Site, place: TenantIssue): Promise<boolean> {
  const { store, tenant } = site;
  const registries = await site.registries();
  const statements = [lockChecklist(place), loadState(place, tenant.epoch)] as const;
  const mark = (run: RunTask) =>
    store.exchange(tenant.id, statements, async ([, loaded]) => {
      const state = readState(loaded.rows[0]);
      const { last, checklist } = state;
      if (!last || !checklist) return { statements: [], value: true };
      const statuses = registries.listOf(checklist.project ?? undefined);
      const { excess, verdict } = await run(derivation, { version: last, statuses });
      if (excess !== undefined) return { statements: [], value: false };
      if (checklist.mirrored) return { statements: [], value: true };
      const { epoch, seq } = last;
      const hasField = tenant.mirror !== 'none';
      const due = makeDue(site.queue, place, verdict, state, { hasField, isTakenOver: true });
      return { statements: [putPosition({ ...place, epoch, seq }), ...due.statements], value: true };
    });
  return site.texts.inTurnIfLarge(mark);
}

export interface SyncOptions {
  store: Store;
  metrics: Metrics;
  tenants: Tenants;
  queue: Queue;
  siteOf(tenant: Tenant, cause: Cause): Site;
  trackerOf: Trackers;
  /** Called with errors that did not stop the work. */
  onError(error: unknown): void;
}

/** The synchronisation of single issues, for jobs over many. */
export interface TenantSync {
  /** Reads a known issue, applies foreign changes and writes its due copies. Does nothing for an unknown one. */
  refresh(issueId: string): Promise<void>;
  /** Writes the due property of a known issue with the priority of jobs. Resolves with its state. */
  writeProperty(issueId: string): Promise<CopiesState>;
  /** Reads an issue, applies foreign changes and writes its copies now; adopts an unknown one first. */
  equalize(issueId: string): Promise<CopiesState>;
  /**
   * Adopts an issue's checklist and writes its copies from now on. Resolves with their state, or `undefined` if the
   * property has no room for the checklist.
   */
  takeOver(issueId: string): Promise<CopiesState | undefined>;
}

/** Writes the tracker's copies of checklists, and applies foreign changes (docs/storage.md). */
export interface Sync {
  jobs: Pick<Handlers, 'sync' | 'write-property' | 'write-field' | 'sweep'>;
  /** Handles an event of an issue. */
  noticed(caller: Caller, issueId: string, event: IssueEvent): Promise<void>;
  /** Writes a due property immediately, since the last panel of the issue has closed. */
  left(tenant: string, issue: string): Promise<void>;
  of(tenant: Tenant): TenantSync;
  /** Makes all due copies of a tenant due now. Resolves with whether there are any. */
  finish(tenant: string): Promise<boolean>;
  /** Enqueues lost and failed jobs of all tenants; waiting jobs keep their times. */
  recover(): Promise<void>;
  /** Recovers the copies of one tenant, and runs its waiting jobs now. */
  recoverTenant(tenant: string): Promise<void>;
}

/** Reads after events are debounced: a bulk change sends an event for each step. */
const READ_DELAY_MS = 1_000;
/** The state of copies that were forgotten with their issue. */
const gone: CopiesState = { isEqual: false, isMissing: true, isRefused: false, notice: null };
/** After this many writes in a row, the copies of an issue count as not equal. */
const MAX_ROUNDS = 5;
/** The pause after the first round, doubled after the second: another process may be writing the copies. */
const ROUND_PAUSE_MS = 500;

/** Counts the copies of all tenants that are not written. */
function countRefusedCopies(store: Pick<Store, 'sweep'>, metrics: Metrics): void {
  const refused: Gauge = new Gauge({
    name: 'copies_refused',
    help: 'Copies in the tracker that are not written, by copy and reason; each is tried again',
    labelNames: ['copy', 'reason'],
    registers: [metrics.registry],
    collect: metrics.asking('copies_refused', async () => {
      const { rows } = await store.sweep(tx => countRefused().execute(tx));
      for (const copy of ['property', 'field', ...projectCopies]) {
        for (const reason of copyRefusals) {
          const row = rows.find(each => each.copy === copy && each.reason === reason);
          refused.set({ copy, reason }, row ? row.issues + row.projects : 0);
        }
      }
    }),
  });
}

export function createSync({ store, metrics, tenants, queue, siteOf, trackerOf, onError }: SyncOptions): Sync {
  const accounts = createOwnAccounts();
  const suppressionOf = createMailSuppression((place, isMailed) =>
    // The field is written: a failure here must not write it again.
    noteMail(store, place, isMailed).catch(onError),
  );
  countRefusedCopies(store, metrics);

  type Work = 'event' | 'job' | 'sweep' | 'verdict';
  /** `account` is the author of the written revision, whose quota writes count against. */
  function syncSite(tenant: Tenant, work: Work, account: string | null = null): SyncSite {
    const site = siteOf(tenant, background(work));
    const callers = {
      event: site.tracker,
      property: trackerOf(tenant, { work: 'property', account }),
      verdict: trackerOf(tenant, { work: 'verdict', account }),
      field: trackerOf(tenant, { work: 'field', account }),
    };
    const ownAccount = () => accounts.of(tenant, site.tracker);
    const isOwn = (account: string) => accounts.isOwn(tenant, account);
    const urgent = () => syncSite(tenant, 'verdict', account);
    const mailIn = (project: string | undefined) => suppressionOf(tenant, project);
    return { ...site, callers, ownAccount, isOwn, mailIn, urgent, spare: () => spareSite(tenant) };
  }

  function spareSite(tenant: Tenant): SyncSite {
    const site = syncSite(tenant, 'job');
    const { event: tracker, field } = site.callers;
    const spare: SyncSite = {
      ...site,
      callers: { event: tracker, property: tracker, verdict: tracker, field },
      urgent: () => spare,
      spare: () => spare,
    };
    return spare;
  }

  /** Whether an update may have changed a copy or the project. */
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
    // The copies of an issue that was gone were forgotten.
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
        notePropertyEvent({
          ...place,
          account: isOwn || !event.isOfChecklist ? null : account,
          isForeign: isOwn === false,
        }),
      ]);
      if (noted.rows[0]?.isHinted) await queue.add('sync', place, { after: READ_DELAY_MS, key: issue });
      return;
    }
    await store.tenant(tenant.id, tx => forgetIssueName(tx, place));
    if (event.kind === 'updated' && !(await mayConcern(site, issue, event))) return;
    await enqueueRead(site, place, READ_DELAY_MS);
    // After the hint, which inserts a forgotten row: events may be repeated.
    if (event.kind === 'deleted') await store.batch(tenant.id, [noteShown({ ...place, missing: '-infinity' })]);
  }

  const runs = createKeyedMutex();
  /** Waits for a run of the issue in this process, which would be overdue otherwise, and begin again. */
  const runIssue = (site: SyncSite, place: TenantIssue, writes?: Writes) =>
    runs.run(`${place.tenant} ${place.issue}`, () => syncIssue(site, place, writes));

  /** Synchronises an issue now, and by a job if that fails. */
  async function syncNow(site: SyncSite, place: TenantIssue, writes?: Writes): Promise<void> {
    try {
      await runIssue(site, place, writes);
    } catch (error) {
      await queue.add('sync', place, { key: place.issue });
      throw error;
    }
  }

  /** Writes the copies of a known issue, also copies that are due later. Resolves with the state of the copies. */
  async function writeNow(site: SyncSite, place: TenantIssue): Promise<CopiesState> {
    const hasField = site.tenant.mirror !== 'none';
    for (let round = 1; ; round += 1) {
      if (hasField) await store.batch(place.tenant, [wantUnknownField(place)]);
      await syncNow(site, place, { property: true, field: true });
      const state = await readCopiesState(store, place, hasField);
      if (!state) return gone;
      // A foreign change makes the copies due, and a compare-and-set shows its effect with the next read.
      if (state.isEqual || state.isMissing || state.isRefused || round === MAX_ROUNDS) return state;
      await sleep(round * ROUND_PAUSE_MS);
    }
  }

  async function enqueueAll(tenant: string, enqueue: Queue['restore']): Promise<void> {
    if (!(await tenants.find(tenant))) return;
    await enqueue('sweep', { tenant }, { after: SWEEP_INTERVAL_MS, key: 'sweep' });
    await enqueueWork(store, tenant, enqueue);
  }

  /** Runs a job of an issue. */
  const job =
    (writes: Writes) =>
    async ({ tenant: id, issue }: TenantIssue): Promise<void> => {
      // The tenant may have uninstalled.
      const tenant = await tenants.find(id);
      if (!tenant) return;
      const place = { tenant: id, issue };
      const author = await store.tenant(id, tx => newestAuthor(tx, place));
      await runIssue(syncSite(tenant, 'event', author), place, writes);
    };

  return {
    jobs: {
      sync: job({ property: false, field: false }),
      'write-property': job({ property: true, field: false }),
      'write-field': job({ property: false, field: true }),
      async sweep({ tenant: id }) {
        const tenant = await tenants.find(id);
        if (tenant) await sweep(syncSite(tenant, 'sweep'));
      },
    },
    noticed,
    async left(tenant, issue) {
      if (!isIssueId(issue)) return;
      const [loaded] = await store.batch(tenant, [loadCopies({ tenant, issue })]);
      const state = readCopies(loaded.rows[0])?.property.state;
      if (state?.name === 'due') await queue.add('write-property', { tenant, issue }, { key: issue });
    },
    of: tenant => {
      const site = syncSite(tenant, 'job');
      return {
        async refresh(issue) {
          const place = { tenant: tenant.id, issue };
          const [noted] = await store.batch(tenant.id, [noteHint(place)]);
          if (noted.rows.length > 0) await syncNow(site, place);
        },
        async writeProperty(issue) {
          const place = { tenant: tenant.id, issue };
          await syncNow(spareSite(tenant), place, { property: true, field: false });
          return (await readCopiesState(store, place, false)) ?? gone;
        },
        async equalize(issue) {
          const place = { tenant: tenant.id, issue };
          const [known] = await store.batch(tenant.id, [noteHint(place)]);
          if (known.rows.length === 0) {
            await adopt(site, place);
            // Its copies may differ from each other.
            await store.batch(tenant.id, [noteHint(place)]);
          }
          return writeNow(site, place);
        },
        async takeOver(issue) {
          const place = { tenant: tenant.id, issue };
          // The stored checklist may be from an old read.
          const [noted] = await store.batch(tenant.id, [noteHint(place)]);
          await (noted.rows.length > 0 ? syncNow(site, place) : adopt(site, place));
          return (await takeOver(site, place)) ? writeNow(site, place) : undefined;
        },
      };
    },
    async finish(tenant) {
      let isOpen = false;
      for await (const { name, issue, isRefused } of jobsOfCopies(store, tenant)) {
        // Refused copies are tried once more, but not waited for.
        isOpen ||= !isRefused;
        await queue.add(name, { tenant, issue }, { key: issue });
      }
      return isOpen;
    },
    recoverTenant: tenant => enqueueAll(tenant, queue.add),
    async recover() {
      await eachSite('search for lost work', await store.tenants(), onError, id => enqueueAll(id, queue.restore));
    },
  };
}
