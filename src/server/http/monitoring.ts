import type { FastifyInstance } from 'fastify';
import type { Store } from '../store/store.ts';

/** For whoever starts and balances processes: `live` is about the process, `ready` about what it needs. */
export function healthRoutes(app: FastifyInstance, store: Store): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });

  app.get('/health/live', async () => ({ status: 'ok' }));

  for (const path of ['/health', '/health/ready']) {
    app.get(path, async (request, reply) => {
      if (closing) return reply.code(503).send({ status: 'closing' });
      try {
        await store.ping();
        return { status: 'ok' };
      } catch (error) {
        request.log.error(error, 'database not ready');
        return reply.code(503).send({ status: 'database' });
      }
    });
  }
}
