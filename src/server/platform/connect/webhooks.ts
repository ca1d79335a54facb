import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { readJson } from '../../../domain/shape.ts';
import { readInput } from '../../errors/request.ts';
import { note } from '../../errors/request-notes.ts';
import { type Limits, routeLimits } from '../../quota/limits.ts';
import { type IssueEvent, issueEventOf, kinds } from '../issue-events.ts';
import { type Caller, type Tokens, tokenOf } from '../tokens.ts';
import { CHECKLIST_PROPERTIES } from '../tracker/issue.ts';

export interface WebhookOptions {
  tokens: Tokens;
  limits: Pick<Limits, 'authenticate'>;
  /** Handles an event of an issue. The caller is the actor. */
  noticed(caller: Caller, issueId: string, event: IssueEvent): Promise<void>;
}

/**
 * The issue's id is in the URL (descriptor), which the token covers, and a property's key, which is empty if the
 * tracker does not fill it in.
 */
const query = v.object({ issueId: v.optional(v.string()), property: v.optional(v.string(), '') });

/** Whether an event is about a property of another kind, such as the badge of the context panel. */
const isOther = (property: string) => property !== '' && !CHECKLIST_PROPERTIES.includes(property);

/** The body has the issue's whole content. */
const BODY_LIMIT_BYTES = 1_048_576;

/** Reads a body completely; `undefined` if it is longer than the limit. */
async function readBody(body: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size <= BODY_LIMIT_BYTES) parts.push(part);
  }
  return size <= BODY_LIMIT_BYTES ? Buffer.concat(parts) : undefined;
}

/**
 * The tracker's webhooks (descriptor). The token does not cover the body: its changes and project only save calls, and
 * are not stored; the state of an issue that an item follows is. An event is a hint to read the issue: it may be late,
 * repeated, out of order or forged. No limit of genuine ones: a bulk change calls once for each issue. Forged ones count for
 * their address; beyond its limit only sites are looked up whose calls this process has verified before.
 */
export async function webhookRoutes(app: FastifyInstance, { tokens, limits, noticed }: WebhookOptions): Promise<void> {
  const routes: FastifyPluginAsync = async scope => {
    const callers = new WeakMap<FastifyRequest, Caller>();
    // Before the body is read.
    scope.addHook('onRequest', async request => {
      const token = tokenOf(request.headers.authorization);
      const verify = () => tokens.request(token, request.method, request.url);
      const caller = await limits.authenticate(request, verify, () => tokens.isOfKnownSite(token), 'forged');
      note(request, { tenant: caller.tenant.id });
      callers.set(request, caller);
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request: FastifyRequest, body: IncomingMessage) => readBody(body));
    const route = { config: routeLimits.exempt };
    for (const kind of kinds) {
      scope.post<{ Body: Buffer | undefined }>(`/webhooks/issue-${kind}`, route, async (request, reply) => {
        const caller = callers.get(request);
        const { issueId, property } = readInput(query, request.query);
        const event = issueEventOf(kind, request.body && readJson(request.body.toString()));
        if (caller && issueId !== undefined && !isOther(property)) {
          await noticed(caller, issueId, { ...event, isOfChecklist: property !== '' });
        }
        return reply.code(204).send();
      });
    }
  };
  await app.register(routes);
}
