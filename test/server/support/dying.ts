import type { Store } from '../../../src/server/store/store.ts';
import type { FakeTracker } from './tracker.ts';

/** A step that is not done, or done without an answer. */
export type Death = 'before' | 'after';

/** Counts the steps of work, each a transaction or a call to the tracker, and lets it fail at one of them. */
export interface Dying {
  store: Store;
  /**
   * Runs work that fails at that step, and at every later one too where it `dies`; resolves with whether it came so far.
   * What the work rejects with is swallowed.
   */
  at(step: number, how: { death: Death; dies: boolean }, work: () => Promise<unknown>): Promise<boolean>;
}

class Died extends Error {
  override readonly name = 'Died';
}

export function createDying(store: Store): Dying & { watch(tracker: FakeTracker): void } {
  let plan: { step: number; death: Death; dies: boolean } | undefined;
  let steps = 0;

  /** Does a step, or fails; the answer to a call of the tracker gets lost elsewhere. */
  async function step<T>(work: () => Promise<T>, kind: 'transaction' | 'call' = 'transaction'): Promise<T> {
    if (!plan) return work();
    const { death, dies } = plan;
    const now = steps - plan.step;
    steps += 1;
    if ((now > 0 && dies) || (now === 0 && death === 'before')) throw new Died();
    const value = await work();
    if (now === 0 && kind === 'transaction') throw new Died();
    return value;
  }

  return {
    store: {
      ...store,
      tenant: (tenant, work) => step(() => store.tenant(tenant, work)),
      batch: (tenant, statements) => step(() => store.batch(tenant, statements)),
      exchange: (tenant, first, then) => step(() => store.exchange(tenant, first, then)),
    },
    watch(tracker) {
      // Events are worked off by other processes.
      const living =
        <Args extends unknown[]>(tell: (...args: Args) => Promise<void>) =>
        async (...args: Args) => {
          const held = plan;
          plan = undefined;
          await tell(...args);
          plan = held;
        };
      tracker.onProperty = living(tracker.onProperty);
      tracker.onFields = living(tracker.onFields);
      tracker.meanwhile.push(() => step(async () => {}, 'call'));
      tracker.lost.push(() => steps - 1 === plan?.step && plan.death === 'after');
    },
    async at(number, how, work) {
      steps = 0;
      plan = { step: number, ...how };
      await work().catch(() => {});
      plan = undefined;
      return steps > number;
    },
  };
}
