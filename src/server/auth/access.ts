import { LRUCache } from 'lru-cache';
import { refusals, storage } from '../../domain/messages.ts';
import { noPermissions, type PermissionFlags, permissionFlags } from '../../domain/permissions.ts';
import { anonymous } from '../../domain/user.ts';
import { Refused } from '../errors/refused.ts';
import { NoAsker, TrackerRefused, TrackerUnavailable } from '../errors/tracker.ts';
import type { Tenant } from '../platform/tenants.ts';
import { type Caller, LEEWAY } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { isIssueId, readProject, SERVICE_PROJECT } from '../platform/tracker/issue.ts';
import { grantedPermissions } from '../platform/tracker/permissions.ts';
import type { Store } from '../store/store.ts';
import { type Answer, type AskedIssue, createGrants } from './grants.ts';

/** What callers may do, by the tracker's own answer (design.md §4.4). */
export interface Access {
  /** What the caller may do on each of the issues, by one question at most; one that is hidden from them is missing. */
  flags(caller: Caller, tracker: Tracker, issueIds: readonly string[]): Promise<ReadonlyMap<string, PermissionFlags>>;
  /** The same, by what the tracker says at this moment: no earlier answer counts. */
  flagsNow: Access['flags'];
  /** Those of the issues whose checklist the caller may view. A frame's own issue is proven by its token, without a question. */
  viewable(caller: Caller, tracker: Tracker, issueIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Rejects with `Refused` unless the caller may view the issue's checklist. */
  holdToView(caller: Caller, tracker: Tracker, issueId: string): Promise<void>;
  /** Rejects with `Refused` unless the caller has all of these flags on the issue. Gives all that they have. */
  holdToChange(
    caller: Caller,
    tracker: Tracker,
    issueId: string,
    flags: readonly (keyof PermissionFlags)[],
  ): Promise<PermissionFlags>;
  /** The caller's page finds that the caller lacks these flags on the issue: an earlier answer that says otherwise is forgotten. */
  lacks(caller: Caller, issueId: string, flags: readonly (keyof PermissionFlags)[]): Promise<void>;
  /** The issue may have moved, or be hidden from some: in this process answers and tokens from before prove nothing any more. */
  forget(tenant: string, issueId: string): void;
  /** The same for all issues: events may have been missed. */
  forgetAll(): void;
  /** The tracker denied work on an issue that earlier answers allowed: they prove nothing any more, in later processes too. */
  doubt(tenant: string, issueId: string): Promise<void>;
  /** Takes over what was in doubt before this process began. */
  recall(): Promise<void>;
}

export interface AccessOptions {
  store: Pick<Store, 'batch' | 'sweep'>;
  /** Told of what went wrong and did not stop the work. */
  onError(error: unknown): void;
  now?(): number;
}

/** A question to the tracker that is under way. */
interface Question {
  /** When it was put. */
  asked: number;
  answers: Promise<Answer[]>;
}

/** Milliseconds for which an answer of the tracker holds for reading, and for changing. */
const READING = 5 * 60_000;
const CHANGING = 60_000;
/** Milliseconds for which a token proves that an issue is visible. */
const SESSION = 60 * 60_000;
/** Milliseconds for which a tracker that did not answer is not asked again where an earlier answer of it is valid. */
const AWAY = 30_000;
const MOST = 10_000;
const LEEWAY_TIME = LEEWAY * 1000;

/** The tracker itself says that something is not allowed. */
export const isDenial = (error: unknown): boolean =>
  error instanceof TrackerRefused && (error.status === 401 || error.status === 403);

async function ask(caller: Caller, tracker: Tracker, issueIds: readonly string[]): Promise<Answer[]> {
  const { frame } = caller;
  // Customers of a service project use no more of the tracker than its portal, so it grants them nothing. That the
  // tracker framed us with this very request for this account proves that the portal shows it to him.
  const shown = async (id: string) => frame?.issue === id && (await readProject(tracker, id)).type === SERVICE_PROJECT;
  const sets = await grantedPermissions(tracker, caller, issueIds).catch(async error => {
    // Nor is anything asked in a customer's name.
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

/** A customer who sees a request in the portal may view its checklist at most. */
function flagsOf({ settings }: Tenant, { granted, sees }: Answer): PermissionFlags {
  const { manage_permissions_enabled: manageEnabled, view_permissions_enabled: viewEnabled } = settings;
  const flags = permissionFlags(granted, { manageEnabled, viewEnabled });
  return sees === 'issue' ? flags : { ...noPermissions, canViewChecklist: flags.canViewChecklist };
}

export function createAccess({ store, onError, now = () => Date.now() }: AccessOptions): Access {
  const grants = createGrants(store);
  const questions = new Map<string, Question>();
  /** Until when a tenant's tracker is not asked where it need not be. */
  const away = new LRUCache<string, number>({ max: MOST });
  const answers = new LRUCache<string, { asked: number; answer: Answer }>({ max: MOST });
  /** When answers and tokens of an issue ceased to prove anything; of an issue that is not there, `doubtedAll`. */
  const doubted = new LRUCache<string, number>({
    max: MOST,
    dispose: (time, _key, reason) => {
      if (reason === 'evict') doubtedAll = Math.max(doubtedAll, time);
    },
  });
  let doubtedAll = Number.NEGATIVE_INFINITY;

  const issueKey = (tenant: string, issue: string) => JSON.stringify([tenant, issue]);
  const answerKey = ({ tenant, account, frame }: Caller, id: string) =>
    JSON.stringify([tenant.id, id, tenant.epoch, account, frame?.issue === id]);

  const isDoubted = (tenant: string, issue: string, time: number) =>
    time <= Math.max(doubtedAll, doubted.peek(issueKey(tenant, issue)) ?? doubtedAll);

  function doubtAt(tenant: string, issueId: string, time: number): void {
    doubted.set(issueKey(tenant, issueId), time);
  }

  const forget = (tenant: string, issueId: string) => doubtAt(tenant, issueId, now());

  async function doubt(tenant: string, issueId: string): Promise<void> {
    forget(tenant, issueId);
    await grants.doubt(tenant, issueId).catch(onError);
  }

  function remembered(caller: Caller, issueIds: readonly string[], age: number): Map<string, Answer> {
    const found = new Map<string, Answer>();
    for (const id of issueIds) {
      const known = answers.get(answerKey(caller, id));
      if (!known || now() - known.asked >= age || isDoubted(caller.tenant.id, id, known.asked)) continue;
      found.set(id, known.answer);
    }
    return found;
  }

  const askerOf = ({ tenant, account }: Caller) => ({ tenant: tenant.id, epoch: tenant.epoch, account });
  const asAsked = ({ frame }: Caller, issue: string): AskedIssue => ({ issue, framed: frame?.issue === issue });

  /** Asks the tracker, and keeps what it says. */
  function put(caller: Caller, tracker: Tracker, issueIds: readonly string[]): Question {
    // An event that comes while the tracker answers is later than the answer.
    const asked = now();
    const given = async () => {
      const said = (await ask(caller, tracker, issueIds)).map((answer, index) => ({
        ...asAsked(caller, issueIds[index] ?? ''),
        answer,
      }));
      away.delete(caller.tenant.id);
      for (const { issue, answer } of said) answers.set(answerKey(caller, issue), { asked, answer });
      await grants.note(askerOf(caller), said, now() - asked).catch(onError);
      return said.map(({ answer }) => answer);
    };
    return { asked, answers: given() };
  }

  /** Likewise; a question that is under way is shared, unless the issue was put in doubt since it was put. */
  async function answered(caller: Caller, tracker: Tracker, issueIds: readonly string[]): Promise<Answer[]> {
    const key = JSON.stringify(issueIds.map(id => answerKey(caller, id)));
    const running = questions.get(key);
    if (running && !issueIds.some(id => isDoubted(caller.tenant.id, id, running.asked))) return running.answers;
    const question = put(caller, tracker, issueIds);
    questions.set(key, question);
    try {
      return await question.answers;
    } finally {
      if (questions.get(key) === question) questions.delete(key);
    }
  }

  /** While the tracker is away, what it granted within the session's life: for all of the issues, or `undefined`. */
  async function earlier(caller: Caller, issueIds: readonly string[]): Promise<Answer[] | undefined> {
    const asked = issueIds.map(id => asAsked(caller, id));
    const found = await grants.find(askerOf(caller), asked);
    const given = issueIds.flatMap(id => found.get(id) ?? []);
    return given.length === issueIds.length ? given : undefined;
  }

  /** What the tracker says at this moment, or where it cannot be asked has said before. */
  async function saidOf(caller: Caller, tracker: Tracker, issueIds: readonly string[]): Promise<Answer[]> {
    const { id } = caller.tenant;
    const until = away.get(id);
    const before = until !== undefined && now() < until ? await earlier(caller, issueIds) : undefined;
    if (before) return before;
    // It is tried by one, while others go on by what it has said before.
    if (until !== undefined) away.set(id, now() + AWAY);
    try {
      return await answered(caller, tracker, issueIds);
    } catch (error) {
      if (!(error instanceof TrackerUnavailable)) throw error;
      away.set(id, now() + AWAY);
      const given = await earlier(caller, issueIds);
      if (!given) throw error;
      return given;
    }
  }

  /** The answers that are not older, and for the other issues what the tracker says. */
  async function answersOf(caller: Caller, tracker: Tracker, issueIds: readonly string[], age: number) {
    // Without an account the tracker would answer for the add-on itself.
    const wanted = caller.account === anonymous.id ? [] : [...new Set(issueIds)].filter(isIssueId);
    const found = remembered(caller, wanted, age);
    const open = wanted.filter(id => !found.has(id));
    if (open.length === 0) return found;
    try {
      const said = await (age > 0 ? saidOf(caller, tracker, open) : put(caller, tracker, open).answers);
      for (const [index, answer] of said.entries()) found.set(open[index] ?? '', answer);
    } catch (error) {
      if (isDenial(error)) for (const id of open) await doubt(caller.tenant.id, id);
      throw error;
    }
    return found;
  }

  const within =
    (age: number): Access['flags'] =>
    async (caller, tracker, issueIds) => {
      const found = await answersOf(caller, tracker, issueIds, age);
      const seen = [...found].filter(([, { sees }]) => sees !== 'nothing');
      return new Map(seen.map(([id, answer]) => [id, flagsOf(caller.tenant, answer)]));
    };
  const flags = within(READING);
  const flagsToChange = within(CHANGING);

  /** The tracker put this issue's frame before this account, and has not said otherwise since. */
  function isProven(caller: Caller, id: string): boolean {
    const { tenant, account, frame } = caller;
    if (frame?.issue !== id || account === anonymous.id || tenant.settings.view_permissions_enabled) return false;
    if (now() - frame.shown >= SESSION + LEEWAY_TIME || isDoubted(tenant.id, id, frame.shown)) return false;
    const known = answers.get(answerKey(caller, id));
    return !(known && known.answer.sees === 'nothing' && known.asked >= frame.shown);
  }

  const viewable: Access['viewable'] = async (caller, tracker, issueIds) => {
    const proven = issueIds.filter(id => isProven(caller, id));
    const held = await flags(
      caller,
      tracker,
      issueIds.filter(id => !proven.includes(id)),
    );
    return new Set([...proven, ...[...held].flatMap(([id, { canViewChecklist }]) => (canViewChecklist ? id : []))]);
  };

  return {
    flags,
    flagsNow: within(0),
    viewable,
    async holdToView(caller, tracker, issueId) {
      if (isProven(caller, issueId)) return;
      refuseUnless((await flags(caller, tracker, [issueId])).get(issueId), ['canViewChecklist']);
    },
    holdToChange: async (caller, tracker, issueId, wanted) =>
      refuseUnless((await flagsToChange(caller, tracker, [issueId])).get(issueId), wanted),
    async lacks(caller, issueId, lacking) {
      const key = answerKey(caller, issueId);
      const grantsMore = (answer: Answer | undefined) =>
        answer !== undefined && lacking.some(flag => flagsOf(caller.tenant, answer)[flag]);
      if (grantsMore(answers.get(key)?.answer)) answers.delete(key);
      const [asker, asked] = [askerOf(caller), asAsked(caller, issueId)];
      const kept = await grants.find(asker, [asked]);
      if (grantsMore(kept.get(issueId))) await grants.drop(asker, asked);
    },
    forget,
    forgetAll() {
      doubtedAll = now();
      doubted.clear();
    },
    doubt,
    async recall() {
      for (const { tenant, issue, age } of await grants.doubts(MOST + 1)) {
        const since = now() - age;
        if (!isDoubted(tenant, issue, since)) doubtAt(tenant, issue, since);
      }
    },
  };
}

function refuseUnless(held: PermissionFlags | undefined, wanted: readonly (keyof PermissionFlags)[]): PermissionFlags {
  if (!held) throw new Refused('NOT_FOUND', storage.issueNotFound);
  if (!wanted.every(flag => held[flag])) throw new Refused('FORBIDDEN', refusals.permission);
  return held;
}
