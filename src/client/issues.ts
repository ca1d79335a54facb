import type { HostBridge } from '../bridge/bridge.ts';
import type { IssueSummary } from '../domain/issue.ts';
import { TrackerError } from './errors.ts';
import { createStore, type Store } from './store.ts';
import { getSummary } from './tracker/find-issues.ts';

/** The issues that a text names, by key; `null` where there is none to be seen of that key. */
export interface Issues extends Store<ReadonlyMap<string, IssueSummary | null>> {
  /** Asks for an issue unless that has been done; what failed is asked for again some time later. */
  request(key: string): void;
  /** What is known from elsewhere. */
  learn(issues: readonly IssueSummary[]): void;
}

/** Calls under way at one time. */
const TOGETHER = 4;
/** Milliseconds before an issue that could not be asked for is asked for again. */
const RETRY = 30_000;

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
      if (requested.has(key) || issues.get().has(key) || (before !== undefined && now() - before < RETRY)) return;
      requested.add(key);
      waiting.push(key);
      if (running < TOGETHER) void work();
    },
    learn: found => {
      if (found.length > 0) keep(found.map(issue => [issue.key, issue]));
    },
  };
}
