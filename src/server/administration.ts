import { failures } from '../domain/messages.ts';
import type { Assignments } from './assignments/types.ts';
import type { Caller } from './connect/tokens.ts';
import { Refused } from './refused.ts';
import type { Settings } from './settings/types.ts';
import type { Statuses } from './statuses/types.ts';
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

const notYet = async (): Promise<never> => {
  throw new Refused('UNKNOWN', failures.unknown);
};

export function createAdministration(): AdministrationService {
  return {
    of: () => ({
      statuses: { list: notYet, use: notYet, create: notYet, update: notYet, remove: notYet, reorder: notYet },
      templates: {
        list: notYet,
        find: notYet,
        createFromText: notYet,
        createFromChecklist: notYet,
        duplicate: notYet,
        update: notYet,
        remove: notYet,
        restore: notYet,
        setDefault: notYet,
        export: notYet,
        import: notYet,
      },
      assignments: { list: notYet, create: notYet, update: notYet, remove: notYet, move: notYet, preview: notYet },
      settings: {
        site: notYet,
        updateSite: notYet,
        project: notYet,
        updateProject: notYet,
        holders: notYet,
        gettingStarted: notYet,
        removeData: notYet,
      },
    }),
  };
}
