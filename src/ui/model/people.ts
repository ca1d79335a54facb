import { useCallback, useEffect, useSyncExternalStore } from 'react';
import type { HostBridge } from '../../bridge/bridge.ts';
import { createUsers, type Users } from '../../client/users.ts';
import type { Person } from '../../domain/person.ts';
import { useBridge } from '../shell/hooks.ts';

const known = new WeakMap<HostBridge, Users>();

/** The people of a page: everybody is asked for once, many in one call. */
export function usersOf(bridge: HostBridge): Users {
  const users = known.get(bridge) ?? createUsers(bridge);
  known.set(bridge, users);
  return users;
}

/** Somebody, once the tracker has said who; `null` where it knows nobody of that id. */
export function usePerson(accountId: string): Person | null | undefined {
  const users = usersOf(useBridge());
  useEffect(() => users.request([accountId]), [users, accountId]);
  return useSyncExternalStore(users.subscribe, () => users.get().get(accountId));
}

/** Everybody whom the tracker has named so far, these people as soon as it has. */
export function usePeople(accountIds: readonly string[]): ReturnType<Users['get']> {
  const users = usersOf(useBridge());
  useEffect(() => users.request(accountIds), [users, accountIds]);
  return useSyncExternalStore(users.subscribe, users.get);
}

/** Answers with the names that the tracker has said so far, by account id. */
export function useKnownNames(): () => Readonly<Record<string, string>> {
  const users = usersOf(useBridge());
  return useCallback(
    () => Object.fromEntries([...users.get()].flatMap(([id, person]) => (person ? [[id, person.name]] : []))),
    [users],
  );
}
