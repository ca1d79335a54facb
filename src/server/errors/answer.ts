import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { api, failures, shell, unreachable } from '../../domain/messages.ts';
import { Refused } from './refused.ts';
import { BadInput, TooManyRequests, Unauthorized } from './request.ts';
import { StoreUnavailable } from './unavailable.ts';

/** Turns every thrown error into an answer. Causes go to the log, never to the caller. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Unauthorized) {
    request.log.info({ reason: error.message }, 'unauthorized');
    return reply.code(401).send({ error: shell.unauthorized });
  }
  if (error instanceof TooManyRequests) {
    return reply.code(429).header('retry-after', error.reset).send({ error: api.rateLimited });
  }
  if (error instanceof BadInput) {
    return reply.code(400).send({ error: error.message });
  }
  if (error instanceof Refused) {
    return reply.code(error.code.startsWith('TRACKER_') ? 502 : 403).send({ error: error.message });
  }
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return reply.code(error.statusCode).send({ error: error.message });
  }
  // The client retries. The log has it once for all requests (common/failure-log.ts).
  if (error instanceof StoreUnavailable) return reply.code(503).send({ error: unreachable.server });
  request.log.error(error, 'request failed');
  return reply.code(500).send({ error: failures.unknown });
}
