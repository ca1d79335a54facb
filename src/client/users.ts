import type { HostBridge } from '../bridge/bridge.ts';
import { type Person, ruleAuthor } from '../domain/person.ts';
import { createStore, type Store } from './store.ts';
import { getPeople } from './tracker/people.ts';

/** The people whose names a screen needs, by account id; `null` where the tracker knows nobody of that id. */
export interface Users extends Store<ReadonlyMap<string, Person | null>> {
  /**
   * Asks for whoever has not been asked for before; what many rows ask for at one time goes in one call. A call that
   * failed is made again some time later.
   */
  request(accountIds: Iterable<string>): void;
  /** Who is known from elsewhere. */
  learn(people: readonly Person[]): void;
}

/** Milliseconds before people who could not be asked for are asked for again. */
const RETRY = 30_000;

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
    const found = await getPeople(bridge, accountIds);
    keep(found);
    const answered = new Set(found.map(([id]) => id));
    const failed = accountIds.filter(id => !answered.has(id));
    if (failed.length > 0) setTimeout(ask, RETRY, failed);
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
      const rules = fresh.flatMap(id => ruleAuthor(id) ?? []);
      keep(rules.map(rule => [rule.accountId, rule]));
      const users = fresh.filter(id => !ruleAuthor(id));
      if (users.length > 0) ask(users);
    },
    learn: found => {
      for (const { accountId } of found) requested.add(accountId);
      keep(found.map(person => [person.accountId, person]));
    },
  };
}
