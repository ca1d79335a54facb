import type { FastifyInstance } from 'fastify';
import { Gauge } from 'prom-client';
import { build } from '../../domain/build/build.ts';
import { withTimeout } from '../../domain/timing.ts';
import { StoreUnavailable } from '../errors/unavailable.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { commit } from '../monitoring/metrics.ts';
import { routeLimits } from '../quota/limits.ts';
import type { Store } from '../store/store.ts';

/** The database must answer a health check within this time. */
const HEALTH_TIMEOUT_MS = 3_000;

const timedOut = () =>
  new StoreUnavailable(new Error(`The database has not answered for ${HEALTH_TIMEOUT_MS / 1000} seconds.`));

/** Health checks for orchestration: `live` for the process, `ready` for its dependencies. */
export function healthRoutes(app: FastifyInstance, store: Store, onError: (error: unknown) => void): void {
  const program = { version: build.version, commit };
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });

  app.get('/health/live', { config: routeLimits.exempt }, async () => ({ status: 'ok', ...program }));

  for (const path of ['/health', '/health/ready']) {
    app.get(path, { config: routeLimits.exempt }, async (_request, reply) => {
      if (closing) return reply.code(503).send({ status: 'closing' });
      try {
        await withTimeout(store.ping(), HEALTH_TIMEOUT_MS, timedOut);
        return { status: 'ok', ...program };
      } catch (error) {
        onError(error);
        return reply.code(503).send({ status: 'database' });
      }
    });
  }
}

/** Measures the database: how long it takes to answer, and the connections of this process. */
export function databaseMetrics({ registry, asking }: Metrics, store: Store): void {
  const registers = [registry];
  const ping: Gauge = new Gauge({
    name: 'database_ping_seconds',
    help: 'Time of an empty transaction, with the wait for a connection',
    registers,
    collect: asking('database_ping_seconds', async () => {
      const start = performance.now();
      await store.ping();
      ping.set((performance.now() - start) / 1000);
    }),
  });
  const connections: Gauge = new Gauge({
    name: 'database_connections',
    help: 'Connections of this process: in use, idle, and requests that wait for one',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, number] of Object.entries(store.connections())) connections.set({ state }, number);
    },
  });
}

/** Measures every request and serves the metrics; a proxy must restrict `/metrics`. */
export function metricsRoute(app: FastifyInstance, { registry, requests }: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    requests.observe({ route, method: request.method, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  app.get('/metrics', { config: routeLimits.exempt }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}
