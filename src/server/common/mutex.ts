import { setTimeout as sleep } from 'node:timers/promises';

/** Runs work of this process one at a time for each key. */
export interface KeyedMutex {
  /** Runs `work` in the order of calls. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** `rest` delays the next work of the key, not the result, by the milliseconds that the work took. */
export function createKeyedMutex(rest: (took: number) => Promise<unknown> = () => Promise.resolve()): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return {
    run<T>(key: string, work: () => Promise<T>): Promise<T> {
      let from = 0;
      const result = (last.get(key) ?? Promise.resolve()).then(() => {
        from = performance.now();
        return work();
      });
      const after = () => rest(performance.now() - from);
      const end = result.then(after, after);
      last.set(key, end);
      void end.then(() => last.get(key) === end && last.delete(key));
      return result;
    },
  };
}

/** Most milliseconds between two long works of a tenant. */
const LONGEST_REST = 500;

/** Long work leaves the process to others for as long as it took. */
const rest = (took: number) => sleep(Math.min(took, LONGEST_REST), undefined, { ref: false });

/** Whose long work it is. */
interface Owner {
  tenant: { id: string };
  account: string;
}

/** Runs an owner's work in its turn. */
export type Turns = <T>(owner: Owner, work: () => Promise<T>) => Promise<T>;

/**
 * Runs long, sliced work (`inSlices`) one at a time for each tenant, and for each account of it: however many requests one
 * sends, between two slices of its work others run, and half of the time only others; its colleagues wait for one of them
 * at most. The work takes no other turn. Each turn's time is `spent`.
 */
export function createTurns(spent: (tenant: string, milliseconds: number) => void = () => {}): Turns {
  const [tenants, accounts] = [createKeyedMutex(rest), createKeyedMutex()];
  const counted = async <T>(tenant: string, work: () => Promise<T>): Promise<T> => {
    const from = performance.now();
    try {
      return await work();
    } finally {
      spent(tenant, performance.now() - from);
    }
  };
  return ({ tenant: { id }, account }, work) =>
    accounts.run(`${id} ${account}`, () => tenants.run(id, () => counted(id, work)));
}
