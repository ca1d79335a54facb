import { setImmediate as turn } from 'node:timers/promises';
import type { Sliced } from '../../text/sliced.ts';

/** Milliseconds after which a computation lets others run. */
const SLICE = 10;

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
