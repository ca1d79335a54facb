import type { HostBridge } from '../bridge/bridge.ts';
import type { Person } from '../domain/person.ts';
import { createStore, type Store } from './store.ts';
import { getPeople } from './tracker/people.ts';

/** The people whose names a screen needs, by account id; `null` where the tracker knows nobody of that id. */
export interface Users extends Store<ReadonlyMap<string, Person | null>> {
  /** Asks for whoever has not been asked for before; what many rows ask for at one time goes in one call. */
  request(accountIds: Iterable<string>): void;
  /** Who is known from elsewhere. */
  learn(people: readonly Person[]): void;
}

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
    keep(await getPeople(bridge, accountIds));
  };

  return {
    get: people.get,
    subscribe: people.subscribe,
    request: accountIds => {
      const fresh = [...new Set(accountIds)].filter(id => !requested.has(id));
      if (fresh.length === 0) return;
      for (const id of fresh) requested.add(id);
      if (batch.length === 0) queueMicrotask(() => void flush());
      batch.push(...fresh);
    },
    learn: found => {
      for (const { accountId } of found) requested.add(accountId);
      keep(found.map(person => [person.accountId, person]));
    },
  };
}
