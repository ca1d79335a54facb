import type { Store } from '../../../src/server/store/store.ts';

/** Thrown to a process that was killed: nothing that it does afterwards has an effect. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** The database and the tracker, as one process reaches them. */
export interface Mortal {
  store: Store;
  send: typeof fetch;
  /**
   * Kills the process after that many of its next steps. Before a commit its transaction is rolled back, and before a call
   * nothing is sent; after them only the answer is lost.
   */
  killAfter(steps: number): void;
  isKilled(): boolean;
}

/** Gives a process access that ends when it is killed. */
export function createMortal(store: Store, send: typeof fetch): Mortal {
  let left = Number.POSITIVE_INFINITY;
  function step(): void {
    if (left <= 0) throw new Killed();
    left -= 1;
  }
  async function around<T>(work: () => Promise<T>): Promise<T> {
    step();
    const done = await work();
    step();
    return done;
  }
  return {
    store: {
      ...store,
      tenant: (tenant, work) =>
        around(() =>
          store.tenant(tenant, async tx => {
            const done = await work(tx);
            step();
            return done;
          }),
        ),
      sweep: work =>
        around(() =>
          store.sweep(async tx => {
            const done = await work(tx);
            step();
            return done;
          }),
        ),
      batch: (tenant, statements) => around(() => store.batch(tenant, statements)),
      exchange: (tenant, first, then) =>
        around(() =>
          store.exchange(tenant, first, async answers => {
            const exchanged = await then(answers);
            step();
            return exchanged;
          }),
        ),
      tenants: () => around(store.tenants),
      time: () => around(store.time),
      ping: () => around(store.ping),
    },
    send: (input, init) => around(() => send(input, init)),
    killAfter(steps) {
      left = steps;
    },
    isKilled: () => left <= 0,
  };
}
