import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import { readInput } from '../http/input.ts';
import { tokenOf } from './header.ts';
import type { Caller, Tokens } from './tokens.ts';

export interface WebhookOptions {
  tokens: Tokens;
  /** Somebody did something to the issue of that id; the caller is who it was. */
  noticed(caller: Caller, issueId: string): Promise<void>;
}

/** The issue's id is in the address (descriptor), which the token covers. */
const query = z.object({ issueId: z.string().optional() });

/**
 * The tracker's webhooks (descriptor). The body is not covered by the token, so nothing of it is believed, parsed or kept;
 * the event neither: late or doubled, out of order or made up, it only says where to look.
 * No rate limit: a bulk change calls once for each issue.
 */
export async function webhookRoutes(app: FastifyInstance, { tokens, noticed }: WebhookOptions): Promise<void> {
  const routes: FastifyPluginAsync = async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, body, done) => {
      body.resume();
      done(null);
    });
    for (const event of ['issue-created', 'issue-updated', 'issue-deleted', 'issue-property']) {
      scope.post(`/webhooks/${event}`, async (request, reply) => {
        const caller = await tokens.request(tokenOf(request.headers.authorization), request.method, request.url);
        const { issueId } = readInput(query, request.query);
        if (issueId !== undefined) await noticed(caller, issueId);
        return reply.code(204).send();
      });
    }
  };
  await app.register(routes);
}
