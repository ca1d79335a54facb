import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { byName, readAs } from '../../domain/shape.ts';
import type { CallFault } from '../wire/faults.ts';
import type { Faults } from './faults.ts';

/** Applies faults to the routes of this scope. Call it before they are registered. */
export function guard(app: FastifyInstance, faults: Faults): void {
  const struck = new WeakMap<FastifyRequest, CallFault>();

  app.addHook('onRequest', async (request, reply) => {
    // Calls with a token come from the add-on's server; pages and frames have a cookie.
    const by = request.headers.authorization === undefined ? 'people' : 'addon';
    const fault = faults.ofCall(`${request.method} ${request.url}`, by);
    if (!fault) return;
    struck.set(request, fault);
    if (fault.delayMs) await faults.sleep(fault.delayMs);
    const { socket } = request.raw;
    if (fault.cut === 'before') socket.destroy();
    if (socket.destroyed) return reply.hijack();
    if (fault.status !== undefined) return refuse(reply, fault, fault.status);
  });

  // Handlers are wrapped: hooks end when the caller disconnects, but an accepted request is completed.
  app.addHook('onRoute', route => {
    const { handler } = route;
    route.handler = async function delayed(request, reply) {
      const { refuse, cut, lateMs } = struck.get(request) ?? {};
      if (refuse) return reply.code(400).send(refusals[refuse](request.body));
      if (cut === 'taken') request.raw.socket.destroy();
      if (lateMs) await faults.sleep(lateMs);
      return handler.call(this, request, reply);
    };
  });

  app.addHook('onSend', async (request, reply, payload) => {
    if (struck.get(request)?.cut !== 'after') return payload;
    // The request is completed; only its answer is lost.
    reply.hijack();
    request.raw.socket.destroy();
    return payload;
  });
}

function refuse(reply: FastifyReply, { retryAfter, reason }: CallFault, status: number): FastifyReply {
  if (retryAfter !== undefined) {
    reply.header('retry-after', retryAfter);
    if (status === 429) reply.header('x-ratelimit-reset', minuteOf(Date.now() + retryAfter * 1000));
  }
  if (status === 429) reply.header('x-ratelimit-remaining', 0);
  if (reason !== undefined) reply.header('ratelimit-reason', reason);
  const message = status === 429 ? 'Rate limit exceeded.' : 'The tracker is unwell, as it was told to be.';
  return reply.code(status).send({ errorMessages: [message], errors: {} });
}

/** `2026-11-21T20:57Z`, the tracker's format of a limit's end. */
const minuteOf = (time: number): string => `${new Date(time).toISOString().slice(0, 16)}Z`;

const edit = v.object({ fields: byName });

/** The bodies of refusals, by the refused subject. */
const refusals = {
  property: () => ({ errorMessages: ['The property cannot be stored, as the tracker was told.'], errors: {} }),
  screen: (body: unknown) => ({
    errorMessages: [],
    errors: Object.fromEntries(
      Object.keys(readAs(edit, body)?.fields ?? {}).map(id => [
        id,
        `Field '${id}' cannot be set. It is not on the appropriate screen, or unknown.`,
      ]),
    ),
  }),
};
