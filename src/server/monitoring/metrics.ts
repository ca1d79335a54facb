import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { build } from '../../domain/build/build.ts';
import { withTimeout } from '../../domain/timing.ts';

/** Vite writes it in (vite.config.ts). */
declare const __COMMIT__: string | undefined;

/** The commit that this program was built from, abbreviated; `unknown` outside of a build. */
export const commit: string = typeof __COMMIT__ === 'undefined' ? 'unknown' : __COMMIT__;

/** The server's metrics. Labels come from fixed lists only, never from a request. */
export interface Metrics {
  registry: Registry;
  /**
   * A gauge's `collect` that asks the database. If the database does not answer within half a second, the gauge keeps its
   * last values and `metrics_stale` of this name is 1: metrics are served without the database. Until it has answered,
   * they do not wait for it again.
   */
  asking(name: string, collect: () => Promise<void>): () => Promise<void>;
  /** Seconds, by the first field of the operation and its kind. */
  graphql: Histogram<'operation' | 'kind'>;
  /** Operations with an internal error, by their first field: GraphQL answers them with 200. */
  graphqlFailures: Counter<'operation'>;
  /** Seconds, by route pattern, method and status. */
  requests: Histogram<'route' | 'method' | 'status'>;
  /** Changes of checklists, by kind of edit and outcome: `ok` or the refusal's code. */
  changes: Counter<'kind' | 'outcome'>;
  events: Counter<'event'>;
  /** Forwarded events, by outcome: `ok`, `refused`, `failed`, or `dropped` when too many were pending. */
  passed: Counter<'outcome'>;
  /** Runs of background jobs, by outcome: `ok`, `later`, `failed`, or `dead` after the last attempt. */
  runs: Counter<'name' | 'outcome'>;
  /** Calls to trackers, by kind and status (0: no answer). */
  calls: Counter<'call' | 'status'>;
  /** Calls that wait for a valid Forge token, the app's or a user's. */
  withoutToken: Counter<'whose'>;
  /** Seconds from an event on Forge until the server received it. */
  eventDelay: Histogram;
  /** Open streams of events. */
  streams: Gauge;
}

/** The database must answer a gauge within this time. */
const ANSWER_TIMEOUT_MS = 500;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  /** Answers of the database that a scrape waits for. */
  const awaited = new Set<Promise<void>>();
  const stale = new Gauge({
    name: 'metrics_stale',
    help: 'Whether the database did not answer, so that these values are older than this answer',
    labelNames: ['name'],
    registers,
    async collect() {
      // The gauges are collected after this one, in the same turn.
      await Promise.resolve();
      await Promise.all(awaited);
    },
  });
  const program = { version: build.version, commit, edition: build.edition };
  new Gauge({ name: 'build_info', help: 'The running program', labelNames: Object.keys(program), registers }).set(
    program,
    1,
  );
  return {
    registry,
    asking(name, collect) {
      let pending: Promise<boolean> | undefined;
      let hasAnswered = true;
      const ask = async () => {
        hasAnswered = await collect().then(
          () => true,
          () => false,
        );
        pending = undefined;
        return hasAnswered;
      };
      const collected = async () => {
        const isWaitedFor = pending === undefined && hasAnswered;
        pending ??= ask();
        const timedOut = () => new Error('The database has not answered.');
        const isFresh = isWaitedFor && (await withTimeout(pending, ANSWER_TIMEOUT_MS, timedOut).catch(() => false));
        stale.set({ name }, isFresh ? 0 : 1);
      };
      return () => {
        const collecting = collected().finally(() => awaited.delete(collecting));
        awaited.add(collecting);
        return collecting;
      };
    },
    graphql: new Histogram({
      name: 'graphql_duration_seconds',
      help: 'GraphQL by the first field of the operation',
      labelNames: ['operation', 'kind'],
      registers,
    }),
    graphqlFailures: new Counter({
      name: 'graphql_failures_total',
      help: 'GraphQL operations with an internal error, which are answered with 200, by their first field',
      labelNames: ['operation'],
      registers,
    }),
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Requests by route',
      labelNames: ['route', 'method', 'status'],
      registers,
    }),
    changes: new Counter({
      name: 'checklist_changes_total',
      help: 'Changes of checklists by outcome',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    events: new Counter({ name: 'analytics_events_total', help: 'Tracked events', labelNames: ['event'], registers }),
    passed: new Counter({
      name: 'analytics_passed_total',
      help: 'Tracked events passed on, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    runs: new Counter({
      name: 'job_runs_total',
      help: 'Background jobs by outcome',
      labelNames: ['name', 'outcome'],
      registers,
    }),
    calls: new Counter({
      name: 'tracker_calls_total',
      help: 'Calls to trackers by status',
      labelNames: ['call', 'status'],
      registers,
    }),
    withoutToken: new Counter({
      name: 'forge_calls_without_token_total',
      help: 'Calls to trackers that wait for a good token',
      labelNames: ['whose'],
      registers,
    }),
    eventDelay: new Histogram({
      name: 'forge_event_delay_seconds',
      help: 'Time from an event until the server was told of it',
      buckets: [1, 2, 5, 10, 30, 60, 120, 180, 300, 600],
      registers,
    }),
    streams: new Gauge({ name: 'live_streams', help: 'Open streams of events', registers }),
  };
}

/**
 * Adds the figures of this process: memory, garbage collection, the delay of the event loop. Its observers end with the
 * process, so that only a program that serves them calls it.
 */
export const measureProcess = ({ registry }: Metrics): void => collectDefaultMetrics({ register: registry });
