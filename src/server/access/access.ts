import { refusals, storage } from '../../domain/messages.ts';
import { noPermissions, type PermissionFlags, type PortalMode, permissionFlags } from '../../domain/permissions.ts';
import { anonymous } from '../../domain/user.ts';
import { Refused } from '../errors/refused.ts';
import { NoAsker, TrackerRefused, TrackerUnavailable } from '../errors/tracker.ts';
import { LEEWAY_SECONDS } from '../platform/clock.ts';
import type { Tenant } from '../platform/tenants.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { isIssueId, readProject, SERVICE_PROJECT } from '../platform/tracker/issue.ts';
import { grantedPermissions } from '../platform/tracker/permissions.ts';
import { createCache } from '../store/cached.ts';
import type { Store } from '../store/store.ts';
import { type Answer, type AskedIssue, createGrants } from './grants.ts';
import { answerKey, createDoubts, createKnownAnswers, MAX_KNOWN_ANSWERS } from './known-answers.ts';
import { createPortal, type IssuePlace } from './portal.ts';

/** The permissions of callers, loaded from the tracker. */
export interface Access {
  /** The caller's permissions on each issue, by one call at most; without issues that are not visible to the caller. */
  flags(caller: Caller, tracker: Tracker, issueIds: readonly string[]): Promise<ReadonlyMap<string, PermissionFlags>>;
  /** Reads the flags from the tracker, without the cache. */
  flagsNow: Access['flags'];
  /** The issues whose checklists the caller has permission to view. A frame's token proves its own issue without a call. */
  viewable(caller: Caller, tracker: Tracker, issueIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Rejects with `Refused` without the permission to view the issue's checklist. */
  requireView(caller: Caller, tracker: Tracker, issueId: string): Promise<void>;
  /**
   * The part of a checklist that the caller sees in the portal. Rejects with `Refused` if the tracker hides the issue.
   */
  portalMode(caller: Caller, tracker: Tracker, issueId: string): Promise<PortalMode>;
  /** Rejects with `Refused` unless the caller has all of these flags on the issue. Resolves with all flags. */
  requireFlags(
    caller: Caller,
    tracker: Tracker,
    issueId: string,
    flags: readonly (keyof PermissionFlags)[],
  ): Promise<PermissionFlags>;
  /** Drops a cached answer that grants flags which the caller's browser found missing. */
  lacks(caller: Caller, issueId: string, flags: readonly (keyof PermissionFlags)[]): Promise<void>;
  /** Invalidates this process's cached answers and tokens of an issue, which may have moved or become hidden. */
  forget(tenant: string, issueId: string): void;
  /** Invalidates this process's cached answers and tokens of all issues, after a gap in events. */
  forgetAll(): void;
  /** Invalidates answers and tokens of an issue after a denial, also for other processes. */
  doubt(tenant: string, issueId: string): Promise<void>;
  /** Loads the doubts that were stored before this process started. */
  recall(): Promise<void>;
}

export interface AccessOptions {
  store: Pick<Store, 'batch' | 'sweep'>;
  /** The issue's project and portal: from the database if the issue is known, else from the tracker. */
  placeOf(caller: Caller, issueId: string): Promise<IssuePlace>;
  /** Called with errors that did not stop the work. */
  onError(error: unknown): void;
  now?(): number;
}

/** A running call to the tracker. */
interface PendingLoad {
  /** Start time in milliseconds. */
  asked: number;
  /** By issue. */
  answers: Promise<ReadonlyMap<string, Answer>>;
}

/** Changes trust a cached answer for a shorter time than reads, so that a revoked permission ends soon. */
const READING_CACHE_MS = 5 * 60_000;
const CHANGING_CACHE_MS = 60_000;
/** A frame's token proves for this time that its issue is visible. */
const SESSION_MS = 60 * 60_000;
/** A tracker that did not answer is not called for this time if a stored answer is valid. */
const AWAY_PAUSE_MS = 30_000;
const MAX_AWAY_SITES = 10_000;
const LEEWAY_MS = LEEWAY_SECONDS * 1000;

/** Whether the tracker denied permission. */
export const isDenial = (error: unknown): boolean =>
  error instanceof TrackerRefused && (error.status === 401 || error.status === 403);

async function ask(caller: Caller, tracker: Tracker, issueIds: readonly string[]): Promise<Answer[]> {
  const { frame } = caller;
  // Portal customers have no permissions in the tracker. The frame that the tracker opened for this request and account
  // proves that the portal shows it to the account.
  const shown = async (id: string) => frame?.issue === id && (await readProject(tracker, id)).type === SERVICE_PROJECT;
  const sets = await grantedPermissions(tracker, caller, issueIds).catch(async error => {
    // No calls can be made for a customer.
    const isCustomer = error instanceof NoAsker && (await Promise.all(issueIds.map(shown))).every(Boolean);
    if (!isCustomer) throw error;
    return [];
  });
  return Promise.all(
    issueIds.map(async (id, index): Promise<Answer> => {
      const granted = sets[index] ?? new Set();
      if (granted.has('BROWSE_PROJECTS')) return { granted, sees: 'issue' };
      return { granted, sees: (await shown(id)) ? 'request' : 'nothing' };
    }),
  );
}

/** A portal customer can at most view the checklist of a request, and only if customers see all of it. */
function flagsOf({ settings }: Tenant, { granted, sees }: Answer, mode: PortalMode = 'ALL'): PermissionFlags {
  const { manage_permissions_enabled: manageEnabled, view_permissions_enabled: viewEnabled } = settings;
  const flags = permissionFlags(granted, { manageEnabled, viewEnabled });
  if (sees === 'issue') return flags;
  return mode === 'ALL' ? { ...noPermissions, canViewChecklist: flags.canViewChecklist } : noPermissions;
}

export function createAccess({ store, placeOf, onError, now = () => Date.now() }: AccessOptions): Access {
  const portal = createPortal(placeOf, now);
  const grants = createGrants(store);
  /** Running calls by `answerKey`. */
  const pending = new Map<string, PendingLoad>();
  /** The time until which a tenant's tracker is not called if stored answers are valid. */
  const away = createCache<number>(MAX_AWAY_SITES);
  const answers = createKnownAnswers();
  const doubts = createDoubts();
  const { isDoubted } = doubts;

  const forget = (tenant: string, issueId: string) => doubts.set(tenant, issueId, now());

  async function doubt(tenant: string, issueId: string): Promise<void> {
    forget(tenant, issueId);
    await grants.doubt(tenant, issueId).catch(onError);
  }

  function cachedAnswers(caller: Caller, issueIds: readonly string[], age: number): Map<string, Answer> {
    const validAnswers = new Map<string, Answer>();
    for (const id of issueIds) {
      const cachedAnswer = answers.get(caller, id);
      if (!cachedAnswer || now() - cachedAnswer.asked >= age || isDoubted(caller.tenant.id, id, cachedAnswer.asked))
        continue;
      validAnswers.set(id, cachedAnswer.answer);
    }
    return validAnswers;
  }

  const askerOf = ({ tenant, account }: Caller) => ({ tenant: tenant.id, epoch: tenant.epoch, account });
  const asAsked = ({ frame }: Caller, issue: string): AskedIssue => ({ issue, framed: frame?.issue === issue });

  /** Calls the tracker, and caches and stores its answers. */
  function load(caller: Caller, tracker: Tracker, issueIds: readonly string[]): PendingLoad {
    // Events during the call count as later than the answer.
    const askedAtMs = now();
    const answer = async () => {
      const loaded = (await ask(caller, tracker, issueIds)).map((answer, index) => ({
        ...asAsked(caller, issueIds[index] ?? ''),
        answer,
      }));
      away.delete(caller.tenant.id);
      for (const { issue, answer } of loaded) answers.set(caller, issue, { asked: askedAtMs, answer });
      await grants.note(askerOf(caller), loaded, now() - askedAtMs).catch(onError);
      return new Map(loaded.map(({ issue, answer }) => [issue, answer]));
    };
    return { asked: askedAtMs, answers: answer() };
  }

  /**
   * Loads answers, and shares running calls about these issues. A call is not shared if its issue was doubted since its
   * start.
   */
  async function loadShared(caller: Caller, tracker: Tracker, issueIds: readonly string[]) {
    const running = new Map<string, PendingLoad>();
    for (const id of issueIds) {
      const pendingLoad = pending.get(answerKey(caller, id));
      if (pendingLoad && !isDoubted(caller.tenant.id, id, pendingLoad.asked)) running.set(id, pendingLoad);
    }
    /** Starts a call that others may share while it runs. */
    const start = async (ids: readonly string[]) => {
      const started = load(caller, tracker, ids);
      const keys = ids.map(id => answerKey(caller, id));
      for (const key of keys) pending.set(key, started);
      try {
        return await started.answers;
      } finally {
        for (const key of keys) if (pending.get(key) === started) pending.delete(key);
      }
    };
    const share = async (id: string, { answers }: PendingLoad) => {
      const answer = await answers.then(answersOfCall => answersOfCall.get(id)).catch(() => undefined);
      return answer && ([id, answer] as const);
    };
    const open = issueIds.filter(id => !running.has(id));
    const [ownAnswers, ...sharedAnswers] = await Promise.all([
      open.length > 0 ? start(open) : new Map<string, Answer>(),
      ...[...running].map(([id, call]) => share(id, call)),
    ]);
    const loadedAnswers = new Map([...ownAnswers, ...sharedAnswers.flatMap(each => (each ? [each] : []))]);
    // A shared call may have failed for an issue that is not asked for here.
    const failed = issueIds.filter(id => !loadedAnswers.has(id));
    if (failed.length === 0) return loadedAnswers;
    return new Map([...loadedAnswers, ...(await start(failed))]);
  }

  /** The stored answers of all issues while the tracker is unavailable, not older than a session; else `undefined`. */
  async function storedAnswers(caller: Caller, issueIds: readonly string[]) {
    const askedIssues = issueIds.map(id => asAsked(caller, id));
    const answersByIssue = await grants.find(askerOf(caller), askedIssues);
    return issueIds.every(id => answersByIssue.has(id)) ? answersByIssue : undefined;
  }

  /** The tracker's answers, or the stored ones while it is unavailable. */
  async function currentOrStored(caller: Caller, tracker: Tracker, issueIds: readonly string[]) {
    const { id } = caller.tenant;
    const until = away.get(id);
    const before = until !== undefined && now() < until ? await storedAnswers(caller, issueIds) : undefined;
    if (before) return before;
    // One request tries the tracker, while others use stored answers.
    if (until !== undefined) away.set(id, now() + AWAY_PAUSE_MS);
    try {
      return await loadShared(caller, tracker, issueIds);
    } catch (error) {
      if (!(error instanceof TrackerUnavailable)) throw error;
      away.set(id, now() + AWAY_PAUSE_MS);
      const stored = await storedAnswers(caller, issueIds);
      if (!stored) throw error;
      return stored;
    }
  }

  /** Cached answers younger than `age`, and the tracker's for the other issues. */
  async function answersOf(caller: Caller, tracker: Tracker, issueIds: readonly string[], age: number) {
    // Without an account the tracker would answer for the add-on itself.
    const askedIds = caller.account === anonymous.id ? [] : [...new Set(issueIds)].filter(isIssueId);
    const answersById = cachedAnswers(caller, askedIds, age);
    const open = askedIds.filter(id => !answersById.has(id));
    if (open.length === 0) return answersById;
    try {
      const loaded = await (age > 0 ? currentOrStored(caller, tracker, open) : load(caller, tracker, open).answers);
      for (const [id, answer] of loaded) answersById.set(id, answer);
    } catch (error) {
      if (isDenial(error)) for (const id of open) await doubt(caller.tenant.id, id);
      throw error;
    }
    return answersById;
  }

  const within =
    (age: number): Access['flags'] =>
    async (caller, tracker, issueIds) => {
      const answersById = await answersOf(caller, tracker, issueIds, age);
      const visibleAnswers = [...answersById].filter(([, { sees }]) => sees !== 'nothing');
      const flagEntries = visibleAnswers.map(async ([id, answer]) => {
        const mode = answer.sees === 'request' ? await portal.modeOf(caller, id) : 'ALL';
        return [id, flagsOf(caller.tenant, answer, mode)] as const;
      });
      return new Map(await Promise.all(flagEntries));
    };
  const flags = within(READING_CACHE_MS);
  const flagsToChange = within(CHANGING_CACHE_MS);

  /** Whether the frame's token proves that the issue is visible, without a later answer to the contrary. */
  function isProven(caller: Caller, id: string): boolean {
    const { tenant, account, frame } = caller;
    if (frame?.issue !== id || account === anonymous.id || tenant.settings.view_permissions_enabled) return false;
    if (now() - frame.shown >= SESSION_MS + LEEWAY_MS || isDoubted(tenant.id, id, frame.shown)) return false;
    const cachedAnswer = answers.get(caller, id);
    return !(cachedAnswer && cachedAnswer.answer.sees === 'nothing' && cachedAnswer.asked >= frame.shown);
  }

  /** Whether the frame's token proves that the account sees all of the checklist. */
  const provesAll = async (caller: Caller, id: string) => isProven(caller, id) && (await portal.trusts(caller, id));

  const viewable: Access['viewable'] = async (caller, tracker, issueIds) => {
    const proven: string[] = [];
    for (const id of issueIds) if (await provesAll(caller, id)) proven.push(id);
    const flagsById = await flags(
      caller,
      tracker,
      issueIds.filter(id => !proven.includes(id)),
    );
    return new Set([
      ...proven,
      ...[...flagsById].flatMap(([id, { canViewChecklist }]) => (canViewChecklist ? id : [])),
    ]);
  };

  return {
    flags,
    flagsNow: within(0),
    viewable,
    async requireView(caller, tracker, issueId) {
      if (await provesAll(caller, issueId)) return;
      const issueFlags = (await flags(caller, tracker, [issueId])).get(issueId);
      refuseUnless(issueFlags, ['canViewChecklist']);
      const { sees } = answers.get(caller, issueId)?.answer ?? {};
      if (caller.frame?.issue === issueId && sees === 'issue') await portal.isAgent(caller, issueId);
    },
    async portalMode(caller, tracker, issueId) {
      if (!isProven(caller, issueId)) {
        const answersById = await answersOf(caller, tracker, [issueId], READING_CACHE_MS);
        if ((answersById.get(issueId)?.sees ?? 'nothing') === 'nothing')
          throw new Refused('NOT_FOUND', storage.issueNotFound);
      }
      return portal.modeOf(caller, issueId);
    },
    requireFlags: async (caller, tracker, issueId, wanted) =>
      refuseUnless((await flagsToChange(caller, tracker, [issueId])).get(issueId), wanted),
    async lacks(caller, issueId, lacking) {
      const grantsMore = (answer: Answer | undefined) =>
        answer !== undefined && lacking.some(flag => flagsOf(caller.tenant, answer)[flag]);
      if (grantsMore(answers.get(caller, issueId)?.answer)) answers.delete(caller, issueId);
      const [asker, askedIssue] = [askerOf(caller), asAsked(caller, issueId)];
      const stored = await grants.find(asker, [askedIssue]);
      if (grantsMore(stored.get(issueId))) await grants.drop(asker, askedIssue);
    },
    forget,
    forgetAll: () => doubts.setAll(now()),
    doubt,
    async recall() {
      const storedDoubts = await grants.doubts(MAX_KNOWN_ANSWERS + 1);
      // There may be more, which are older.
      if (storedDoubts.length > MAX_KNOWN_ANSWERS) doubts.setAll(now() - (storedDoubts[0]?.age ?? 0));
      for (const { tenant, issue, age } of storedDoubts) {
        const since = now() - age;
        if (!isDoubted(tenant, issue, since)) doubts.set(tenant, issue, since);
      }
    },
  };
}

function refuseUnless(
  issueFlags: PermissionFlags | undefined,
  requiredFlags: readonly (keyof PermissionFlags)[],
): PermissionFlags {
  if (!issueFlags) throw new Refused('NOT_FOUND', storage.issueNotFound);
  if (!requiredFlags.every(flag => issueFlags[flag])) throw new Refused('FORBIDDEN', refusals.permission);
  return issueFlags;
}
