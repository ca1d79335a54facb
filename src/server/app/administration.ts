import { edition } from '../../domain/edition.ts';
import { callersApiTokens } from '../api-tokens/api-tokens.ts';
import { callersWebhooks, type WebhooksOptions } from '../automation/callers.ts';
import { knownProject } from '../checklists/read/project.ts';
import type { ChecklistService } from '../checklists/service/checklists.ts';
import type { Sync } from '../copies/sync.ts';
import { createRefusing } from '../errors/refusal.ts';
import { callersNotifications } from '../events/notifications/callers.ts';
import type { Administration } from '../http/graphql/builder.ts';
import type { WideJobs } from '../jobs/jobs.ts';
import type { People } from '../jobs/people/report.ts';
import type { Tenants } from '../platform/tenants.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Trackers } from '../platform/tracker/trackers.ts';
import { wantedCopies } from '../queue/wanted-copies.ts';
import { personalCause } from '../quota/work.ts';
import { callersSettings } from '../settings/settings.ts';
import { createWorkflowChecks } from '../settings/workflow-checks.ts';
import { createRegistries } from '../statuses/registries.ts';
import { callersStatuses } from '../statuses/statuses.ts';
import type { Store } from '../store/store.ts';
import { callersAssignments } from '../templates/assigned/callers.ts';
import { callersTemplates } from '../templates/callers.ts';
import type { TemplateLimits } from '../templates/rules.ts';
import type { TextWorkers } from '../text-workers/pool.ts';

export interface AdministrationService {
  of(caller: Caller): Administration;
  /** An administrator has edited a workflow rule of the tenant. */
  workflowRulesEdited(tenant: string): void;
}

export interface AdministrationOptions
  extends Pick<WebhooksOptions, 'vault' | 'queue' | 'deliver' | 'privateHosts' | 'baseUrl'> {
  store: Store;
  tenants: Pick<Tenants, 'change'>;
  checklists: Pick<ChecklistService, 'of'>;
  sync: Pick<Sync, 'finish'>;
  wideJobs: Pick<WideJobs, 'wake'>;
  erase: People['erase'];
  trackerOf: Trackers;
  /** Runs tasks over texts. */
  workers: TextWorkers;
  /** Template limits of the edition. */
  limits?: TemplateLimits;
  /** Receives errors that do not stop the work. */
  onError(error: unknown): void;
}

export function createAdministration(options: AdministrationOptions): AdministrationService {
  const { store, tenants, checklists, sync, wideJobs, trackerOf, limits = edition.limits, onError } = options;
  const { workers, vault, queue, deliver, privateHosts, baseUrl, erase } = options;
  const refusing = createRefusing(onError);
  const registries = createRegistries(store);
  const copies = wantedCopies(queue);
  const workflowChecks = createWorkflowChecks();
  return {
    workflowRulesEdited: workflowChecks.rulesEdited,
    of: caller => {
      const tracker = trackerOf(caller.tenant, personalCause(caller.account));
      const common = { store, caller, refusing, tracker };
      const texts = workers.of(caller);
      const permitted = checklists.of(caller);
      return {
        statuses: callersStatuses({
          ...{ ...common, tenants, onError, texts, viewable: permitted.viewable },
          knownProject: issue => knownProject({ store }, { tenant: caller.tenant.id, issue }),
          wake: wideJobs.wake,
          copies,
        }),
        templates: callersTemplates({
          ...{ ...common, checklists: permitted, registries, limits, texts },
          copies,
        }),
        assignments: callersAssignments(common),
        apiTokens: callersApiTokens(common),
        webhooks: callersWebhooks({ ...common, vault, queue, deliver, privateHosts, baseUrl }),
        notifications: callersNotifications({ store, caller, refusing, checklists: permitted }),
        workflowChecks: of => workflowChecks.read(caller, tracker, of),
        settings: callersSettings({ ...common, tenants, copies, finishCopies: sync.finish, erase }),
      };
    },
  };
}
