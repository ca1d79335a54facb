import type { Sliced } from '../sliced.ts';

/** Milliseconds after which a computation lets others run. */
const SLICE = 10;

/** Computes in slices, between which other tasks run: each ends at the first `yield` after some milliseconds. */
export async function inSlices<T>(
  work: Sliced<T>,
  turn: () => Promise<unknown> = () => new Promise(resolve => setTimeout(resolve)),
): Promise<T> {
  for (let from = performance.now(); ; ) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - from < SLICE) continue;
    await turn();
    from = performance.now();
  }
}
