import { randomUUID } from 'node:crypto';
import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { managing, statuses as messages, refusals } from '../../domain/messages.ts';
import { encodeRegistry } from '../../domain/registry.ts';
import { encodedSize } from '../../domain/storage.ts';
import { anonymous } from '../../domain/user.ts';
import { normalName } from '../../text/status-registry.ts';
import { flagsInProject, requireAdmin } from '../access/project-permissions.ts';
import type { Refusing } from '../errors/refusal.ts';
import { Refused } from '../errors/refused.ts';
import type { Tenants } from '../platform/tenants.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { readProject } from '../platform/tracker/issue.ts';
import type { WantedCopies } from '../queue/wanted-copies.ts';
import { addJob, endJob, findJob, openJob } from '../queue/wide-records.ts';
import type { Scope, WideJob } from '../queue/wide-types.ts';
import { publish } from '../store/live-events.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import { countStatus, relabelTemplates, type StatusScope } from '../templates/status-texts.ts';
import type { OwnTexts } from '../text-workers/pool.ts';
import { requireFree, slugFor, statusName } from './names.ts';
import {
  countUse,
  isBuiltInSlug,
  loadStatuses,
  lockStatuses,
  movesOf,
  putStatuses,
  redirectMoves,
  type StoredStatus,
} from './records.ts';
import { noteRegistries, seenStatuses, siteStatuses } from './registries.ts';
import type { Statuses, StatusesChanged } from './types.ts';

/**
 * Merges a new order (`wantedOrder`), made of an old order (`seenOrder`), into the current order. Moves merge with
 * concurrent additions and deletions. Returns `undefined` if both sides moved statuses differently.
 */
export function mergedOrder(
  seenOrder: readonly string[],
  wantedOrder: readonly string[],
  current: readonly string[],
): string[] | undefined {
  const sharedSlugs = new Set(current.filter(slug => seenOrder.includes(slug) && wantedOrder.includes(slug)));
  const common = (order: readonly string[]) => order.filter(slug => sharedSlugs.has(slug));
  const [base, mine, theirs] = [common(seenOrder), common(wantedOrder), common(current)];
  if (mine.join() === base.join() || mine.join() === theirs.join()) return [...current];
  if (theirs.join() !== base.join()) return undefined;
  // Statuses that only the current order has stay behind their predecessors.
  const order = [...mine];
  current.forEach((slug, index) => {
    if (sharedSlugs.has(slug)) return;
    const before = current[index - 1];
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, slug);
  });
  return order;
}

export interface StatusesOptions {
  store: Store;
  tenants: Pick<Tenants, 'change'>;
  caller: Caller;
  tracker: Tracker;
  /** The issues whose checklists the caller has permission to view. */
  viewable(issueIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The project of an issue that the database knows. */
  knownProject(issue: string): Promise<string | undefined>;
  /** Runs tasks over texts for the caller. */
  texts: OwnTexts;
  /** Runs the tenant's jobs. */
  wake(tenant: string): Promise<void>;
  copies: WantedCopies;
  refusing: Refusing;
  onError(error: unknown): void;
}

/** Texts may still contain former names of a status. */
const MAX_FORMER_NAMES = 5;
/**
 * The site's statuses may take this part of a project's property. The remaining room is for the project's own statuses.
 */
const SITE_STATUSES_CHARS = 24_000;

const scopeOf = (project: string | null): Scope =>
  project === null ? { kind: 'site' } : { kind: 'project', id: project };

const ofScope = (stored: readonly StoredStatus[], project: string | null) =>
  project === null
    ? seenStatuses(stored, undefined).filter(status => status.project === null)
    : stored.filter(status => status.project === project);

/** Throws `Refused` if the statuses exceed the projects' properties. */
function requireRoom(statuses: readonly StoredStatus[], project: string | null): void {
  const most = project === null ? SITE_STATUSES_CHARS : PROPERTY_CAPACITY - SITE_STATUSES_CHARS;
  if (encodedSize(encodeRegistry(statuses)) > most) throw new Refused('LIMIT_REACHED', messages.noRoom, 'name');
}

/** All statuses of a scope after a change, in order. */
interface ScopeChange {
  statuses: readonly StoredStatus[];
  /** Whether texts may need rewriting. */
  texts: boolean;
}

export function callersStatuses(options: StatusesOptions): Statuses {
  const { store, tenants, caller, tracker, viewable, knownProject, texts, wake, copies, refusing, onError } = options;
  const { tenant, account } = caller;

  const scopeIn = (project: string | null, stored: readonly StoredStatus[]): StatusScope => ({
    ...{ store, tenant: tenant.id, project, statuses: siteStatuses(stored), run: texts.run },
  });

  /** Starts a job over all templates and issues of the scope, which replaces a running one and includes its work. */
  async function startJob(tx: Tx, scope: Scope, kind: 'STATUSES' | 'REFRESH'): Promise<WideJob | undefined> {
    const open = await openJob(tx, tenant.id, kind, scope);
    if (open) await endJob(tx, tenant.id, open.id, { state: 'CANCELLED' });
    const id = randomUUID();
    await addJob(tx, tenant.id, { id, task: { kind }, scope, account });
    return findJob(tx, tenant.id, id);
  }

  /** Changes the statuses of a scope, one change at a time for a tenant. */
  async function change(
    project: string | null,
    make: (stored: readonly StoredStatus[], tx: Tx) => Promise<ScopeChange> | ScopeChange,
  ): Promise<StatusesChanged> {
    await requireAdmin(caller, tracker, project);
    const { stored, job } = await tenants.change(tenant.id, async tx => {
      const { statuses, texts } = await make(await lockStatuses(tx, tenant.id), tx);
      await putStatuses(
        tx,
        tenant.id,
        statuses.map((status, position) => ({ ...status, position })),
      );
      const stored = await loadStatuses(tx, tenant.id);
      const isOther = await noteRegistries(tx, tenant.id);
      const job = texts ? await startJob(tx, scopeOf(project), 'STATUSES') : undefined;
      // Copies and indexes made with other statuses are made anew: after the texts, if these change.
      if (isOther && !job) await startJob(tx, scopeOf(project), 'REFRESH');
      await copies.want(tx, tenant.id);
      await publish(tx, tenant.id, { kind: 'statuses' });
      return { stored, job };
    });
    // The change is committed; the job, the next change, or the next start, repeats these steps. Most sites have a page of
    // templates at most.
    if (job) await relabelTemplates(scopeIn(project, stored), movesOf(stored), 1).catch(onError);
    copies.wake();
    await wake(tenant.id).catch(onError);
    return { statuses: seenStatuses(stored, project ?? undefined), ...(job && { job }) };
  }

  /** The project of a status, `null` for the site. The change checks the status again. */
  async function projectOf(slug: string): Promise<string | null> {
    if (isBuiltInSlug(slug)) return null;
    const loadedStatuses = await store.tenant(tenant.id, tx => loadStatuses(tx, tenant.id));
    const status = loadedStatuses.find(each => each.slug === slug);
    if (!status) throw new Refused('NOT_FOUND', messages.notFound, 'slug');
    return status.project;
  }

  const isRenaming = async (tx: Tx, project: string | null): Promise<boolean> => {
    const scopes = [scopeOf(null), ...(project === null ? [] : [scopeOf(project)])];
    for (const scope of scopes) if (await openJob(tx, tenant.id, 'STATUSES', scope)) return true;
    return false;
  };

  function requireStatus(statuses: readonly StoredStatus[], slug: string): StoredStatus {
    const status = statuses.find(each => each.slug === slug);
    if (!status) throw new Refused('NOT_FOUND', messages.notFound, 'slug');
    return status;
  }

  const everySeen = (stored: readonly StoredStatus[]) => {
    const projectStatuses = stored.filter(status => status.project !== null);
    return [...ofScope(stored, null), ...projectStatuses];
  };

  const create: Statuses['create'] = ({ project, name: typed, color, checked }) =>
    change(project, async (stored, tx) => {
      const name = statusName(typed);
      requireFree(name, everySeen(stored), { slug: undefined, project, renaming: await isRenaming(tx, project) });
      const status = { slug: slugFor(name, everySeen(stored)), project, name, color, checked, position: 0 };
      const added: StoredStatus = { ...status, former: [], going: false, movesTo: null, builtIn: false };
      const statuses = [...ofScope(stored, project), added];
      requireRoom(statuses, project);
      // Texts that already hold the name in brackets need no rewriting.
      return { statuses, texts: false };
    });

  const update: Statuses['update'] = async (slug, values) => {
    const project = await projectOf(slug);
    return change(project, async (stored, tx) => {
      const scopeStatuses = ofScope(stored, project);
      const before = requireStatus(scopeStatuses, slug);
      if (before.builtIn && values.checked !== undefined && values.checked !== before.checked) {
        throw new Refused('BUILT_IN_STATUS', messages.builtIn, 'checked');
      }
      const name = values.name === undefined ? before.name : statusName(values.name);
      requireFree(name, everySeen(stored), { slug, project, renaming: await isRenaming(tx, project) });
      const renamed = !before.builtIn && normalName(name) !== normalName(before.name);
      const former = renamed
        ? [before.name, ...before.former]
            .filter(each => normalName(each) !== normalName(name))
            .slice(0, MAX_FORMER_NAMES)
        : before.former;
      const after: StoredStatus = { ...before, ...values, name, former };
      const statuses = scopeStatuses.map(status => (status.slug === slug ? after : status));
      requireRoom(statuses, project);
      const texts = !before.builtIn && (name !== before.name || after.checked !== before.checked);
      return { statuses, texts };
    });
  };

  const remove: Statuses['remove'] = async (slug, to) => {
    if (isBuiltInSlug(slug)) {
      await requireAdmin(caller, tracker, null);
      throw new Refused('BUILT_IN_STATUS', messages.builtIn, 'slug');
    }
    const project = await projectOf(slug);
    return change(project, async (stored, tx) => {
      const scopeStatuses = ofScope(stored, project);
      requireStatus(scopeStatuses, slug);
      const target = seenStatuses(stored, project ?? undefined).find(each => each.slug === to && !each.going);
      if (!target || target.slug === slug) throw new Refused('UNKNOWN_STATUS', messages.target, 'moveTo');
      const statuses = scopeStatuses.map(status => {
        if (status.slug === slug) return { ...status, going: true, movesTo: to };
        return status.movesTo === slug ? { ...status, movesTo: to } : status;
      });
      // Statuses that move to the deleted status move to its target, also statuses of projects.
      await redirectMoves(tx, tenant.id, slug, to);
      return { statuses, texts: true };
    });
  };

  const reorder: Statuses['reorder'] = ({ project, slugs, seen }) =>
    change(project, stored => {
      const scopeStatuses = ofScope(stored, project);
      const [wanted, before] = [new Set(slugs), new Set(seen)];
      const same = wanted.size === slugs.length && before.size === seen.length && wanted.size === before.size;
      if (!same || !seen.every(slug => wanted.has(slug))) {
        throw new Refused('UNKNOWN_STATUS', managing.orderStatuses, 'slugs');
      }
      const order = mergedOrder(
        seen,
        slugs,
        scopeStatuses.map(({ slug }) => slug),
      );
      if (!order) throw new Refused('CHANGED_MEANWHILE', managing.orderStatuses, 'slugs');
      const statuses = order.flatMap(slug => scopeStatuses.find(status => status.slug === slug) ?? []);
      return { statuses, texts: false };
    });

  /** The project of an issue, from the tracker only if the database does not know it. */
  const homeOf = async (issue: string): Promise<string> =>
    (await knownProject(issue)) ?? (await readProject(tracker, issue)).id;

  async function list({ project, issue }: Parameters<Statuses['list']>[0]) {
    const forbidden = new Refused('FORBIDDEN', refusals.permission);
    if (issue !== undefined) {
      if (!(await viewable([issue])).has(issue)) throw forbidden;
    } else if (project !== undefined) {
      const flags = await flagsInProject(caller, tracker, project);
      if (!flags.canViewChecklist && !flags.canManageTemplates) throw forbidden;
    } else if (account === anonymous.id) throw forbidden;
    const stored = await store.tenant(tenant.id, tx => loadStatuses(tx, tenant.id));
    // The project matters only if some project has its own statuses.
    const isAsked = issue !== undefined && stored.some(status => status.project !== null);
    return seenStatuses(stored, isAsked ? await homeOf(issue) : project);
  }

  async function use(slug: string) {
    const project = await projectOf(slug);
    await requireAdmin(caller, tracker, project);
    const { stored, used } = await store.tenant(tenant.id, async tx => ({
      stored: await loadStatuses(tx, tenant.id),
      used: await countUse(tx, tenant.id, slug),
    }));
    // Elsewhere a project's status is plain text.
    return { ...used, templates: await countStatus(scopeIn(project, stored), slug) };
  }

  return {
    list: where => refusing(list(where), managing.getStatuses),
    use: slug => refusing(use(slug), managing.getStatuses),
    create: status => refusing(create(status), managing.createStatus),
    update: (slug, values) => refusing(update(slug, values), managing.updateStatus),
    remove: (slug, to) => refusing(remove(slug, to), managing.deleteStatus),
    reorder: order => refusing(reorder(order), managing.orderStatuses),
  };
}
