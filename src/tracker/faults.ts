import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Fault } from './wire.ts';

export const faultShape: z.ZodType<Fault> = z.object({
  match: z.string().min(1).refine(isPattern, 'Not a regular expression'),
  status: z.number().int().min(400).max(599).exactOptional(),
  retryAfter: z.number().min(0).exactOptional(),
  reason: z.string().exactOptional(),
  delayMs: z.number().min(0).max(600_000).exactOptional(),
  times: z.number().int().min(1).exactOptional(),
  cut: z.enum(['before', 'after']).exactOptional(),
});

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** Faults on demand for the REST API: slow, refusing, limited, or cut off. */
export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  list(): Fault[];
  /** Makes the routes of this scope suffer them. */
  guard(app: FastifyInstance): void;
}

export function createFaults(): Faults {
  let faults: (Fault & { pattern: RegExp })[] = [];

  /** The first that matches `METHOD /path?query`, counted down. */
  function next(call: string): Fault | undefined {
    const found = faults.find(({ pattern }) => pattern.test(call));
    if (found?.times !== undefined && --found.times === 0) faults = faults.filter(fault => fault !== found);
    return found;
  }

  return {
    add(fault) {
      faults.push({ ...fault, pattern: new RegExp(fault.match) });
    },
    clear() {
      faults = [];
    },
    list: () => faults.map(({ pattern, ...fault }) => fault),
    guard(app) {
      const cutAfter = new WeakSet<object>();
      app.addHook('onRequest', async (request, reply) => {
        const fault = next(`${request.method} ${request.url}`);
        if (!fault) return;
        if (fault.delayMs) await sleep(fault.delayMs);
        if (fault.cut === 'before') {
          request.raw.socket.destroy();
          return reply.hijack();
        }
        if (fault.cut === 'after') cutAfter.add(request);
        if (fault.status === undefined) return;
        if (fault.retryAfter !== undefined) reply.header('retry-after', fault.retryAfter);
        if (fault.reason !== undefined) reply.header('ratelimit-reason', fault.reason);
        const message = fault.status === 429 ? 'Rate limit exceeded.' : 'The tracker is unwell, as it was told to be.';
        return reply.code(fault.status).send({ errorMessages: [message], errors: {} });
      });
      app.addHook('onSend', async (request, reply, payload) => {
        if (!cutAfter.has(request)) return payload;
        // What was asked for is done; only its answer gets lost.
        reply.hijack();
        request.raw.socket.destroy();
        return payload;
      });
    },
  };
}
