import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { readInput } from '../../errors/request.ts';
import { TrackerUnavailable } from '../../errors/tracker.ts';
import { appTokenOf, type InvocationOf } from './invocations.ts';
import type { Sites } from './sites.ts';

/** What the platform sends; more than this is in it, and not used. */
const told = z.object({ eventType: z.string().optional() }).nullish();
const entering: readonly string[] = ['avi:forge:installed:app', 'avi:forge:upgraded:app'];

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
 * A site installed or upgraded the app, is about to uninstall it (Forge, "Life cycle events", "preUninstall"; the latter
 * is no event and has no type), or lets us hear of it, as every hour.
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

  app.post('/forge/lifecycle', async (request, reply) => {
    const { eventType } = readInput(told, request.body) ?? {};
    const invocation = invocationOf(request);
    if (eventType === undefined || /uninstall/i.test(eventType)) {
      await sites.leave(invocation);
      request.log.info({ cloud: invocation.cloudId }, 'forge uninstalled');
    } else if (entering.includes(eventType)) {
      await soon(enter(request));
      request.log.info({ cloud: invocation.cloudId, eventType }, 'forge installed');
    }
    return reply.code(204).send();
  });

  app.post('/forge/tick', async (request, reply) => {
    await soon(enter(request));
    return reply.code(204).send();
  });
}
