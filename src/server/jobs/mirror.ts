import { isDeepStrictEqual } from 'node:util';
import { encodeRegistry } from '../../domain/registry.ts';
import { storageKey } from '../../domain/storage.ts';
import { encodeDefaultTemplate, encodeTemplateIndex, encodeTemplateTexts } from '../../domain/templates.ts';
import { eachOf, eachSite, Incomplete } from '../common/each.ts';
import { TrackerRefused } from '../errors/tracker.ts';
import type { Tenant, Tenants } from '../platform/tenants.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { type FoundProject, listProjects, writeProjectProperty } from '../platform/tracker/projects.ts';
import type { Trackers } from '../platform/tracker/trackers.ts';
import type { Handlers, Queue } from '../queue/queue.ts';
import { background } from '../quota/work.ts';
import { loadStatuses } from '../statuses/records.ts';
import { seenStatuses } from '../statuses/registries.ts';
import type { Store } from '../store/store.ts';
import { type ProjectCopyName, refusalOf } from '../sync/refusals.ts';
import { templateProjects } from '../templates/templates.ts';
import { usableTemplates } from '../templates/usable.ts';
import { nextTry, noteRefusedCopies, type RefusedProjectCopy } from './project-copies.ts';

/*
 * The database is authoritative. Project properties hold copies of the statuses and templates of a project, which pages
 * read from the tracker without waiting for the server.
 */

export interface Mirror {
  /** Schedules an update of all projects' copies. */
  queue(tenant: string): Promise<void>;
  /** Updates all projects' copies. Resolves with those that are refused. */
  write(tenant: Tenant): Promise<readonly RefusedProjectCopy[]>;
  jobs: Pick<Handlers, 'mirror'>;
  /** Enqueues lost and failed updates of all sites. */
  recover(): Promise<void>;
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

/** Milliseconds until properties are written again that were not written for another reason than a refusal. */
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

const copyOf = (key: string): ProjectCopyName => (key === STATUSES ? 'statuses' : 'templates');

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

/** The property values of each project. */
async function wantedOf(store: Store, tenant: Tenant): Promise<(project: string) => Wanted> {
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
async function* differing(store: Store, tenant: Tenant, tracker: Tracker): AsyncGenerator<Differing> {
  const wanted = await wantedOf(store, tenant);
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

/** The copies that differ from what is stored, of all projects, or of one. */
export async function differingCopies(
  { store, tenant, tracker }: { store: Store; tenant: Tenant; tracker: Tracker },
  projectId: string | undefined,
): Promise<{ key: string; copy: ProjectCopyName }[]> {
  const found = new Map<string, { key: string; copy: ProjectCopyName }>();
  for await (const { project, key } of differing(store, tenant, tracker)) {
    const copy = copyOf(key);
    if (projectId === undefined || project.id === projectId)
      found.set(`${project.id} ${copy}`, { key: project.key, copy });
  }
  return [...found.values()];
}

export function createMirror({ store, tenants, queue, trackerOf, onError }: MirrorOptions): Mirror {
  async function write(tenant: Tenant): Promise<readonly RefusedProjectCopy[]> {
    const tracker = trackerOf(tenant, background('job'));
    const refused = new Map<string, RefusedProjectCopy>();
    const result = await eachOf(
      differing(store, tenant, tracker),
      ({ project, key }) => `${key} of project ${project.key}`,
      async ({ project, key, value }) => {
        try {
          await writeProjectProperty(tracker, project.id, key, value);
        } catch (error) {
          if (error instanceof TrackerRefused) {
            const copy = copyOf(key);
            const each = { project: project.id, key: project.key, copy, refused: refusalOf(error) };
            refused.set(`${project.id} ${copy}`, each);
          }
          throw error;
        }
      },
    );
    const all = [...refused.values()];
    const { isNew, after } = await store.tenant(tenant.id, tx => noteRefusedCopies(tx, tenant.id, all));
    if (result.failures.length === 0) return all;
    const areRefused = result.failures.every(({ error }) => error instanceof TrackerRefused);
    // Retries of refused ones say nothing.
    if (isNew || !areRefused) onError(new Incomplete('copies in projects', result));
    await queue.add('mirror', { tenant: tenant.id }, { key: 'mirror', after: after ?? RETRY_AFTER });
    return all;
  }

  return {
    queue: tenant => queue.add('mirror', { tenant }, { key: 'mirror' }),
    write,
    jobs: {
      async mirror({ tenant: id }) {
        const tenant = await tenants.find(id);
        if (tenant) await write(tenant);
      },
    },
    async recover() {
      await eachSite('search for lost copies in projects', await store.tenants(), onError, async tenant => {
        const after = await nextTry(store, tenant);
        if (after !== null) await queue.restore('mirror', { tenant }, { key: 'mirror', after });
      });
    },
  };
}
