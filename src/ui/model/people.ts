import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { createUsers, type Users } from '../../client/users.ts';
import type { Person } from '../../domain/person.ts';
import { useServices } from '../shell/services/services.ts';

/** The people of a page: each is asked for once, many in one call. */
export const useUsers = (): Users => useServices().once(createUsers);

/** Somebody, once the tracker has said who; `null` where it knows nobody of that id. */
export function usePerson(accountId: string): Person | null | undefined {
  const users = useUsers();
  useEffect(() => users.request([accountId]), [users, accountId]);
  return useSyncExternalStore(users.subscribe, () => users.get().get(accountId));
}

/** Everybody whom the tracker has named so far, these people as soon as it has. */
export function usePeople(accountIds: readonly string[]): ReturnType<Users['get']> {
  const users = useUsers();
  useEffect(() => users.request(accountIds), [users, accountIds]);
  return useSyncExternalStore(users.subscribe, users.get);
}

/** Answers with the names that the tracker has said so far, by account id. */
export function useKnownNames(): () => Readonly<Record<string, string>> {
  const users = useUsers();
  return useCallback(
    () => Object.fromEntries([...users.get()].flatMap(([id, person]) => (person ? [[id, person.name]] : []))),
    [users],
  );
}
