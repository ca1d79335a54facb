import { flagsFor, withoutRowIds } from '../../../domain/change.ts';
import { edition } from '../../../domain/edition.ts';
import { failures, refusals } from '../../../domain/messages.ts';
import type { PermissionFlags } from '../../../domain/permissions.ts';
import { anonymous } from '../../../domain/user.ts';
import { createAccess, isDenial } from '../../access/access.ts';
import { createAppPermission } from '../../access/app-permission.ts';
import { noteDoubt } from '../../access/grants.ts';
import { modeIn } from '../../access/portal.ts';
import { asRefusal } from '../../errors/refusal.ts';
import { Refused } from '../../errors/refused.ts';
import type { Metrics } from '../../monitoring/metrics.ts';
import type { Tenant, Tenants } from '../../platform/tenants.ts';
import type { Caller } from '../../platform/tokens.ts';
import { isIssueId } from '../../platform/tracker/issue.ts';
import type { Trackers } from '../../platform/tracker/trackers.ts';
import { eachSite } from '../../queue/each.ts';
import type { Queue } from '../../queue/queue.ts';
import { background, type Cause, personalCause } from '../../quota/work.ts';
import { createRegistries, noteRegistries } from '../../statuses/registries.ts';
import { publication } from '../../store/live-events.ts';
import type { Store } from '../../store/store.ts';
import { createKeyedMutex } from '../../text-workers/mutex.ts';
import type { TextWorkers } from '../../text-workers/pool.ts';
import { assignedCounts } from '../assigned/counts.ts';
import { assignedPage } from '../assigned/page.ts';
import type { Viewer } from '../assigned/view.ts';
import type { Adoptions } from '../commit/adopt.ts';
import { createChanges } from '../commit/commit.ts';
import { type ConvertedIssue, convertedIssues, followJob, setFollowing } from '../commit/conversions.ts';
import { makeChange } from '../commit/request.ts';
import { prune, type Retention, usualRetention } from '../commit/retention.ts';
import { refreshIndexes } from '../commit/stale.ts';
import { entryOf } from '../decide/edit.ts';
import type { BackgroundEdit } from '../decide/types.ts';
import { conflictsAfter, historyOf, revisionAt, touchesOf } from '../read/history.ts';
import { type PortalView, portalTask } from '../read/portal.ts';
import { forgetPlace, knownPlace, knownProject, placeOf } from '../read/project.ts';
import { loadReading, noteDifference, noteFieldDifference } from '../read/reading.ts';
import type { TenantIssue } from '../read/revisions.ts';
import { summariesOf } from '../read/summaries.ts';
import { type AppChecklists, appChecklists } from './app.ts';
import { createHiddenIssues, createSiteFields, mirrorOf, type Site, type Watching } from './site.ts';
import {
  type BrowserCopies,
  type ChangeBase,
  type ChangeOutcome,
  type ChangeRequest,
  type Checklists,
  type CustomersView,
  NEWEST_BASE,
} from './types.ts';

export interface ChecklistsOptions {
  store: Store;
  tenants: Tenants;
  metrics: Metrics;
  /** For background work, which `jobs` handles. */
  queue: Queue;
  /** Called with errors that did not stop the work. */
  onError(error: unknown): void;
  /** Reads an issue and applies foreign changes of its checklist. */
  refresh(tenant: Tenant, issue: string): Promise<void>;
  /** Runs tasks over texts. */
  workers: TextWorkers;
  itemLimit?: number;
  watch: Watching;
  retention?: Retention;
  trackerOf: Trackers;
}

/** Checklists for background work. */
export interface PermittedChecklists extends Pick<Checklists, 'read' | 'change'> {
  /** Changes the newest revision. */
  rewrite(change: { issueId: string; clientId: string; edit: BackgroundEdit }): Promise<ChangeOutcome>;
}

export interface ChecklistService {
  /** The dependencies of work on a tenant's checklists, for a cause. */
  siteOf(tenant: Tenant, cause: Cause): Site;
  /** Deletes a tenant's history beyond its retention, also of an uninstalled one. Resolves with the number of revisions. */
  prune(tenant: string): Promise<number>;
  /** Makes the stale indexes of all tenants anew, without a call to the tracker. */
  refreshIndexes(): Promise<void>;
  /** The checklists of the caller's tenant, with the caller's permissions. */
  of(caller: Caller): Checklists;
  /** Checklists without permission checks, for work that the caller was permitted to start. */
  permitted(caller: Caller): PermittedChecklists;
  /** Checklists for programs, with the app's permissions in the tracker. `account` is the author of changes. */
  asApp(caller: Pick<Caller, 'tenant' | 'account'>): AppChecklists;
  /** Publishes to all processes, and stores for later ones, that permissions on an issue may have changed. */
  doubtAccess(tenant: string, issueId: string): Promise<void>;
  /** Invalidates this process's cached permissions on an issue. */
  forgetAccess(tenant: string, issueId: string): void;
  /** Invalidates this process's cached permissions on all issues, after a gap in events. */
  forgetAllAccess(): void;
  /** Loads the doubts that were stored before this process started. */
  recallAccess(): Promise<void>;
}

/** Client ids: printable, of limited length. */
const clientId = /^[\x21-\x7e]{1,100}$/;

export function createChecklists(options: ChecklistsOptions): ChecklistService {
  const { store, tenants, metrics, queue, onError, trackerOf, refresh, watch, workers } = options;
  const { itemLimit = edition.limits.itemsPerChecklist, retention = usualRetention } = options;
  const conversions = createKeyedMutex();
  const adoptions: Adoptions = new Map();
  const hidden = createHiddenIssues();
  const changes = createChanges();
  const siteFields = createSiteFields();
  const registries = createRegistries(store);
  const access = createAccess({
    store,
    onError,
    placeOf: (caller, issue) => placeOf(callersSite(caller), { tenant: caller.tenant.id, issue }),
  });
  const permission = createAppPermission();

  function siteOf(tenant: Tenant, cause: Cause): Site {
    const tracker = trackerOf(tenant, cause);
    const namedFields = () => siteFields(tenant, tracker);
    const field = () => mirrorOf(tenant, namedFields);
    return {
      ...{ tenant, tracker, store, conversions, adoptions, hidden, queue, field, namedFields, changes, watch },
      ...{ itemLimit, onError, registries: () => registries(tenant), refresh: issue => refresh(tenant, issue) },
      texts: workers.of({ tenant, account: cause.account ?? '' }),
    };
  }

  const callersSite = ({ tenant, account }: Caller) => siteOf(tenant, personalCause(account));

  const flagsOf = (caller: Caller, issueIds: readonly string[]) =>
    access.flags(caller, callersSite(caller).tracker, issueIds);

  async function allowed(caller: Caller, issueId: string, flag: keyof PermissionFlags): Promise<boolean> {
    try {
      await access.requireFlags(caller, callersSite(caller).tracker, issueId, [flag]);
      return true;
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
  }

  /** Runs work on an issue; invalidates cached permissions if the tracker denies it. */
  async function onIssue<T>({ tenant }: Caller, issueId: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (isDenial(error)) await access.doubt(tenant.id, issueId);
      throw error;
    }
  }

  async function read(caller: Caller, issueId: string) {
    const site = callersSite(caller);
    await access.requireView(caller, site.tracker, issueId);
    return onIssue(caller, issueId, loadReading(site, issueId));
  }

  async function portal(caller: Caller, issueId: string): Promise<PortalView> {
    const site = callersSite(caller);
    const mode = await access.portalMode(caller, site.tracker, issueId);
    if (mode !== 'SECTIONS') return { mode, text: '', statuses: [] };
    const place = { tenant: caller.tenant.id, issue: issueId };
    const { text } = await onIssue(caller, issueId, loadReading(site, issueId));
    const statuses = (await site.registries()).listOf(await knownProject(site, place));
    return { mode, ...(await site.texts.run(portalTask, { text, statuses })) };
  }

  async function customersView({ tenant }: Caller, place: TenantIssue): Promise<CustomersView> {
    const { project, service } = await knownPlace({ store }, place);
    return { project, hasPortal: service, mode: modeIn(tenant, project) };
  }

  async function seen(
    caller: Caller,
    issueId: string,
    { property, field, lacking = [] }: BrowserCopies,
  ): Promise<void> {
    if (lacking.length > 0) await access.lacks(caller, issueId, lacking);
    if (!property && field === undefined) return;
    const site = callersSite(caller);
    await access.requireView(caller, site.tracker, issueId);
    if (property) await noteDifference(site, issueId, property);
    if (field !== undefined) await noteFieldDifference(site, issueId, field);
  }

  /** The caller's issue, after a check of the permission to view it. */
  async function placeFor(caller: Caller, issue: string): Promise<TenantIssue> {
    await access.requireView(caller, callersSite(caller).tracker, issue);
    return { tenant: caller.tenant.id, issue };
  }

  /** Locates an issue and loads the statuses with which its history is read. */
  async function historyFor(caller: Caller, issue: string) {
    const place = await placeFor(caller, issue);
    const { ofProjects, listOf } = await registries(caller.tenant);
    // The project matters only if some project has its own statuses.
    const project = ofProjects ? await knownProject({ store }, place) : undefined;
    return { place, statuses: listOf(project), texts: workers.of(caller) };
  }

  /** Throws `Refused` for an anonymous caller, who has no assigned items. */
  async function viewerOf(caller: Caller): Promise<Viewer> {
    const { tenant, account } = caller;
    if (account === anonymous.id) throw new Refused('FORBIDDEN', refusals.permission);
    const statuses = await registries(tenant);
    return {
      ...{ store, tenant: tenant.id, site: tenant, account, statuses, tracker: callersSite(caller).tracker },
      flags: issueIds => flagsOf(caller, issueIds),
    };
  }

  async function change(caller: Caller, request: ChangeRequest) {
    if (!clientId.test(request.clientId)) throw new Refused('UNKNOWN', failures.unknown, 'clientId');
    const site = callersSite(caller);
    const needed = flagsFor(request.edit);
    const flags = await access.requireFlags(caller, site.tracker, request.issueId, needed);
    const { canEditChecklist, canAddChecklistItems } = flags;
    // Without the permission to write the whole text, a base text is ignored: the merge would make rows of it.
    const { text, ...place } = request.base;
    const base: ChangeBase = text === undefined || canEditChecklist ? request.base : { ...place, orCurrent: true };
    // Nor are the ids of rows that are added: an added row could take the place of another one.
    const edit = canEditChecklist ? request.edit : withoutRowIds(request.edit);
    const addsNoRows = !(canEditChecklist || canAddChecklistItems || needed.includes('canImportTemplate'));
    return onIssue(caller, request.issueId, makeChange(site, caller.account, { ...request, edit, base, addsNoRows }));
  }

  const convertedOf = (place: TenantIssue) => store.tenant(place.tenant, tx => convertedIssues(tx, place));

  /** Sets whether an item follows the issue that it was converted to; a job then sets the item by the issue's state. */
  async function follow(caller: Caller, issue: string, set: ConvertedIssue): Promise<ConvertedIssue[]> {
    const place: TenantIssue = { tenant: caller.tenant.id, issue };
    await access.requireFlags(caller, callersSite(caller).tracker, issue, ['canEditChecklist']);
    if (!(await store.tenant(place.tenant, tx => setFollowing(tx, place, set))))
      throw new Refused('NOT_FOUND', failures.unknown, 'issueKey');
    if (set.follows) await queue.add(...followJob(place));
    return convertedOf(place);
  }

  /** Turns expected errors into refusals. */
  async function refusing<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw asRefusal(error);
    }
  }

  async function counted<Outcome extends ChangeOutcome>(kind: string, work: Promise<Outcome>): Promise<Outcome> {
    const count = (outcome: string) => metrics.changes.inc({ kind, outcome });
    try {
      const outcome = await refusing(work);
      count('ok');
      return outcome;
    } catch (error) {
      count(error instanceof Refused ? error.code : 'FAILED');
      throw error;
    }
  }

  return {
    of: caller => ({
      allowed: (issueId, flag) => refusing(allowed(caller, issueId, flag)),
      flags: issueIds => refusing(flagsOf(caller, issueIds)),
      viewable: issueIds => refusing(access.viewable(caller, callersSite(caller).tracker, issueIds)),
      flagsNow: issueIds => refusing(access.flagsNow(caller, callersSite(caller).tracker, issueIds)),
      read: issueId => refusing(read(caller, issueId)),
      portal: issueId => refusing(portal(caller, issueId)),
      customersView: issueId => refusing(placeFor(caller, issueId).then(place => customersView(caller, place))),
      seen: (issueId, what) => refusing(seen(caller, issueId, what)),
      summaries: issueIds => refusing(flagsOf(caller, issueIds).then(flags => summariesOf(callersSite(caller), flags))),
      history: (issueId, page) =>
        refusing(
          historyFor(caller, issueId).then(({ place, statuses, texts }) =>
            texts.oneByOne(run => historyOf({ store, run, statuses }, place, page)),
          ),
        ),
      revision: (issueId, position) =>
        refusing(placeFor(caller, issueId).then(place => revisionAt(store, place, position))),
      conflicts: (issueId, after) =>
        refusing(placeFor(caller, issueId).then(place => conflictsAfter(store, place, after))),
      touches: issueId =>
        refusing(
          historyFor(caller, issueId).then(({ place, statuses, texts }) =>
            texts.oneByOne(run => touchesOf({ store, run, statuses }, place)),
          ),
        ),
      converted: issueId => refusing(placeFor(caller, issueId).then(convertedOf)),
      follow: (issueId, set) => refusing(follow(caller, issueId, set)),
      assigned: query => refusing(viewerOf(caller).then(viewer => assignedPage(viewer, query))),
      assignedCounts: query => refusing(viewerOf(caller).then(viewer => assignedCounts(viewer, query))),
      change: request => counted(request.edit.kind, change(caller, request)),
    }),
    permitted: ({ tenant, account }) => {
      const site = { ...siteOf(tenant, background('job')), texts: workers.of({ tenant, account }) };
      return {
        read: issueId => refusing(loadReading(site, issueId)),
        change: request => counted(request.edit.kind, makeChange(site, account, request)),
        rewrite: ({ issueId: issue, clientId, edit }) => {
          const proposal = { account, clientId, base: NEWEST_BASE, edit, maxItems: site.itemLimit };
          return counted(entryOf(edit), site.changes({ site, issue, proposal }));
        },
      };
    },
    asApp: ({ tenant, account }) => {
      const app = appChecklists({ site: siteOf(tenant, { work: 'api', account }), account, permission });
      return {
        find: (idOrKey, isStrict) => refusing(app.find(idOrKey, isStrict)),
        statuses: app.statuses,
        run: app.run,
        read: issueId => refusing(app.read(issueId)),
        history: (issue, page) => refusing(app.history(issue, page)),
        revision: (issueId, position) => refusing(app.revision(issueId, position)),
        change: request =>
          request.isDryRun ? refusing(app.change(request)) : counted(request.edit.kind, app.change(request)),
        search: search => refusing(app.search(search)),
      };
    },
    async doubtAccess(tenant, issue) {
      if (!isIssueId(issue)) return;
      const moved = forgetPlace({ tenant, issue });
      await store.batch(tenant, [noteDoubt(tenant, issue), moved, publication(tenant, { kind: 'access', issue })]);
    },
    forgetAccess: access.forget,
    forgetAllAccess: access.forgetAll,
    recallAccess: access.recall,
    siteOf,
    async refreshIndexes() {
      await eachSite('stale indexes', await store.tenants(), onError, async id => {
        const tenant = await tenants.find(id);
        if (!tenant) return;
        await store.tenant(id, tx => noteRegistries(tx, id));
        const texts = workers.of({ tenant, account: '' });
        await refreshIndexes({ store, texts, registries: () => registries(tenant) }, id);
      });
    },
    prune: tenant => prune(store, tenant, retention),
  };
}
