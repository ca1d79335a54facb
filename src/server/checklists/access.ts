import { refusals, storage } from '../../domain/messages.ts';
import { noPermissions, type PermissionFlags, permissionFlags } from '../../domain/permissions.ts';
import { anonymous } from '../../domain/user.ts';
import type { Tenant } from '../connect/tenants.ts';
import type { Caller } from '../connect/tokens.ts';
import { Refused } from '../refused.ts';
import type { Tracker } from '../tracker/client.ts';
import { isIssueId, readProject, SERVICE_PROJECT } from '../tracker/issue.ts';
import { grantedPermissions } from '../tracker/permissions.ts';

/** What callers may do, by the tracker's own answer. */
export interface Access {
  /** What the caller may do on each of the issues, by one question at most; one that he may not see is missing. */
  flags(caller: Caller, tracker: Tracker, issueIds: readonly string[]): Promise<ReadonlyMap<string, PermissionFlags>>;
  /** Likewise, by what the tracker says at this moment: what it was asked before is not believed. */
  flagsNow: Access['flags'];
  /** Rejects with `Refused` unless the caller has the flag on the issue: for who reads. */
  hold(caller: Caller, tracker: Tracker, issueId: string, flag: keyof PermissionFlags): Promise<void>;
  /** Likewise all of these flags, for who writes: by what the tracker said a moment ago at most. Gives all that he has. */
  holdToWrite(
    caller: Caller,
    tracker: Tracker,
    issueId: string,
    flags: readonly (keyof PermissionFlags)[],
  ): Promise<PermissionFlags>;
}

/** What the tracker says of an account and an issue. */
interface Answer {
  granted: ReadonlySet<string>;
  /** It may see the issue: by permission, or as a customer in the portal. */
  sees: 'issue' | 'request' | 'nothing';
}

/** Milliseconds for which an answer of the tracker is believed where nothing is written. */
const READING = 10_000;
/** Milliseconds for which it is where something is: somebody who ticks one row after the other is one question. */
const WRITING = 2_000;
const MOST = 10_000;

async function ask({ account, issue }: Caller, tracker: Tracker, issueIds: readonly string[]): Promise<Answer[]> {
  const sets = await grantedPermissions(tracker, account, issueIds);
  // Customers of a service project use no more of the tracker than its portal, so it grants them nothing. That the
  // tracker framed us with this very request for this account proves that the portal shows it to him.
  const shown = async (id: string) => issue === id && (await readProject(tracker, id)).type === SERVICE_PROJECT;
  return Promise.all(
    issueIds.map(async (id, index): Promise<Answer> => {
      const granted = sets[index] ?? new Set();
      if (granted.has('BROWSE_PROJECTS')) return { granted, sees: 'issue' };
      return { granted, sees: (await shown(id)) ? 'request' : 'nothing' };
    }),
  );
}

/** Whoever sees a request in the portal may view its checklist at most. */
function flagsOf({ settings }: Tenant, { granted, sees }: Answer): PermissionFlags {
  const { manage_permissions_enabled: manageEnabled, view_permissions_enabled: viewEnabled } = settings;
  const flags = permissionFlags(granted, { manageEnabled, viewEnabled });
  return sees === 'issue' ? flags : { ...noPermissions, canViewChecklist: flags.canViewChecklist };
}

export function createAccess(now: () => number = () => Date.now()): Access {
  const answers = new Map<string, { asked: number; answer: Answer }>();

  const keyOf = ({ tenant, account, issue }: Caller, id: string) =>
    JSON.stringify([tenant.id, tenant.epoch, account, id, issue === id]);

  function keep(key: string, answer: Answer): void {
    answers.delete(key);
    const oldest = answers.keys().next();
    if (answers.size >= MOST && !oldest.done) answers.delete(oldest.value);
    answers.set(key, { asked: now(), answer });
  }

  function believed(caller: Caller, issueIds: readonly string[], age: number): Map<string, Answer> {
    const found = new Map<string, Answer>();
    for (const id of issueIds) {
      const known = answers.get(keyOf(caller, id));
      if (known && now() - known.asked < age) found.set(id, known.answer);
    }
    return found;
  }

  /** Adds to the answers that are believed what the tracker says of the other issues. */
  async function complete(found: Map<string, Answer>, caller: Caller, tracker: Tracker, issueIds: readonly string[]) {
    const open = issueIds.filter(id => !found.has(id));
    const asked = open.length > 0 ? await ask(caller, tracker, open) : [];
    asked.forEach((answer, index) => {
      const id = open[index] ?? '';
      keep(keyOf(caller, id), answer);
      found.set(id, answer);
    });
    return found;
  }

  const within =
    (age: number): Access['flags'] =>
    async (caller, tracker, issueIds) => {
      // Without an account the tracker would answer for the add-on itself.
      const asked = caller.account === anonymous.id ? [] : [...new Set(issueIds)].filter(isIssueId);
      const found = await complete(believed(caller, asked, age), caller, tracker, asked);
      const seen = [...found].filter(([, { sees }]) => sees !== 'nothing');
      return new Map(seen.map(([id, answer]) => [id, flagsOf(caller.tenant, answer)]));
    };
  const flags = within(READING);
  const flagsToWrite = within(WRITING);

  return {
    flags,
    flagsNow: within(0),
    hold: async (caller, tracker, issueId, flag) => {
      refuseUnless((await flags(caller, tracker, [issueId])).get(issueId), [flag]);
    },
    holdToWrite: async (caller, tracker, issueId, wanted) =>
      refuseUnless((await flagsToWrite(caller, tracker, [issueId])).get(issueId), wanted),
  };
}

function refuseUnless(held: PermissionFlags | undefined, wanted: readonly (keyof PermissionFlags)[]): PermissionFlags {
  if (!held) throw new Refused('NOT_FOUND', storage.issueNotFound);
  if (!wanted.every(flag => held[flag])) throw new Refused('FORBIDDEN', refusals.permission);
  return held;
}
