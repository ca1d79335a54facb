import { isDeepStrictEqual } from 'node:util';
import { encodeRegistry } from '../../domain/registry.ts';
import { storageKey } from '../../domain/storage.ts';
import { encodeDefaultTemplate, encodeTemplateIndex, encodeTemplateTexts } from '../../domain/templates.ts';
import type { Watching } from '../checklists/service/site.ts';
import { type CopyRefusal, type ProjectCopyName, refusalOf } from '../copies/refusals.ts';
import { TrackerRefused, TrackerUnavailable } from '../errors/tracker.ts';
import type { Tenant, Tenants } from '../platform/tenants.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { eachProject, type FoundProject, listProjects, writeProjectProperty } from '../platform/tracker/projects.ts';
import type { Trackers } from '../platform/tracker/trackers.ts';
import { eachOf, eachSite, Incomplete } from '../queue/each.ts';
import type { Handlers, Queue } from '../queue/queue.ts';
import { background } from '../quota/work.ts';
import { loadStatuses } from '../statuses/records.ts';
import { seenStatuses } from '../statuses/registries.ts';
import type { Store } from '../store/store.ts';
import { templateProjects } from '../templates/templates.ts';
import { usableTemplates } from '../templates/usable.ts';
import {
  confirmCopies,
  nextTry,
  noteRefusedCopies,
  type ProjectCopy,
  type RefusedProjectCopy,
  wantedVersion,
} from './project-copies.ts';

/*
 * The database is authoritative. Project properties hold copies of the statuses and templates of a project, which pages
 * read from the tracker without waiting for the server.
 */

/** The written copies, and the copies whose property the tracker refused. */
interface WrittenCopies {
  written: readonly ProjectCopy[];
  refused: readonly RefusedProjectCopy[];
}

export interface Mirror {
  /** Updates all projects' copies that differ. */
  write(tenant: Tenant): Promise<WrittenCopies>;
  jobs: Pick<Handlers, 'mirror' | 'compare-copies'>;
  /**
   * Enqueues lost and failed updates of all sites, and those of sites whose copies were last compared in another watch:
   * projects may hold what a restored backup does not know.
   */
  recover(): Promise<void>;
}

/** The properties' values, by key. */
type Wanted = Readonly<Record<string, unknown>>;

export interface MirrorOptions {
  store: Store;
  tenants: Tenants;
  queue: Queue;
  trackerOf: Trackers;
  watch: Watching;
  /** Receives errors that do not stop the work. */
  onError(error: unknown): void;
}

/** Properties are written again after an error that is no refusal. */
const RETRY_AFTER_MS = 60 * 60_000;
/** Properties are compared again if a try of a write got no response. */
const COMPARED_AFTER_MS = 15_000;

/** A property of a project, and its new value. */
interface Differing {
  project: FoundProject;
  key: string;
  value: unknown;
}

/** The property of an index holds fewer templates. */
const MAX_TEMPLATES = 2_000;
const STATUSES_PROPERTY = storageKey('statuses');

const copyOf = (key: string): ProjectCopyName => (key === STATUSES_PROPERTY ? 'statuses' : 'templates');

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

/** The property values of each project, and their version. */
async function wantedOf(store: Store, tenant: Tenant): Promise<{ of(project: string): Wanted; version: number }> {
  return store.tenant(tenant.id, async tx => {
    const version = await wantedVersion(tx, tenant.id);
    const statuses = await loadStatuses(tx, tenant.id);
    const templates = new Map<string | null, Wanted>();
    for (const project of [null, ...(await templateProjects(tx, tenant.id))]) {
      templates.set(project, templatesHeld(await usableTemplates(tx, tenant.id, project, { first: MAX_TEMPLATES })));
    }
    const of = (project: string): Wanted => ({
      [STATUSES_PROPERTY]: encodeRegistry(seenStatuses(statuses, project)),
      ...(templates.get(project) ?? templates.get(null)),
    });
    return { of, version };
  });
}
const plain: Wanted = { [STATUSES_PROPERTY]: encodeRegistry(seenStatuses([], undefined)), ...templatesHeld([]) };

/** The properties that differ, of all projects. */
async function* differing(tracker: Tracker, expectedOf: (project: string) => Wanted): AsyncGenerator<Differing> {
  for await (const project of eachProject(tracker, Object.keys(plain))) {
    for (const [key, value] of Object.entries(expectedOf(project.id))) {
      if (isNeeded(project, key, value, plain[key])) yield { project, key, value };
    }
  }
}

/** The copies that differ from the stored values, in all projects or in one project. */
export async function differingCopies(
  { store, tenant, tracker }: { store: Store; tenant: Tenant; tracker: Tracker },
  projectId: string | undefined,
): Promise<{ key: string; copy: ProjectCopyName }[]> {
  const differingCopiesByKey = new Map<string, { key: string; copy: ProjectCopyName }>();
  const expectedCopies = await wantedOf(store, tenant);
  for await (const { project, key } of differing(tracker, expectedCopies.of)) {
    const copy = copyOf(key);
    if (projectId === undefined || project.id === projectId)
      differingCopiesByKey.set(`${project.id} ${copy}`, { key: project.key, copy });
  }
  return [...differingCopiesByKey.values()];
}

/**
 * Why a project's copy is not written; `undefined` for an error of the app. One project may fail while others do not.
 */
function refusalBy(error: unknown): CopyRefusal | undefined {
  if (error instanceof TrackerRefused) return refusalOf(error);
  return error instanceof TrackerUnavailable ? 'refused' : undefined;
}

export function createMirror({ store, tenants, queue, trackerOf, watch, onError }: MirrorOptions): Mirror {
  async function write(tenant: Tenant): Promise<WrittenCopies> {
    const written = new Map<string, ProjectCopy>();
    const tracker = trackerOf(tenant, background('job'));
    const watchId = watch.now().id;
    const { of, version } = await wantedOf(store, tenant);
    let isUnsettled = false;
    const result = await eachOf(
      differing(tracker, of),
      ({ project, key }) => `${key} of project ${project.key}`,
      async ({ project, key, value }) => {
        const answer = await writeProjectProperty(tracker, project.id, key, value);
        isUnsettled ||= answer.isUnsettled;
        const copy = copyOf(key);
        written.set(`${project.id} ${copy}`, { project: project.id, key: project.key, copy });
      },
      {
        ownerOf: ({ project }) => project.id,
        answers: () =>
          listProjects(tracker, 0, []).then(
            () => true,
            () => false,
          ),
      },
    );
    const refused = new Map<string, RefusedProjectCopy>();
    for (const { thing, error } of result.failures) {
      const { id: project, key } = thing.project;
      const copy = copyOf(thing.key);
      const reason = refusalBy(error);
      if (reason) refused.set(`${project} ${copy}`, { project, key, copy, refused: reason });
    }
    const isWhole = ([copy]: [string, ProjectCopy]) => !refused.has(copy);
    const copies = {
      written: [...written].filter(isWhole).map(([, copy]) => copy),
      refused: [...refused.values()],
    };
    const areRefused = result.failures.every(({ error }) => refusalBy(error) !== undefined);
    const { isNew, after } = await store.tenant(tenant.id, async tx => {
      if (areRefused) await confirmCopies(tx, tenant.id, { version, watch: watchId });
      return noteRefusedCopies(tx, tenant.id, copies.refused);
    });
    if (isUnsettled)
      await queue.add('compare-copies', { tenant: tenant.id }, { key: 'compare-copies', after: COMPARED_AFTER_MS });
    if (result.failures.length === 0) return copies;
    // Retries of refused ones say nothing.
    if (isNew || !areRefused) onError(new Incomplete('copies in projects', result));
    await queue.add('mirror', { tenant: tenant.id }, { key: 'mirror', after: after ?? RETRY_AFTER_MS });
    return copies;
  }

  return {
    write,
    jobs: {
      async mirror({ tenant: id }) {
        const tenant = await tenants.find(id);
        if (tenant) await write(tenant);
      },
      // By the job that writes them: only one at a time may.
      'compare-copies': ({ tenant }) => queue.add('mirror', { tenant }, { key: 'mirror' }),
    },
    async recover() {
      await eachSite('search for lost copies in projects', await store.tenants(), onError, async tenant => {
        const after = await nextTry(store, tenant, watch.now().id);
        if (after !== null) await queue.restore('mirror', { tenant }, { key: 'mirror', after });
      });
    },
  };
}
