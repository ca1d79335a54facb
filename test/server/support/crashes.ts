import type { Store } from '../../../src/server/store/store.ts';
import type { FakeTracker } from './tracker.ts';

/** When a step fails: before it is done, or after, without an answer. */
export type CrashPoint = 'before' | 'after';

/** Counts the steps of some work, each a transaction or a call to the tracker, and injects a failure at one of them. */
export interface Crashes {
  store: Store;
  /**
   * Runs work that fails at a step, and at all later ones if it `staysDown`; resolves with whether the step was
   * reached. Ignores the rejection of the work.
   */
  at(step: number, how: { point: CrashPoint; staysDown: boolean }, work: () => Promise<unknown>): Promise<boolean>;
}

class Crashed extends Error {
  override readonly name = 'Crashed';
}

export function createCrashes(store: Store): Crashes & { watch(tracker: FakeTracker): void } {
  let plan: { step: number; point: CrashPoint; staysDown: boolean } | undefined;
  let steps = 0;

  /** Runs a step, or fails. Answers of tracker calls are lost in the fake tracker. */
  async function step<T>(work: () => Promise<T>, kind: 'transaction' | 'call' = 'transaction'): Promise<T> {
    if (!plan) return work();
    const { point, staysDown } = plan;
    const now = steps - plan.step;
    steps += 1;
    if ((now > 0 && staysDown) || (now === 0 && point === 'before')) throw new Crashed();
    const value = await work();
    if (now === 0 && kind === 'transaction') throw new Crashed();
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
      // Other processes handle events.
      const withoutFaults =
        <Args extends unknown[]>(handler: (...args: Args) => Promise<void>) =>
        async (...args: Args) => {
          const held = plan;
          plan = undefined;
          await handler(...args);
          plan = held;
        };
      tracker.onProperty = withoutFaults(tracker.onProperty);
      tracker.onFields = withoutFaults(tracker.onFields);
      tracker.meanwhile.push(() => step(async () => {}, 'call'));
      tracker.lost.push(() => steps - 1 === plan?.step && plan.point === 'after');
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
