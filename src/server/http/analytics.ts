import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { edition } from '../../domain/edition.ts';
import { analyticsEvents } from '../../domain/events.ts';
import { tokenOf } from '../connect/header.ts';
import { type Tokens, Unauthorized } from '../connect/tokens.ts';
import { readInput } from './input.ts';
import { limited } from './limits.ts';
import type { Metrics } from './metrics.ts';

/** Plain and short, so that no text of a checklist can come along. */
const property = z.union([z.string().max(100), z.number(), z.boolean(), z.null()]);
const event = z.object({
  eventType: z.enum(analyticsEvents),
  eventProperties: z
    .record(z.string().max(50), property)
    .refine(properties => Object.keys(properties).length <= 20)
    .default({}),
});

const BODY_LIMIT = 8_192;

/** Counts what people do (spec §7 row 14); nothing about the person is kept. */
export function analyticsRoute(app: FastifyInstance, { tokens, metrics }: { tokens: Tokens; metrics: Metrics }): void {
  app.post('/api/analytics', { bodyLimit: BODY_LIMIT, config: limited.byToken }, async (request, reply) => {
    if (request.headers['app-key'] !== edition.key) throw new Unauthorized('app key');
    await tokens.context(tokenOf(request.headers.authorization));
    metrics.events.inc({ event: readInput(event, request.body).eventType });
    return reply.code(204).send();
  });
}
