/** Runs work of this process one at a time for each key. */
export interface KeyedMutex {
  /** Runs `work` in the order of calls. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return {
    run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const result = (last.get(key) ?? Promise.resolve()).then(work);
      const end = result.catch(() => {});
      last.set(key, end);
      void end.then(() => last.get(key) === end && last.delete(key));
      return result;
    },
  };
}
