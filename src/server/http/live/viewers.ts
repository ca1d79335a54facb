/** A browser reconnects its stream within this time. */
const RECONNECT_MS = 1_000;

/** Counts the streams of this process that show an issue. */
export interface Viewers {
  /** Counts a stream that shows these issues, until the returned function is called. */
  enter(tenant: string, issues: readonly string[]): () => void;
  close(): void;
}

/** Calls `onLeft` when no stream of this process shows an issue any more. */
export function createViewers(onLeft: (tenant: string, issue: string) => void): Viewers {
  const counts = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  const keyOf = (tenant: string, issue: string) => JSON.stringify([tenant, issue]);

  function leave(tenant: string, issue: string): void {
    const key = keyOf(tenant, issue);
    const remainingViewers = (counts.get(key) ?? 1) - 1;
    if (remainingViewers > 0) {
      counts.set(key, remainingViewers);
      return;
    }
    counts.delete(key);
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!counts.has(key)) onLeft(tenant, issue);
    }, RECONNECT_MS);
    timers.add(timer);
  }

  return {
    enter(tenant, issues) {
      for (const issue of issues) {
        const key = keyOf(tenant, issue);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      return () => {
        for (const issue of issues) leave(tenant, issue);
      };
    },
    close() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
