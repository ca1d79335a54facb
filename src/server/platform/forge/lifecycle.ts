import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { withTimeout } from '../../../domain/timing.ts';
import { forgeRoutes } from '../../../platform/events.ts';
import { TrackerUnavailable } from '../../errors/tracker.ts';
import { routeLimits } from '../../quota/limits.ts';
import { appTokenOf, type InvocationOf } from './invocations.ts';
import type { Sites } from './sites.ts';

/** The platform waits five seconds for a response, and repeats the call after a 503. */
const ANSWER_TIMEOUT_MS = 4_000;

/**
 * Waits for the work. Rejects with `TrackerUnavailable` after the timeout, while the work continues; a failure after
 * that is not reported.
 */
export const waitAtMost = (work: Promise<void>, timeout = ANSWER_TIMEOUT_MS): Promise<void> =>
  withTimeout(work, timeout, () => new TrackerUnavailable('It takes longer.'));

/**
 * Calls for installation, upgrade and uninstallation, and the hourly trigger (Forge, "Life cycle events",
 * "preUninstall"). Bodies are not read: the invocation has the data, the path the kind.
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
      scope.post(path, { config: routeLimits.exempt }, async (request, reply) => {
        await waitAtMost(enter(request));
        return reply.code(204).send();
      });
    }
    scope.post(forgeRoutes.uninstall, { config: routeLimits.exempt }, async (request, reply) => {
      const invocation = invocationOf(request);
      await sites.leave(invocation);
      request.log.info({ cloud: invocation.cloudId }, 'forge uninstalled');
      return reply.code(204).send();
    });
    done();
  };
  void app.register(routes);
}
