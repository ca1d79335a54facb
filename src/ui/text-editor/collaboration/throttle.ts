/** Runs the newest of what it is given, at once and then at most once in so many milliseconds. */
export interface Throttle {
  run(work: () => void): void;
  /** Forgets what waits. */
  stop(): void;
}

export function createThrottle(every: number): Throttle {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: (() => void) | undefined;
  const rest = () => {
    timer = setTimeout(() => {
      timer = undefined;
      const work = waiting;
      waiting = undefined;
      if (!work) return;
      work();
      rest();
    }, every);
  };
  return {
    run: work => {
      if (timer !== undefined) {
        waiting = work;
        return;
      }
      work();
      rest();
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      waiting = undefined;
    },
  };
}
