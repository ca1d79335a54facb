import type { HostBridge } from '../bridge/bridge.ts';
import type { IssueSummary } from '../domain/issue.ts';
import { TrackerError } from './errors.ts';
import { createStore, type Store } from './store.ts';
import { getSummary } from './tracker/find-issues.ts';

/** Issues by key, for the keys that a text mentions; `null` if no issue of that key is visible. */
export interface Issues extends Store<ReadonlyMap<string, IssueSummary | null>> {
  /** Loads an issue once; a failed request is repeated after a pause. */
  request(key: string): void;
  /** Adds issues known from other requests. */
  learn(issues: readonly IssueSummary[]): void;
}

const MAX_CONCURRENT_CALLS = 4;
/** A failed request may be repeated after this time. */
const RETRY_AFTER_MS = 30_000;

export function createIssues(bridge: HostBridge, now: () => number = Date.now): Issues {
  const issues = createStore<ReadonlyMap<string, IssueSummary | null>>(new Map());
  const requested = new Set<string>();
  const failed = new Map<string, number>();
  const waiting: string[] = [];
  let running = 0;

  const keep = (entries: readonly (readonly [string, IssueSummary | null])[]) =>
    issues.set(new Map([...issues.get(), ...entries]));

  const ask = async (key: string) => {
    try {
      keep([[key, (await getSummary(bridge, key)) ?? null]]);
    } catch (failure) {
      if (failure instanceof TrackerError && (failure.status === 404 || failure.status === 403)) keep([[key, null]]);
      else {
        requested.delete(key);
        failed.set(key, now());
      }
    }
  };

  const work = async () => {
    running++;
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) await ask(key);
    running--;
  };

  return {
    get: issues.get,
    subscribe: issues.subscribe,
    request: key => {
      const before = failed.get(key);
      if (requested.has(key) || issues.get().has(key) || (before !== undefined && now() - before < RETRY_AFTER_MS))
        return;
      requested.add(key);
      waiting.push(key);
      if (running < MAX_CONCURRENT_CALLS) void work();
    },
    learn: found => {
      if (found.length > 0) keep(found.map(issue => [issue.key, issue]));
    },
  };
}
