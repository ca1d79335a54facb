import { isDeepStrictEqual } from 'node:util';
import { encodeRegistry } from '../../domain/registry.ts';
import { storageKey } from '../../domain/storage.ts';
import { encodeDefaultTemplate, encodeTemplateIndex, encodeTemplateTexts } from '../../domain/templates.ts';
import { eachOf, Incomplete } from '../common/each.ts';
import type { Tenant, Tenants } from '../platform/tenants.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { type FoundProject, listProjects, writeProjectProperty } from '../platform/tracker/projects.ts';
import type { Trackers } from '../platform/tracker/trackers.ts';
import type { Handlers, Queue } from '../queue/queue.ts';
import { background } from '../quota/work.ts';
import { loadStatuses } from '../statuses/records.ts';
import { seenStatuses } from '../statuses/registries.ts';
import type { Store } from '../store/store.ts';
import { templateProjects } from '../templates/templates.ts';
import { usableTemplates } from '../templates/usable.ts';

/*
 * The database is authoritative. Project properties hold copies of the statuses and templates of a project, which pages
 * read from the tracker without waiting for the server.
 */

export interface Mirror {
  /** Schedules an update of all projects' copies. */
  queue(tenant: string): Promise<void>;
  jobs: Pick<Handlers, 'mirror'>;
}

/** The properties' values, by key. */
type Wanted = Readonly<Record<string, unknown>>;

export interface MirrorOptions {
  store: Store;
  tenants: Tenants;
  queue: Queue;
  trackerOf: Trackers;
  /** Receives errors that do not stop the work. */
  onError(error: unknown): void;
}

/** Milliseconds until properties that projects refused are written again. */
const RETRY_AFTER = 60 * 60_000;

/** A property of a project, and its new value. */
interface Differing {
  project: FoundProject;
  key: string;
  value: unknown;
}

/** More templates than the property of an index holds. */
const MOST_HELD = 2_000;
const STATUSES = storageKey('statuses');

function templatesHeld(templates: Awaited<ReturnType<typeof usableTemplates>>): Wanted {
  const offered = templates.map(({ id, name, project, items }) => ({ id, name, items, global: project === null }));
  return {
    [storageKey('template-index')]: encodeTemplateIndex(offered),
    [storageKey('templates')]: encodeTemplateTexts(templates),
    [storageKey('default-template')]: encodeDefaultTemplate(templates.find(({ isDefault }) => isDefault)?.id ?? null),
  };
}

/** Whether a property differs. A missing one counts as the defaults (`plain`). */
const isNeeded = ({ properties }: FoundProject, key: string, value: unknown, plain: unknown): boolean =>
  !isDeepStrictEqual(properties[key], value) && (key in properties || !isDeepStrictEqual(value, plain));

export function createMirror({ store, tenants, queue, trackerOf, onError }: MirrorOptions): Mirror {
  /** The property values of each project. */
  async function wantedOf(tenant: Tenant): Promise<(project: string) => Wanted> {
    return store.tenant(tenant.id, async tx => {
      const statuses = await loadStatuses(tx, tenant.id);
      const templates = new Map<string | null, Wanted>();
      for (const project of [null, ...(await templateProjects(tx, tenant.id))]) {
        templates.set(project, templatesHeld(await usableTemplates(tx, tenant.id, project, { first: MOST_HELD })));
      }
      return project => ({
        [STATUSES]: encodeRegistry(seenStatuses(statuses, project)),
        ...(templates.get(project) ?? templates.get(null)),
      });
    });
  }
  const plain: Wanted = { [STATUSES]: encodeRegistry(seenStatuses([], undefined)), ...templatesHeld([]) };

  /** The properties that differ, of all projects. */
  async function* differing(tracker: Tracker, wanted: (project: string) => Wanted): AsyncGenerator<Differing> {
    for (let start: number | null = 0; start !== null; ) {
      const { projects, next } = await listProjects(tracker, start, Object.keys(plain));
      for (const project of projects) {
        for (const [key, value] of Object.entries(wanted(project.id))) {
          if (isNeeded(project, key, value, plain[key])) yield { project, key, value };
        }
      }
      start = next;
    }
  }

  return {
    queue: tenant => queue.add('mirror', { tenant }, { key: 'mirror' }),
    jobs: {
      async mirror({ tenant: id }) {
        const tenant = await tenants.find(id);
        if (!tenant) return;
        const tracker = trackerOf(tenant, background('job'));
        const result = await eachOf(
          differing(tracker, await wantedOf(tenant)),
          ({ project, key }) => `${key} of project ${project.key}`,
          ({ project, key, value }) => writeProjectProperty(tracker, project.id, key, value),
        );
        if (result.failures.length === 0) return;
        onError(new Incomplete('copies in projects', result));
        await queue.add('mirror', { tenant: id }, { key: 'mirror', after: RETRY_AFTER });
      },
    },
  };
}
