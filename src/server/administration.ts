import { edition } from '../domain/edition.ts';
import { callersAssignments } from './assignments/callers.ts';
import type { Assignments } from './assignments/types.ts';
import type { ChecklistService } from './checklists/checklists.ts';
import type { WideJobs } from './jobs/jobs.ts';
import type { Mirror } from './jobs/mirror.ts';
import type { Tenants } from './platform/tenants.ts';
import type { Caller } from './platform/tokens.ts';
import type { Trackers } from './platform/tracker/trackers.ts';
import { personal } from './quota/work.ts';
import { createRefusing } from './refusing.ts';
import { callersSettings } from './settings/settings.ts';
import type { Settings } from './settings/types.ts';
import { createRegistries } from './statuses/registries.ts';
import { callersStatuses } from './statuses/statuses.ts';
import type { Statuses } from './statuses/types.ts';
import type { Store } from './store/store.ts';
import type { Sync } from './sync/sync.ts';
import { callersTemplates } from './templates/callers.ts';
import type { TemplateLimits } from './templates/rules.ts';
import type { Templates } from './templates/types.ts';

/** What administrators decide, of one tenant, as one account may see and change it. */
export interface Administration {
  statuses: Statuses;
  templates: Templates;
  assignments: Assignments;
  settings: Settings;
}

export interface AdministrationService {
  of(caller: Caller): Administration;
}

export interface AdministrationOptions {
  store: Store;
  tenants: Pick<Tenants, 'change'>;
  checklists: Pick<ChecklistService, 'of'>;
  sync: Pick<Sync, 'finish'>;
  wideJobs: Pick<WideJobs, 'wake'>;
  mirror: Pick<Mirror, 'queue'>;
  trackerOf: Trackers;
  /** Most templates that the edition holds. */
  limits?: TemplateLimits;
  /** Told of what went wrong and did not stop the work. */
  onError(error: unknown): void;
}

export function createAdministration(options: AdministrationOptions): AdministrationService {
  const { store, tenants, checklists, sync, wideJobs, mirror, trackerOf, limits = edition.limits, onError } = options;
  const refusing = createRefusing(onError);
  const registries = createRegistries(store);
  return {
    of: caller => {
      const tracker = trackerOf(caller.tenant, personal(caller.account));
      const common = { store, caller, refusing, tracker };
      const permitted = checklists.of(caller);
      return {
        statuses: callersStatuses({
          ...{ ...common, tenants, onError, checklists: permitted },
          wake: wideJobs.wake,
          mirror: mirror.queue,
        }),
        templates: callersTemplates({
          ...{ ...common, onError, checklists: permitted, registries, limits },
          mirror: mirror.queue,
        }),
        assignments: callersAssignments(common),
        settings: callersSettings({ ...common, tenants, onError, mirror: mirror.queue, finishCopies: sync.finish }),
      };
    },
  };
}
