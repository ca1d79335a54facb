/** Runs work of this process one at a time for each key. */
export interface KeyedMutex {
  /** Runs `work` in the order of calls. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return {
    run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const result = (last.get(key) ?? Promise.resolve()).then(work);
      const end = result.then(
        () => {},
        () => {},
      );
      last.set(key, end);
      void end.then(() => last.get(key) === end && last.delete(key));
      return result;
    },
  };
}

/** Whose long work it is. */
interface Owner {
  tenant: { id: string };
  account: string;
}

/**
 * Runs long, sliced work (a slice ends by letting other requests run) one at a time for each tenant, and for each account
 * of it: however many requests one sends, between two slices of its work others run, and its colleagues wait for one of
 * them at most.
 */
export function createTurns(): <T>(owner: Owner, work: () => Promise<T>) => Promise<T> {
  const [tenants, accounts] = [createKeyedMutex(), createKeyedMutex()];
  return ({ tenant, account }, work) => accounts.run(`${tenant.id} ${account}`, () => tenants.run(tenant.id, work));
}
