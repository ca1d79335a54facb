import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { MAX_USER_PICKER_RESULTS, USER_PICKER_AVATAR } from '../../domain/constants.ts';
import { shell } from '../../domain/messages.ts';
import type { Person } from '../../domain/person.ts';
import { readAs } from '../../domain/shape.ts';
import { call } from './call.ts';

/** Logs a failure that no screen shows. */
export function warn(message: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the one place that logs in the browser
  console.warn(message, error);
}

const pickerShape = v.object({
  users: v.array(v.object({ accountId: v.string(), displayName: v.string(), avatarUrl: v.optional(v.string()) })),
});

/** People whose name or address matches, at most ten. */
export async function findPeople(bridge: HostBridge, query: string, signal?: AbortSignal): Promise<Person[]> {
  const answer = await call(bridge, '/rest/api/3/user/picker', {
    query: {
      showAvatar: 'true',
      query,
      avatarSize: USER_PICKER_AVATAR,
      maxResults: String(MAX_USER_PICKER_RESULTS),
    },
    ...(signal && { signal }),
  });
  const users = readAs(pickerShape, answer)?.users ?? [];
  return users.map(({ accountId, displayName, avatarUrl = '' }) => ({
    accountId,
    name: displayName,
    avatar: avatarUrl,
  }));
}

const myselfShape = v.object({ accountId: v.string(), key: v.optional(v.string()), displayName: v.string() });
export type Myself = v.InferOutput<typeof myselfShape>;

/** The current user. */
export async function getMyself(bridge: HostBridge): Promise<Myself> {
  return v.parse(myselfShape, await call(bridge, '/rest/api/2/myself'));
}

/** Keeps the URL below the limits of proxies. */
const PEOPLE_PER_CALL = 50;

const bulkShape = v.object({
  values: v.array(
    v.object({
      accountId: v.string(),
      displayName: v.string(),
      avatarUrls: v.optional(v.record(v.string(), v.string())),
    }),
  ),
});

/** A person by account id, or `null` if the tracker has no such account. */
export type FoundPerson = readonly [accountId: string, person: Person | null];

/** People by account id. Failures are logged and left out. */
export async function getPeople(bridge: HostBridge, accountIds: readonly string[]): Promise<FoundPerson[]> {
  const calls: Promise<FoundPerson[]>[] = [];
  for (let from = 0; from < accountIds.length; from += PEOPLE_PER_CALL)
    calls.push(bulk(bridge, accountIds.slice(from, from + PEOPLE_PER_CALL)));
  return (await Promise.all(calls)).flat();
}

async function bulk(bridge: HostBridge, accountIds: readonly string[]): Promise<FoundPerson[]> {
  try {
    // Without a number the tracker returns ten.
    const query = { accountId: accountIds, maxResults: String(accountIds.length) };
    const { values } = v.parse(bulkShape, await call(bridge, '/rest/api/3/user/bulk', { query }));
    const people = new Map(
      values.map(({ accountId, displayName, avatarUrls }) => [
        accountId,
        { accountId, name: displayName, avatar: avatarUrls?.[USER_PICKER_AVATAR] ?? '' },
      ]),
    );
    return accountIds.map(id => [id, people.get(id) ?? null]);
  } catch (error) {
    warn(shell.userBatchFailed, error);
    return [];
  }
}
