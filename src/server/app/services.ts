import { createIncoming } from '../automation/incoming.ts';
import { type ChecklistsOptions, createChecklists } from '../checklists/service/checklists.ts';
import { createSync } from '../copies/sync.ts';
import { createFollowing } from '../events/following.ts';
import { createNotifications } from '../events/notifications/notifications.ts';
import { createRules } from '../events/rules.ts';
import { createDeliver, type DeliverOptions } from '../events/webhooks/deliver.ts';
import { createSender } from '../events/webhooks/send.ts';
import { createFieldMoves } from '../jobs/field-moves.ts';
import { createWideJobs, type WideJobsOptions } from '../jobs/jobs.ts';
import { createMirror } from '../jobs/mirror.ts';
import { createPeople } from '../jobs/people/report.ts';
import { createPruning, type PruningOptions } from '../jobs/pruning.ts';
import { eachSite } from '../queue/each.ts';
import type { Handlers } from '../queue/queue.ts';
import type { Vault } from '../store/vault.ts';
import { createTextWorkers, type TextWorkers } from '../text-workers/pool.ts';
import { type AdministrationOptions, createAdministration } from './administration.ts';

export interface ServicesOptions
  extends Omit<ChecklistsOptions, 'refresh' | 'workers'>,
    Pick<WideJobsOptions, 'sleep'>,
    Pick<AdministrationOptions, 'limits'>,
    Pick<PruningOptions, 'keepUninstalled'> {
  vault: Vault;
  /** Runs tasks over texts; by default of these services alone. */
  workers?: TextWorkers;
  /** The server's URL. */
  baseUrl: string;
  /** How webhooks are sent. */
  webhooks?: Pick<DeliverOptions, 'privateHosts' | 'lookup'>;
  /** The clock of notifications and signatures. */
  now?(): number;
}

/** Services of the server, independent of the API that calls them. */
export type Services = ReturnType<typeof createServices>;

export function createServices(options: ServicesOptions) {
  const {
    store,
    vault,
    metrics,
    tenants,
    queue,
    trackerOf,
    sleep,
    limits,
    onError,
    baseUrl,
    webhooks = {},
    now,
  } = options;
  const { workers = createTextWorkers({ onError }) } = options;
  const checklists = createChecklists({
    ...options,
    workers,
    refresh: (tenant, issue) => sync.of(tenant).refresh(issue),
  });
  const sync = createSync({ store, metrics, tenants, queue, siteOf: checklists.siteOf, trackerOf, onError });
  const mirror = createMirror({ store, tenants, queue, trackerOf, watch: options.watch, onError });
  const wideJobs = createWideJobs({
    ...{ store, tenants, queue, checklists, sync, trackerOf, workers, onError },
    mirror,
    ...(sleep && { sleep }),
  });
  const rules = createRules({ store, tenants, queue, checklists, trackerOf });
  const following = createFollowing({ store, tenants, queue, siteOf: checklists.siteOf, onError });
  const deliver = createDeliver(webhooks);
  const clock = now && { now };
  const sender = createSender({ store, vault, tenants, deliver, queue, onError, ...clock });
  const incoming = createIncoming({
    ...{ store, vault, tenants, checklists, ...clock },
  });
  const notifications = createNotifications({ store, tenants, queue, trackerOf, workers, ...clock });
  const pruning = createPruning(options);
  const people = createPeople({ store, tenants, queue, checklists, trackerOf, onError });
  const fieldMoves = createFieldMoves({ store, tenants, queue, trackerOf, metrics, onError });
  const administration = createAdministration({
    ...{ store, vault, tenants, checklists, sync, wideJobs, trackerOf, onError, queue, deliver, baseUrl },
    erase: people.erase,
    privateHosts: webhooks.privateHosts ?? [],
    workers,
    ...(limits && { limits }),
  });
  /** Handlers of the queue's jobs, by name. */
  const jobs: Handlers = {
    ...{ ...sync.jobs, ...wideJobs.jobs, ...mirror.jobs, ...rules.jobs, ...following.jobs },
    ...{ ...sender.jobs, ...notifications.jobs, ...pruning.jobs, ...people.jobs, ...fieldMoves.jobs },
  };
  return {
    ...{ checklists, sync, wideJobs, rules, following, incoming, notifications, pruning },
    ...{ people, fieldMoves, administration, jobs },
    /** Restores lost updates of the copies in projects. */
    recoverProjects: mirror.recover,
    /** Restores lost jobs of webhooks and notifications, and drops calls and notices that wait beyond their limit. */
    async recoverEvents() {
      await eachSite('search for lost events', await store.tenants(), onError, async id => {
        // Not of uninstalled tenants, for which no job does anything.
        if (!(await tenants.find(id))) return;
        await sender.recover(id);
        await notifications.recover(id);
      });
    },
  };
}
