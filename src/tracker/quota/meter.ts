import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callingApp } from '../permissions.ts';
import { BASE_POINTS, callName, figureOf } from './figures.ts';
import type { LedgerCall, Quota } from './quota.ts';

/** An app's call between its arrival and its answer. */
interface Metered {
  call: LedgerCall;
  /** The app's points were used up before the call. */
  exhausted: boolean;
  refused: boolean;
  /** The body of its answer, once there is one. */
  answer?: unknown;
}

/** Header by which an app names the cause of a call, for the ledger. The real tracker ignores it. */
const CAUSE_HEADER = 'x-cause';
const MAX_CAUSE_CHARS = 100;
const UNKNOWN_ENDPOINT = 'no such endpoint';

/**
 * Counts the points of apps' servers at the routes of this scope and refuses calls when none are left. Calls of a page
 * for a user are not counted, nor answers replaced by a fault. Register it before faults and routes.
 */
export function meter(app: FastifyInstance, quota: Quota, site: string): void {
  const calls = new WeakMap<FastifyRequest, Metered>();

  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) {
      const call = callName(each, url);
      if (!figureOf(call)) throw new Error(`There is no figure for ${call}.`);
    }
  });

  // After authentication: the caller is known.
  app.addHook('preParsing', async (request, reply) => {
    const { caller, method, routeOptions, headers } = request;
    const key = callingApp(caller)?.key;
    if (key === undefined) return;
    const call =
      routeOptions.url === undefined ? `${method} (${UNKNOWN_ENDPOINT})` : callName(method, routeOptions.url);
    const cause = [headers[CAUSE_HEADER]].flat()[0]?.slice(0, MAX_CAUSE_CHARS) ?? null;
    const source = figureOf(call)?.source ?? 'documented';
    const refused = quota.isRefused(key);
    calls.set(request, { call: { app: key, site, call, cause, source }, exhausted: quota.isSpent(key), refused });
    if (refused) return reply.code(429).send({ errorMessages: ['Rate limit exceeded.'], errors: {} });
  });

  app.addHook('preSerialization', async (request, reply, payload) => {
    const metered = calls.get(request);
    if (metered && reply.statusCode < 300) metered.answer = payload;
    return payload;
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const metered = calls.get(request);
    if (!metered) return payload;
    const { call, exhausted, refused, answer } = metered;
    if (refused) quota.refuse(call);
    else quota.spend(call, answer === undefined ? BASE_POINTS : (figureOf(call.call)?.points(answer) ?? BASE_POINTS));
    reply.headers(quota.headers(call.app, exhausted));
    return payload;
  });
}
