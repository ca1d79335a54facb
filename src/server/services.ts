import { type AdministrationOptions, type AdministrationService, createAdministration } from './administration.ts';
import { createRules, type Rules } from './assignments/apply.ts';
import { createFollowing, type Following } from './checklists/change/following.ts';
import { type ChecklistService, type ChecklistsOptions, createChecklists } from './checklists/checklists.ts';
import { createWideJobs, type WideJobs, type WideJobsOptions } from './jobs/jobs.ts';
import { createMirror } from './jobs/mirror.ts';
import type { Handlers } from './queue/queue.ts';
import { createSync, type Sync } from './sync/sync.ts';

export interface ServicesOptions
  extends Omit<ChecklistsOptions, 'refresh'>,
    Pick<WideJobsOptions, 'sleep'>,
    Pick<AdministrationOptions, 'limits'> {}

/** Services of the server, independent of the API that calls them. */
export interface Services {
  checklists: ChecklistService;
  sync: Sync;
  wideJobs: WideJobs;
  rules: Rules;
  following: Following;
  administration: AdministrationService;
  /** Handlers of the queue's jobs, by name. */
  jobs: Handlers;
}

export function createServices(options: ServicesOptions): Services {
  const { store, tenants, queue, trackerOf, sleep, limits, onError } = options;
  const checklists = createChecklists({
    ...options,
    refresh: (tenant, issue) => sync.of(tenant).refresh(issue),
  });
  const sync = createSync({ store, tenants, queue, siteOf: checklists.siteOf, trackerOf, onError });
  const mirror = createMirror({ store, tenants, queue, trackerOf });
  const wideJobs = createWideJobs({
    ...{ store, tenants, queue, checklists, sync, trackerOf, onError },
    mirror: mirror.queue,
    ...(sleep && { sleep }),
  });
  const rules = createRules({ store, tenants, queue, checklists, trackerOf });
  const following = createFollowing({ store, tenants, queue, siteOf: checklists.siteOf, onError });
  const administration = createAdministration({
    ...{ store, tenants, checklists, sync, wideJobs, mirror, trackerOf, onError },
    ...(limits && { limits }),
  });
  const jobs = { ...sync.jobs, ...wideJobs.jobs, ...mirror.jobs, ...rules.jobs, ...following.jobs };
  return { checklists, sync, wideJobs, rules, following, administration, jobs };
}

/** Milliseconds between two runs. */
const RECOVER = 10 * 60_000;
const PRUNE = 24 * 60 * 60_000;

/**
 * Runs `recover` at once and every ten minutes, and `prune` daily, one at a time. Returns the function that stops this
 * and resolves when neither runs.
 */
export function startMaintenance(
  { recover, prune }: { recover(): Promise<void>; prune(): Promise<void> },
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const then = (work: () => Promise<void>) => {
    running = running.then(work).catch(onError);
  };
  const timers = [setInterval(then, RECOVER, recover), setInterval(then, PRUNE, prune)];
  then(recover);
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await running;
  };
}
