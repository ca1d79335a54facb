import { setTimeout as sleep } from 'node:timers/promises';
import { TooManyRequests } from '../errors/request.ts';

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
export interface Owner {
  tenant: { id: string };
  account: string;
}

/** Most long works of an account, and of a tenant, that wait or run at a time. */
export const MOST_WAITING = { account: 16, tenant: 64 } as const;
/** Seconds after which one that is too many may be tried again. */
const AGAIN = 5;

/** Runs long works, as many of an account and of a tenant as may wait. Rejects others with `TooManyRequests`. */
function createWaiting(): Run {
  const counts = new Map<string, number>();
  const count = (key: string, by: number) => {
    const now = (counts.get(key) ?? 0) + by;
    if (now === 0) counts.delete(key);
    else counts.set(key, now);
  };
  return async ({ tenant: { id }, account }, work) => {
    const own = `${id} ${account}`;
    const isFull = (counts.get(own) ?? 0) >= MOST_WAITING.account || (counts.get(id) ?? 0) >= MOST_WAITING.tenant;
    if (isFull) throw new TooManyRequests(AGAIN);
    for (const key of [own, id]) count(key, 1);
    try {
      return await work();
    } finally {
      for (const key of [own, id]) count(key, -1);
    }
  };
}

/** Runs an owner's work. */
export type Run = <T>(owner: Owner, work: () => Promise<T>) => Promise<T>;

/** Runs an owner's work in its turn. Beyond `MOST_WAITING` works are refused. */
export interface Turns extends Run {
  /** Counts and refuses work that waits elsewhere before its turn. */
  waiting: Run;
  /** The turn of such work. */
  waited: Run;
}

/**
 * Runs long, sliced work (`inSlices`) one at a time for each tenant, and for each account of it: however many requests one
 * sends, between two slices of its work others run, and half of the time only others; its colleagues wait for one of them
 * at most. The work takes no other turn. Each turn's time is `spent`.
 */
export function createTurns(spent: (tenant: string, milliseconds: number) => void = () => {}): Turns {
  const [tenants, accounts, waiting] = [createKeyedMutex(rest), createKeyedMutex(), createWaiting()];
  const counted = async <T>(tenant: string, work: () => Promise<T>): Promise<T> => {
    const from = performance.now();
    try {
      return await work();
    } finally {
      spent(tenant, performance.now() - from);
    }
  };
  const waited: Run = ({ tenant: { id }, account }, work) =>
    accounts.run(`${id} ${account}`, () => tenants.run(id, () => counted(id, work)));
  const inTurn: Run = (owner, work) => waiting(owner, () => waited(owner, work));
  return Object.assign(inTurn, { waiting, waited });
}
