import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { createUsers, type Users } from '../../client/users.ts';
import type { Person } from '../../domain/person.ts';
import { useServices } from '../shell/services/services.ts';

/** The page's cache of people: each is requested once, several in one call. */
export const useUsers = (): Users => useServices().once(createUsers);

/** A person by account id: `undefined` until the tracker has answered, `null` if it has no such account. */
export function usePerson(accountId: string): Person | null | undefined {
  const users = useUsers();
  useEffect(() => users.request([accountId]), [users, accountId]);
  return useSyncExternalStore(users.subscribe, () => users.get().get(accountId));
}

/** All people loaded so far, by account id. Requests these. */
export function usePeople(accountIds: readonly string[]): ReturnType<Users['get']> {
  const users = useUsers();
  useEffect(() => users.request(accountIds), [users, accountIds]);
  return useSyncExternalStore(users.subscribe, users.get);
}

/** Returns a getter of the names loaded so far, by account id. */
export function useKnownNames(): () => Readonly<Record<string, string>> {
  const users = useUsers();
  return useCallback(
    () => Object.fromEntries([...users.get()].flatMap(([id, person]) => (person ? [[id, person.name]] : []))),
    [users],
  );
}
