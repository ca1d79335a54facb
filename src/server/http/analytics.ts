import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { edition } from '../../domain/edition.ts';
import { analyticsEvents, eventOf, isTracked } from '../../domain/events.ts';
import { surfaces } from '../../domain/pages.ts';
import { readInput, Unauthorized } from '../errors/request.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { Authentication } from '../platform/authentication.ts';
import type { Forwarder } from './analytics-forward.ts';

/** From fixed lists only, so that no text of a checklist and no name is included. */
const properties = v.strictObject({
  operation: v.optional(v.pipe(v.string(), v.guard(isTracked, 'Expected a tracked operation'))),
  surface: v.optional(v.picklist(surfaces)),
});
const event = v.pipe(
  v.object({ eventType: v.picklist(analyticsEvents), eventProperties: v.optional(properties, {}) }),
  v.forward(
    v.check(
      ({ eventType, eventProperties: { operation } }) => operation === undefined || eventOf(operation) === eventType,
      'is no operation of this event',
    ),
    ['eventProperties', 'operation'],
  ),
);

const BODY_LIMIT_BYTES = 8_192;

export interface AnalyticsOptions {
  authentication: Authentication;
  metrics: Metrics;
  /** Forwards events to an external service. */
  forwarder: Forwarder;
}

/** Counts events on sites with analytics enabled, without data of the site or the user. */
export function analyticsRoute(app: FastifyInstance, { authentication, metrics, forwarder }: AnalyticsOptions): void {
  app.addHook('onClose', async () => forwarder.close());
  app.post('/api/analytics', { bodyLimit: BODY_LIMIT_BYTES }, async (request, reply) => {
    if (request.headers['app-key'] !== edition.key) throw new Unauthorized('app key');
    const { tenant } = await authentication.session(request, reply);
    const { eventType, eventProperties } = readInput(event, request.body);
    if (tenant.settings.analytics_enabled) {
      metrics.events.inc({ event: eventType });
      forwarder.forward({ eventType, eventProperties });
    }
    return reply.code(204).send();
  });
}
