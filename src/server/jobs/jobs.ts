import { randomUUID } from 'node:crypto';
import { predecessor } from '../../domain/editions.ts';
import { failures, jobs as messages, refusals } from '../../domain/messages.ts';
import { countStale } from '../checklists/commit/stale.ts';
import type { ChecklistService } from '../checklists/service/checklists.ts';
import { createSiteFields, mirrorOf } from '../checklists/service/site.ts';
import type { Sync } from '../copies/sync.ts';
import type { Tenant, Tenants } from '../platform/tenants.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { listFields } from '../platform/tracker/fields.ts';
import type { Trackers } from '../platform/tracker/trackers.ts';
import { eachSite } from '../queue/each.ts';
import { type Handlers, type JobRun, type Queue, RetryLater } from '../queue/queue.ts';
import { wantedCopies } from '../queue/wanted-copies.ts';
import { addJob, endJob, inheritedAt, nextJob, saveJob } from '../queue/wide-records.ts';
import type { Progress, WideJob } from '../queue/wide-types.ts';
import { background } from '../quota/work.ts';
import { createRegistries, noteRegistries } from '../statuses/registries.ts';
import { publish } from '../store/live-events.ts';
import type { Store } from '../store/store.ts';
import type { TextWorkers } from '../text-workers/pool.ts';
import { type CallersJobs, callersJobs } from './callers.ts';
import { importer } from './import.ts';
import { inheritor } from './inherit.ts';
import { inheritSettings } from './inherit-settings.ts';
import type { Mirror } from './mirror.ts';
import { createPace, pacedTracker } from './pace.ts';
import { withLogLine } from './progress.ts';
import type { ProjectCopy } from './project-copies.ts';
import { runIssues } from './run-issues.ts';
import type { WideSite, Work } from './site.ts';
import { checker, refresher } from './stored.ts';
import { synchronizer } from './synchronize.ts';
import { statusUpdater, updateTemplates } from './update-statuses.ts';

export interface WideJobsOptions {
  store: Store;
  tenants: Tenants;
  queue: Queue;
  checklists: Pick<ChecklistService, 'of' | 'permitted'>;
  sync: Pick<Sync, 'of' | 'recoverTenant'>;
  trackerOf: Trackers;
  /** Runs tasks over texts. */
  workers: TextWorkers;
  mirror: Pick<Mirror, 'write'>;
  /** Receives errors that do not stop the work. */
  onError(error: unknown): void;
  /** Waits `delay` milliseconds. */
  sleep?(delay: number): Promise<void>;
}

export interface WideJobs {
  of(caller: Caller): CallersJobs;
  /** Schedules the tenant's jobs. */
  wake(tenant: string): Promise<void>;
  /** After an installation, enqueues the copies that are due, and starts the takeover of the previous edition's data unless done. */
  installed(tenant: string): Promise<void>;
  jobs: Pick<Handlers, 'site-wide'>;
  /** Schedules open jobs of all tenants. */
  recover(): Promise<void>;
}

/** Other jobs run after a time slice of a job. */
const SLICE_MS = 10_000;
/** The tracker has completed an installation by then. */
const INSTALLATION_DELAY_MS = 2_000;
/** Progress events are throttled. */
const PROGRESS_INTERVAL_MS = 1_000;

export function createWideJobs(options: WideJobsOptions): WideJobs {
  const { store, tenants, queue, checklists, sync, trackerOf, workers, mirror, onError, sleep } = options;
  const registries = createRegistries(store);
  const siteFields = createSiteFields();
  const copies = wantedCopies(queue);

  /** One queued job per tenant: its wide jobs run in turns, in one process at a time. */
  const wake = (tenant: string) => queue.add('site-wide', { tenant }, { key: 'site-wide' });

  /** Takes over statuses and templates first, in the first slice: texts are parsed with them. */
  async function inheriting(site: WideSite, tracker: Tracker, { progress }: WideJob): Promise<Work> {
    const { tenant } = site;
    if (!predecessor) throw new Error('There is no edition to take over from.');
    if (progress.seen > 0) return inheritor(site, predecessor, []);
    const notes = await inheritSettings({
      ...{ store, tenant: tenant.id, tracker, copies, texts: site.texts, from: predecessor },
    });
    copies.wake();
    return inheritor(site, predecessor, notes);
  }

  /** Updates templates first, in the first slice: issues get their texts until then. */
  async function updatingStatuses(site: WideSite, { scope, progress }: WideJob): Promise<Work> {
    if (progress.seen === 0) await updateTemplates(site, scope);
    return statusUpdater(site, scope);
  }

  /** Updates the copies in projects first, in the first slice, and says which of them differed and which are refused. */
  async function checking(site: WideSite & { tracker: Tracker }, { scope, progress }: WideJob): Promise<Work> {
    const { tenant, tracker } = site;
    const work = checker({ ...site, field: () => mirrorOf(tenant, () => siteFields(tenant, tracker)) }, scope);
    if (scope.kind === 'issue' || progress.seen > 0) return work;
    const { written, refused } = await mirror.write(tenant);
    const isChecked = ({ project }: ProjectCopy) => scope.kind === 'site' || project === scope.id;
    const notes = [
      ...written.filter(isChecked).map(({ copy, key }) => messages.copyRepaired(copy, key)),
      ...refused.filter(isChecked).map(({ copy, key }) => messages.copyRefused(copy, key)),
    ];
    return { ...work, notes };
  }

  async function runSlice(tenant: Tenant, job: WideJob, run: JobRun): Promise<void> {
    const pace = createPace(sleep);
    const tracker = pacedTracker(trackerOf(tenant, background('job')), pace);
    const until = Date.now() + SLICE_MS;
    let publishedAt = 0;
    await runIssues({
      job,
      tracker,
      onError,
      async begin() {
        const site: WideSite = {
          ...{ tenant, store, pace, texts: workers.of({ tenant, account: job.account }) },
          checklists: checklists.permitted({ tenant, account: job.account }),
          sync: sync.of(tenant),
          // Only jobs that the tracker's list of issues feeds read its fields.
          fields: job.task.kind === 'REFRESH' || job.task.kind === 'CHECK' ? [] : await listFields(tracker),
          registries: () => registries(tenant),
        };
        switch (job.task.kind) {
          case 'IMPORT':
            return importer(site, job.task, job.scope);
          case 'STATUSES':
            return updatingStatuses(site, job);
          case 'INHERIT':
            return inheriting(site, tracker, job);
          case 'REFRESH':
            return refresher(site, job.scope);
          case 'CHECK':
            await store.tenant(tenant.id, tx => noteRegistries(tx, tenant.id));
            return checking({ ...site, tracker }, job);
          case 'SYNCHRONIZE':
            return synchronizer(site, job.scope);
        }
      },
      over: () => run.signal.aborted || Date.now() >= until,
      end: async (state, progress, work) => {
        const areStale = (await countStale(store, { tenant: tenant.id, project: null, kind: 'all' })) > 0;
        await store.tenant(tenant.id, async tx => {
          const ended = await endJob(tx, tenant.id, job.id, { state, progress });
          if (ended && state === 'DONE' && progress.failed === 0) await work.finish?.(tx);
          const { kind } = job.task;
          if (kind !== 'STATUSES' && !(kind === 'INHERIT' && areStale)) return;
          if (kind === 'STATUSES') await copies.want(tx, tenant.id);
          const task = { kind: 'REFRESH' } as const;
          await addJob(tx, tenant.id, { id: randomUUID(), task, scope: job.scope, account: job.account });
        });
        copies.wake();
      },
      save: progress =>
        store.tenant(tenant.id, async tx => {
          const isOpen = await saveJob(tx, tenant.id, job.id, progress);
          if (isOpen && Date.now() - publishedAt >= PROGRESS_INTERVAL_MS) {
            publishedAt = Date.now();
            await publish(tx, tenant.id, { kind: 'job', job: job.id });
          }
          return isOpen;
        }),
    });
  }

  /** Runs a slice of the job that waited longest. */
  async function work(tenantId: string, run: JobRun): Promise<void> {
    const next = () => store.tenant(tenantId, tx => nextJob(tx, tenantId));
    const fail = (id: string, progress: Progress, message: string) =>
      store.tenant(tenantId, tx =>
        endJob(tx, tenantId, id, { state: 'FAILED', progress: withLogLine(progress, message) }),
      );
    const job = await next();
    if (!job) return;
    const tenant = await tenants.find(tenantId);
    if (!tenant) await fail(job.id, job.progress, messages.uninstalled);
    else if (!tenant.licensed) await fail(job.id, job.progress, refusals.unlicensed);
    else {
      try {
        await runSlice(tenant, job, run);
      } catch (error) {
        if (run.lastTry && !(error instanceof RetryLater)) await fail(job.id, job.progress, failures.unknown);
        throw error;
      }
    }
    if (await next()) throw new RetryLater(0);
  }

  async function installed(tenant: string): Promise<void> {
    // Work that was due at an uninstallation lost its jobs, and projects may hold copies of an earlier installation.
    await sync.recoverTenant(tenant);
    await queue.add('mirror', { tenant }, { key: 'mirror', after: INSTALLATION_DELAY_MS });
    if (!predecessor) return;
    const due = await store.tenant(tenant, async tx => {
      if (await inheritedAt(tx, tenant)) return false;
      const task = { kind: 'INHERIT' } as const;
      await addJob(tx, tenant, { id: randomUUID(), task, scope: { kind: 'site' }, account: '' });
      return true;
    });
    // The tracker accepts calls only after the response to the installation callback.
    if (due) await queue.add('site-wide', { tenant }, { key: 'site-wide', after: INSTALLATION_DELAY_MS });
  }

  return {
    wake,
    installed,
    of: caller => callersJobs({ store, checklists, trackerOf, wake, onError }, caller),
    jobs: { 'site-wide': ({ tenant }, run) => work(tenant, run) },
    async recover() {
      await eachSite('search for open jobs', await store.tenants(), onError, async tenant => {
        if (await store.tenant(tenant, tx => nextJob(tx, tenant)))
          await queue.restore('site-wide', { tenant }, { key: 'site-wide', after: 0 });
      });
    },
  };
}
