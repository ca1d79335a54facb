import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { webhookHeaders } from '../../domain/automation/webhooks.ts';
import { api, failures, automation as messages, unreachable } from '../../domain/messages.ts';
import { parseAs } from '../../domain/shape.ts';
import type { Limits } from '../common/limits.ts';
import { note } from '../common/request-notes.ts';
import { type RefusalCode, Refused } from '../errors/refused.ts';
import { TooManyRequests } from '../errors/request.ts';
import { StoreUnavailable } from '../errors/unavailable.ts';
import type { Incoming } from './incoming.ts';

/** Most bytes of a body. */
const BODY_LIMIT = 65_536;

const paramsShape = v.object({ id: v.string() });

const statuses: Partial<Record<RefusalCode, number>> = {
  UNREADABLE: 400,
  FORBIDDEN: 403,
  UNLICENSED: 403,
  NOT_FOUND: 404,
  CHANGED_MEANWHILE: 409,
  TOO_LARGE: 413,
  TRACKER_REFUSED: 502,
  TRACKER_UNAVAILABLE: 503,
};

/** The HTTP status of an error: 422 for what the checklist cannot do. */
export function webhookStatus(error: unknown): number {
  if (error instanceof Refused) return statuses[error.code] ?? 422;
  if (error instanceof TooManyRequests) return 429;
  return error instanceof StoreUnavailable ? 503 : 500;
}

const headerOf = (request: FastifyRequest, name: string): string | undefined => [request.headers[name]].flat()[0];

/** Every error as JSON: `{ error: { code, message, field? } }`. */
function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refused) {
    const { code, message, field, retryAfter } = error;
    note(request, { outcome: code });
    if (retryAfter !== undefined) void reply.header('retry-after', Math.ceil(retryAfter / 1000));
    return reply.code(webhookStatus(error)).send({ error: { code, message, ...(field !== undefined && { field }) } });
  }
  if (error instanceof TooManyRequests) {
    const refusal = { code: 'TOO_MANY_CALLS', message: api.rateLimited };
    return reply.code(429).header('retry-after', error.reset).send({ error: refusal });
  }
  const { statusCode = 500 } = error;
  if (statusCode >= 400 && statusCode < 500) {
    const code = statusCode === 413 ? 'TOO_LARGE' : 'UNREADABLE';
    return reply.code(statusCode).send({ error: { code, message: error.message } });
  }
  const isAway = error instanceof StoreUnavailable;
  // The log has the failure once for all requests (common/failure-log.ts).
  if (!isAway) request.log.error(error, 'webhook failed');
  const message = isAway ? unreachable.server : failures.unknown;
  return reply.code(webhookStatus(error)).send({ error: { code: 'UNKNOWN', message } });
}

/** `POST /hooks/{id}`: calls of incoming webhooks, signed or with the secret. */
export async function incomingRoute(
  app: FastifyInstance,
  incoming: Incoming,
  limits: Pick<Limits, 'countWebhook'>,
): Promise<void> {
  const routes: FastifyPluginAsync = async scope => {
    scope.setErrorHandler<FastifyError>(answerError);
    scope.removeAllContentTypeParsers();
    // As bytes, which the signature covers.
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    // Before the body is read. Calls of made-up ids would each have a limit of their own, and cost a search in all tenants.
    scope.addHook('onRequest', async (request, reply) => {
      const { id: webhook } = parseAs(paramsShape, request.params);
      const tenant = incoming.tenantOf(webhook);
      limits.countWebhook(tenant === undefined ? undefined : { tenant, webhook }, request, reply);
    });
    scope.post<{ Params: { id: string }; Body: Buffer | undefined }>(
      '/hooks/:id',
      { bodyLimit: BODY_LIMIT },
      async (request, reply) => {
        const { id: webhook } = request.params;
        const call = {
          ...{ webhook, body: request.body ?? new Uint8Array() },
          signature: headerOf(request, webhookHeaders.signature),
          authorization: request.headers.authorization,
        };
        const accepted = await incoming.receive(call).finally(() => {
          const tenant = incoming.tenantOf(webhook);
          if (tenant !== undefined) note(request, { tenant });
        });
        if (accepted) return reply.header('cache-control', 'no-store').send(accepted);
        // The same for an unknown webhook, so that addresses cannot be guessed one part at a time.
        const message = messages.incoming.unauthorized;
        return reply.code(401).send({ error: { code: 'UNAUTHORIZED', message } });
      },
    );
  };
  await app.register(routes);
}
