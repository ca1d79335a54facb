import { randomUUID } from 'node:crypto';
import { predecessor } from '../../domain/editions.ts';
import { managing, jobs as messages, refusals } from '../../domain/messages.ts';
import { anonymous } from '../../domain/user.ts';
import { requireAdmin } from '../access/project-permissions.ts';
import { countStale } from '../checklists/commit/stale.ts';
import type { ChecklistService } from '../checklists/service/checklists.ts';
import type { Checklists } from '../checklists/service/types.ts';
import { mailedProjects } from '../copies/records/mailed-projects.ts';
import { countRefused, type RefusedCopies } from '../copies/records/refused-copies.ts';
import { asRefusal, createRefusing } from '../errors/refusal.ts';
import { Refused } from '../errors/refused.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import type { Trackers } from '../platform/tracker/trackers.ts';
import { addJob, dropJob, endJob, findJob, inheritedAt, listJobs, openJob } from '../queue/wide-records.ts';
import type { Scope, Task, WideJob } from '../queue/wide-types.ts';
import { personalCause } from '../quota/work.ts';
import type { Store } from '../store/store.ts';

/**
 * Rejects with `Refused` unless the caller has the permission to run jobs there: on a site to administer
 * it, in a project to manage its templates, on an issue to edit its checklist.
 */
export async function requireScope(caller: Caller, tracker: Tracker, checklists: Checklists, scope: Scope) {
  if (caller.account === anonymous.id) throw new Refused('FORBIDDEN', refusals.permission);
  if (scope.kind !== 'issue') return requireAdmin(caller, tracker, scope.kind === 'site' ? null : scope.id);
  const issueFlags = (await checklists.flagsNow([scope.id])).get(scope.id);
  if (!issueFlags?.canEditChecklist) throw new Refused('FORBIDDEN', refusals.permission);
}

/** Jobs over a project, a site or an issue, with the permissions of one account. Rejects with `Refused`. */
export interface CallersJobs {
  /** Starts a job. Resolves with the open one if the same job is open already. */
  start(task: Task, scope: Scope): Promise<WideJob>;
  /** Cancels a job. Finished issues stay changed. */
  cancel(id: string): Promise<WideJob>;
  find(id: string): Promise<WideJob>;
  /** The last jobs of exactly this scope, newest first. */
  list(scope: Scope): Promise<WideJob[]>;
  /** Progress of taking over the previous edition's data; `null` if there is no previous edition. */
  inheritance(): Promise<Inheritance | null>;
  /** Counts of stored data that waits, for administrators of the site or of the project. */
  storedData(scope: StoredScope): Promise<StoredData>;
}

/** A site or a project. */
export type StoredScope = Exclude<Scope, { kind: 'issue' }>;

export interface StoredData {
  refused: readonly RefusedCopies[];
  /** Issues whose indexes or property were made with other statuses. */
  stale: number;
  /** Keys of projects in which writes of the text field send mail to watchers. */
  mailed: readonly string[];
}

export interface Inheritance {
  /** When all was taken over. */
  ended: Date | null;
  /** The last job for it. */
  job: WideJob | null;
}

export interface CallersOptions {
  store: Store;
  checklists: Pick<ChecklistService, 'of'>;
  trackerOf: Trackers;
  /** Schedules the tenant's jobs. */
  wake(tenant: string): Promise<void>;
  onError(error: unknown): void;
}

/** A job's outcome and counts, without names of issues. */
const withoutIssues = (job: WideJob): WideJob => ({
  ...job,
  progress: { ...job.progress, log: job.progress.log.map(entry => ({ ...entry, issue: null })) },
});

const jobId = /^[\da-f-]{36}$/;

const sameTask = (one: Task, other: Task): boolean =>
  one.kind === other.kind &&
  (one.kind !== 'IMPORT' || other.kind !== 'IMPORT' || (one.mode === other.mode && one.dryRun === other.dryRun));

export function callersJobs(options: CallersOptions, caller: Caller): CallersJobs {
  const { store, checklists, trackerOf, wake, onError } = options;
  const { tenant, account } = caller;
  const allow = (scope: Scope) =>
    requireScope(caller, trackerOf(tenant, personalCause(account)), checklists.of(caller), scope);

  async function isAllowed(scope: Scope): Promise<boolean> {
    try {
      await allow(scope);
      return true;
    } catch (error) {
      if (asRefusal(error) instanceof Refused) return false;
      throw error;
    }
  }

  async function requireJob(id: string): Promise<WideJob> {
    const job = jobId.test(id) ? await store.tenant(tenant.id, tx => findJob(tx, tenant.id, id)) : undefined;
    if (!job) throw new Refused('NOT_FOUND', messages.notFound);
    return job;
  }

  async function start(task: Task, scope: Scope): Promise<WideJob> {
    await allow(scope);
    if (task.kind === 'INHERIT' && (!predecessor || scope.kind !== 'site'))
      throw new Refused('NOT_FOUND', messages.notFound);
    const id = randomUUID();
    const job = await store.tenant(tenant.id, async tx => {
      const added = await addJob(tx, tenant.id, { id, task, scope, account });
      return added ? findJob(tx, tenant.id, id) : openJob(tx, tenant.id, task.kind, scope);
    });
    if (!job || !sameTask(job.task, task)) throw new Refused('BUSY', messages.busy);
    try {
      await wake(tenant.id);
    } catch (error) {
      await store.tenant(tenant.id, tx => dropJob(tx, tenant.id, id));
      throw error;
    }
    return job;
  }

  async function cancel(id: string): Promise<WideJob> {
    const { scope } = await requireJob(id);
    await allow(scope);
    await store.tenant(tenant.id, tx => endJob(tx, tenant.id, id, { state: 'CANCELLED' }));
    return requireJob(id);
  }

  async function find(id: string): Promise<WideJob> {
    const job = await requireJob(id);
    if (job.account !== account) {
      await allow(job.scope);
      return job;
    }
    // The permission may have ended since the start.
    if (job.progress.log.every(({ issue }) => issue === null)) return job;
    return (await isAllowed(job.scope)) ? job : withoutIssues(job);
  }

  async function list(scope: Scope): Promise<WideJob[]> {
    await allow(scope);
    return store.tenant(tenant.id, tx => listJobs(tx, tenant.id, scope));
  }

  async function inheritance(): Promise<Inheritance | null> {
    const scope = { kind: 'site' } as const;
    await allow(scope);
    if (!predecessor) return null;
    return store.tenant(tenant.id, async tx => {
      const job = (await listJobs(tx, tenant.id, scope)).find(({ task }) => task.kind === 'INHERIT');
      return { ended: await inheritedAt(tx, tenant.id), job: job ?? null };
    });
  }

  async function storedData(scope: StoredScope): Promise<StoredData> {
    await allow(scope);
    const ofTenant = { tenant: tenant.id };
    const counted = scope.kind === 'site' ? ofTenant : { ...ofTenant, project: scope.id };
    const project = scope.kind === 'site' ? null : scope.id;
    const { rows } = await store.tenant(tenant.id, tx => countRefused(counted).execute(tx));
    const mailed = await store.tenant(tenant.id, tx => mailedProjects(tx, tenant.id, project));
    return { refused: rows, mailed, stale: await countStale(store, { ...ofTenant, project, kind: 'all' }) };
  }

  const refusing = createRefusing(onError);
  return {
    start: (task, scope) =>
      refusing(start(task, scope), task.kind === 'SYNCHRONIZE' ? managing.synchronize : undefined),
    cancel: id => refusing(cancel(id)),
    find: id => refusing(find(id)),
    list: scope => refusing(list(scope)),
    inheritance: () => refusing(inheritance()),
    storedData: scope => refusing(storedData(scope)),
  };
}
