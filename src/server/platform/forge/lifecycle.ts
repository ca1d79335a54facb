import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { forgeRoutes } from '../../../platform/events.ts';
import { TrackerUnavailable } from '../../errors/tracker.ts';
import { appTokenOf, type InvocationOf } from './invocations.ts';
import type { Sites } from './sites.ts';

/** Milliseconds for an answer: the platform waits five seconds, and calls again after one that says so. */
const PATIENCE = 4_000;

/** The work's end, or `TrackerUnavailable` where that is not soon; it goes on then. */
export async function soon(work: Promise<void>, patience = PATIENCE): Promise<void> {
  const ended = new AbortController();
  const late = pause(patience, undefined, { signal: ended.signal }).then(() => {
    throw new TrackerUnavailable('It takes longer.');
  });
  try {
    await Promise.race([work, late]);
  } finally {
    ended.abort();
    // A failure that comes after the answer is not told any more.
    await Promise.allSettled([late]);
    work.catch(() => undefined);
  }
}

/**
 * A site installed or upgraded the app, or lets us hear of it, as every hour; it is about to uninstall it (Forge, "Life cycle
 * events", "preUninstall"). Bodies are not read: the invocation says all, and which of it is told the address says.
 */
export function lifecycleRoutes(
  app: FastifyInstance,
  { sites, invocationOf }: { sites: Sites; invocationOf: InvocationOf },
): void {
  async function enter(request: Parameters<InvocationOf>[0]): Promise<void> {
    const invocation = invocationOf(request);
    const tenant = await sites.enter(invocation, appTokenOf(request));
    if (tenant) await sites.learn(tenant, invocation);
  }

  const routes: FastifyPluginCallback = (scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, async () => undefined);

    for (const path of [forgeRoutes.lifecycle, forgeRoutes.tick]) {
      scope.post(path, async (request, reply) => {
        await soon(enter(request));
        return reply.code(204).send();
      });
    }
    scope.post(forgeRoutes.uninstall, async (request, reply) => {
      const invocation = invocationOf(request);
      await sites.leave(invocation);
      request.log.info({ cloud: invocation.cloudId }, 'forge uninstalled');
      return reply.code(204).send();
    });
    done();
  };
  void app.register(routes);
}
