import type { HostBridge } from '../bridge/bridge.ts';
import { appAuthor, type Person } from '../domain/person.ts';
import { createStore, type Store } from './store.ts';
import { getPeople } from './tracker/people.ts';

/** People by account id, for the names on a screen; `null` if the tracker has no such account. */
export interface Users extends Store<ReadonlyMap<string, Person | null>> {
  /** Loads each account once; requests of the same moment share one call. A failed call is repeated after a pause. */
  request(accountIds: Iterable<string>): void;
  /** Adds people known from other requests. */
  learn(people: readonly Person[]): void;
}

/** A failed request may be repeated after this time. */
const RETRY_AFTER_MS = 30_000;

export function createUsers(bridge: HostBridge): Users {
  const people = createStore<ReadonlyMap<string, Person | null>>(new Map());
  const requested = new Set<string>();
  let batch: string[] = [];

  const keep = (found: readonly (readonly [string, Person | null])[]) => {
    if (found.length > 0) people.set(new Map([...people.get(), ...found]));
  };

  const flush = async () => {
    const accountIds = batch;
    batch = [];
    const foundPeople = await getPeople(bridge, accountIds);
    keep(foundPeople);
    const answered = new Set(foundPeople.map(([id]) => id));
    const failed = accountIds.filter(id => !answered.has(id));
    if (failed.length > 0) setTimeout(ask, RETRY_AFTER_MS, failed);
  };

  const ask = (accountIds: readonly string[]) => {
    if (batch.length === 0) queueMicrotask(() => void flush());
    batch.push(...accountIds);
  };

  return {
    get: people.get,
    subscribe: people.subscribe,
    request: accountIds => {
      const fresh = [...new Set(accountIds)].filter(id => !requested.has(id));
      if (fresh.length === 0) return;
      for (const id of fresh) requested.add(id);
      const automatic = fresh.flatMap(id => appAuthor(id) ?? []);
      keep(automatic.map(author => [author.accountId, author]));
      const users = fresh.filter(id => !appAuthor(id));
      if (users.length > 0) ask(users);
    },
    learn: found => {
      for (const { accountId } of found) requested.add(accountId);
      keep(found.map(person => [person.accountId, person]));
    },
  };
}
