import type { FastifyInstance } from 'fastify';
import type { Histogram } from 'prom-client';
import * as v from 'valibot';
import { numberText } from '../../../domain/shape.ts';
import { anonymous } from '../../../domain/user.ts';
import { readInput } from '../../errors/request.ts';
import { routeLimits } from '../../quota/limits.ts';
import { type IssueEvent, issueEventOf } from '../issue-events.ts';
import type { Caller } from '../tokens.ts';
import { CHECKLIST_PROPERTIES } from '../tracker/issue.ts';
import { appTokenOf, type InvocationOf } from './invocations.ts';
import type { Sites } from './sites.ts';

export interface EventOptions {
  sites: Sites;
  invocationOf: InvocationOf;
  /** Seconds between an event and its call. */
  delay: Histogram;
  /** Handles an event of an issue. The caller is the actor. */
  noticed(caller: Caller, issueId: string, event: IssueEvent): Promise<void>;
}

/** An event has the issue's whole content. */
const BODY_LIMIT_BYTES = 1_048_576;

/** The used part of an event; of property events only the type is documented. */
const event = v.object({
  eventType: v.string(),
  issue: v.optional(v.object({ id: v.pipe(v.unknown(), v.toString()) })),
  property: v.fallback(v.optional(v.object({ key: v.string() })), undefined),
  atlassianId: v.fallback(v.optional(v.string()), undefined),
  timestamp: v.fallback(v.optional(numberText), undefined),
});

const kindOf = new Map<string, IssueEvent['kind']>([
  ['avi:jira:created:issue', 'created'],
  ['avi:jira:updated:issue', 'updated'],
  ['avi:jira:deleted:issue', 'deleted'],
  ['avi:jira:set:issue-property', 'property'],
  ['avi:jira:deleted:issue-property', 'property'],
]);

/**
 * Events of issues (Forge, "Product events"), up to three minutes late, and repeated if the response was late. As
 * with webhooks the body is a hint: it names the issue to read, and saves calls.
 */
export function eventRoute(app: FastifyInstance, { sites, invocationOf, delay, noticed }: EventOptions): void {
  app.post('/forge/events', { bodyLimit: BODY_LIMIT_BYTES, config: routeLimits.exempt }, async (request, reply) => {
    const { eventType, issue, property, atlassianId, timestamp } = readInput(event, request.body);
    if (timestamp !== undefined) delay.observe(Math.max(0, Date.now() - timestamp) / 1000);
    const tenant = await sites.known(invocationOf(request), appTokenOf(request));
    const kind = kindOf.get(eventType);
    const isForeignProperty = property !== undefined && !CHECKLIST_PROPERTIES.includes(property.key);
    if (tenant && kind && issue && !isForeignProperty) {
      const noted = { ...issueEventOf(kind, request.body), isOfChecklist: property !== undefined };
      await noticed({ tenant, account: atlassianId ?? anonymous.id }, issue.id, noted);
    }
    return reply.code(204).send();
  });
}
