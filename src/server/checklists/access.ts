import { refusals, storage } from '../../domain/messages.ts';
import { noPermissions, type PermissionFlags, permissionFlags } from '../../domain/permissions.ts';
import { anonymous } from '../../domain/user.ts';
import type { Tenant } from '../platform/connect/tenants.ts';
import { type Caller, LEEWAY } from '../platform/connect/tokens.ts';
import { NoAsker, type Tracker, TrackerUnavailable } from '../platform/tracker/client.ts';
import { isIssueId, readProject, SERVICE_PROJECT, TrackerRefused } from '../platform/tracker/issue.ts';
import { grantedPermissions } from '../platform/tracker/permissions.ts';
import { Refused } from '../refused.ts';

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
  /** The issue may have moved, or be hidden from some: answers and tokens from before prove nothing any more. */
  forget(tenant: string, issueId: string): void;
  /** The same for all issues: events may have been missed. */
  forgetAll(): void;
}

/** What the tracker says of an account and an issue. */
interface Answer {
  granted: ReadonlySet<string>;
  /** The issue is visible by permission, or to a customer in the portal. */
  sees: 'issue' | 'request' | 'nothing';
}

/** Milliseconds for which an answer of the tracker holds for reading, and for changing. */
const READING = 5 * 60_000;
const CHANGING = 60_000;
/** Milliseconds for which it holds while the tracker cannot be asked, and for which a token proves that an issue is visible. */
const SESSION = 60 * 60_000;
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

export function createAccess(now: () => number = () => Date.now()): Access {
  const answers = new Map<string, { asked: number; answer: Answer }>();
  /** When answers and tokens of an issue ceased to prove anything; of an issue that is not there, `doubtedAll`. */
  const doubted = new Map<string, number>();
  let doubtedAll = Number.NEGATIVE_INFINITY;

  const issueKey = (tenant: string, issue: string) => JSON.stringify([tenant, issue]);
  const answerKey = ({ tenant, account, frame }: Caller, id: string) =>
    JSON.stringify([tenant.id, id, tenant.epoch, account, frame?.issue === id]);

  const isDoubted = (tenant: string, issue: string, time: number) =>
    time <= Math.max(doubtedAll, doubted.get(issueKey(tenant, issue)) ?? doubtedAll);

  /** What was kept last stays; the value that had to go for it is given back. */
  function keep<Value>(map: Map<string, Value>, key: string, value: Value): Value | undefined {
    map.delete(key);
    const [oldest] = map.size >= MOST ? map : [];
    if (oldest) map.delete(oldest[0]);
    map.set(key, value);
    return oldest?.[1];
  }

  function forget(tenant: string, issueId: string): void {
    const dropped = keep(doubted, issueKey(tenant, issueId), now());
    if (dropped !== undefined) doubtedAll = Math.max(doubtedAll, dropped);
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

  /** The answers that are not older, and for the other issues what the tracker says. */
  async function answersOf(caller: Caller, tracker: Tracker, issueIds: readonly string[], age: number) {
    // Without an account the tracker would answer for the add-on itself.
    const wanted = caller.account === anonymous.id ? [] : [...new Set(issueIds)].filter(isIssueId);
    const found = remembered(caller, wanted, age);
    const open = wanted.filter(id => !found.has(id));
    if (open.length === 0) return found;
    // An event that comes while the tracker answers is later than the answer.
    const asked = now();
    try {
      const given = await ask(caller, tracker, open);
      given.forEach((answer, index) => {
        const id = open[index] ?? '';
        keep(answers, answerKey(caller, id), { asked, answer });
        found.set(id, answer);
      });
    } catch (error) {
      if (isDenial(error)) for (const id of open) forget(caller.tenant.id, id);
      // While the tracker is away, what it granted within the session's life stays valid.
      const earlier = age > 0 && error instanceof TrackerUnavailable ? remembered(caller, open, SESSION) : undefined;
      if (earlier?.size !== open.length) throw error;
      for (const [id, answer] of earlier) found.set(id, answer);
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
    forget,
    forgetAll() {
      doubtedAll = now();
      doubted.clear();
    },
  };
}

function refuseUnless(held: PermissionFlags | undefined, wanted: readonly (keyof PermissionFlags)[]): PermissionFlags {
  if (!held) throw new Refused('NOT_FOUND', storage.issueNotFound);
  if (!wanted.every(flag => held[flag])) throw new Refused('FORBIDDEN', refusals.permission);
  return held;
}
