import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { edition } from '../../domain/edition.ts';
import { analyticsEvents, eventOf, isTracked } from '../../domain/events.ts';
import { surfaces } from '../../domain/pages.ts';
import { limited } from '../common/limits.ts';
import type { Metrics } from '../common/metrics.ts';
import { readInput, Unauthorized } from '../errors/request.ts';
import { type Tokens, tokenOf } from '../platform/tokens.ts';
import type { Forwarder } from './analytics-forward.ts';

/** From fixed lists only, so that no text of a checklist and no name is included. */
const properties = z.strictObject({
  operation: z.string().refine(isTracked).optional(),
  surface: z.enum(surfaces).optional(),
});
const event = z
  .object({ eventType: z.enum(analyticsEvents), eventProperties: properties.default({}) })
  .refine(
    ({ eventType, eventProperties: { operation } }) => operation === undefined || eventOf(operation) === eventType,
    { path: ['eventProperties', 'operation'], message: 'is no operation of this event' },
  );

const BODY_LIMIT = 8_192;

export interface AnalyticsOptions {
  tokens: Tokens;
  metrics: Metrics;
  /** Forwards events to an external service. */
  forwarder: Forwarder;
}

/** Counts events (spec §7 row 14) on sites with analytics enabled, without data of the site or the user. */
export function analyticsRoute(app: FastifyInstance, { tokens, metrics, forwarder }: AnalyticsOptions): void {
  app.addHook('onClose', async () => forwarder.close());
  app.post('/api/analytics', { bodyLimit: BODY_LIMIT, config: limited.byToken }, async (request, reply) => {
    if (request.headers['app-key'] !== edition.key) throw new Unauthorized('app key');
    const { tenant } = await tokens.session(tokenOf(request.headers.authorization));
    const { eventType, eventProperties } = readInput(event, request.body);
    if (tenant.settings.analytics_enabled) {
      metrics.events.inc({ event: eventType });
      forwarder.forward({ eventType, eventProperties });
    }
    return reply.code(204).send();
  });
}
