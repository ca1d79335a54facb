import type { Sliced } from '../sliced.ts';

/** A computation that runs longer lets other tasks run. */
const SLICE_MS = 10;

/** Computes in slices, between which other tasks run: each ends at the first `yield` after some milliseconds. */
export async function inSlices<T>(
  work: Sliced<T>,
  turn: () => Promise<unknown> = () => new Promise(resolve => setTimeout(resolve)),
): Promise<T> {
  for (let from = performance.now(); ; ) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - from < SLICE_MS) continue;
    await turn();
    from = performance.now();
  }
}
