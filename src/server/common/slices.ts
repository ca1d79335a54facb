import { setImmediate as turn } from 'node:timers/promises';

/** Computation in parts: at each `yield` other requests may run. */
export type Sliced<T> = Generator<void, T, void>;

/** Milliseconds after which a computation lets others run. */
const SLICE = 10;

/** Computes without a break. */
export function finish<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Computes in slices, between which other requests of the process run: each ends at the first `yield` after some milliseconds. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  for (let from = performance.now(); ; ) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - from < SLICE) continue;
    await turn();
    from = performance.now();
  }
}
