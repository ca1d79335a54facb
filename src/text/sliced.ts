/** Computation in parts: at each `yield` something else may run. */
export type Sliced<T> = Generator<void, T, void>;

/** Computes without a break. */
export function finish<T>(work: Sliced<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
