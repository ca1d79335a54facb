import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { tokenOf } from './header.ts';
import type { Tokens } from './tokens.ts';

/**
 * The tracker's webhooks (descriptor). The body is not covered by the token, so nothing of it is believed, parsed or kept.
 * No rate limit: a bulk change calls once for each issue.
 */
export async function webhookRoutes(app: FastifyInstance, tokens: Tokens): Promise<void> {
  const routes: FastifyPluginAsync = async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, body, done) => {
      body.resume();
      done(null);
    });
    for (const event of ['issue-created', 'issue-updated', 'issue-deleted', 'issue-property']) {
      scope.post(`/webhooks/${event}`, async (request, reply) => {
        await tokens.request(tokenOf(request.headers.authorization), request.method, request.url);
        return reply.code(204).send();
      });
    }
  };
  await app.register(routes);
}
