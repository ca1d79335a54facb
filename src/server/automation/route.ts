import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { webhookHeaders } from '../../domain/automation/webhooks.ts';
import { automation as messages } from '../../domain/messages.ts';
import { parseAs } from '../../domain/shape.ts';
import { answerOf, beginAnswer, logCause } from '../errors/answer.ts';
import { Unauthorized } from '../errors/request.ts';
import { note } from '../errors/request-notes.ts';
import type { Limits } from '../quota/limits.ts';
import type { Incoming } from './incoming.ts';

const BODY_LIMIT_BYTES = 65_536;

const paramsShape = v.object({ id: v.string() });

const headerOf = (request: FastifyRequest, name: string): string | undefined => [request.headers[name]].flat()[0];

/** Every error as JSON: `{ error: { code, message, field? } }`. The same for all unknown callers, so that addresses cannot be guessed one part at a time. */
function answerCallError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  logCause(error, request.log);
  const answer = answerOf(error);
  const { status, code, field } = answer;
  const message = status === 401 ? messages.incoming.unauthorized : answer.message;
  return beginAnswer(request, reply, answer).send({ error: { code, message, ...(field !== undefined && { field }) } });
}

/** `POST /hooks/{id}`: calls of incoming webhooks, signed or with the secret. */
export async function incomingRoute(
  app: FastifyInstance,
  incoming: Incoming,
  limits: Pick<Limits, 'countWebhook'>,
): Promise<void> {
  const routes: FastifyPluginAsync = async scope => {
    scope.setErrorHandler<FastifyError>(answerCallError);
    scope.removeAllContentTypeParsers();
    // As bytes, which the signature covers.
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) =>
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
      { bodyLimit: BODY_LIMIT_BYTES },
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
        if (!accepted) throw new Unauthorized('no webhook, or not its secret');
        return reply.header('cache-control', 'no-store').send(accepted);
      },
    );
  };
  await app.register(routes);
}
