/** Work of this process that goes one at a time, by what it is about. */
export interface KeyedMutex {
  /** Runs `work` when its turn comes: first come, first served. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return {
    run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const turn = (last.get(key) ?? Promise.resolve()).then(work);
      const end = turn.then(
        () => {},
        () => {},
      );
      last.set(key, end);
      void end.then(() => last.get(key) === end && last.delete(key));
      return turn;
    },
  };
}
