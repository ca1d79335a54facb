import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { readJson } from '../../domain/json.ts';
import { readInput } from '../http/input.ts';
import { tokenOf } from './header.ts';
import type { Caller, Tokens } from './tokens.ts';

export interface WebhookOptions {
  tokens: Tokens;
  /** Something happened to the issue of that id; the caller caused it. */
  noticed(caller: Caller, issueId: string, happened: Happened): Promise<void>;
}

export interface Happened {
  /** It may have moved, or be hidden from some who saw it. */
  mayHide: boolean;
}

/** The issue's id is in the address (descriptor), which the token covers. */
const query = z.object({ issueId: z.string().optional() });

/** Fields whose change may decide who sees an issue, by their ids: permissions and security levels can name its people. */
const HIDING: readonly string[] = ['project', 'issuekey', 'security', 'assignee', 'reporter'];
const changes = z.object({
  changelog: z.object({ items: z.array(z.object({ field: z.string(), fieldId: z.string().optional() })) }).optional(),
});

/** Bytes of a body that are looked at; an issue's whole content is in it. */
const BODY_LIMIT = 1_048_576;

/** Reads a body to its end; `undefined` where it is longer than the limit. */
async function readBody(body: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size <= BODY_LIMIT) parts.push(part);
  }
  return size <= BODY_LIMIT ? Buffer.concat(parts) : undefined;
}

/** Whether an update may change who sees the issue; one without a changelog is a comment. */
function mayHide(body: Buffer | undefined): boolean {
  const told = changes.safeParse(body && readJson(body.toString()));
  if (!told.success) return true;
  const items = told.data.changelog?.items ?? [];
  return items.some(({ field, fieldId = field }) => HIDING.includes(fieldId.toLowerCase()));
}

/**
 * The tracker's webhooks (descriptor). The token does not cover the body: an update's changelog only spares the tracker a
 * question, and nothing of it is kept. The event is a hint as well: late or doubled, out of order or made up, it only says
 * where to look. No rate limit: a bulk change calls once for each issue.
 */
export async function webhookRoutes(app: FastifyInstance, { tokens, noticed }: WebhookOptions): Promise<void> {
  const routes: FastifyPluginAsync = async scope => {
    const callers = new WeakMap<FastifyRequest, Caller>();
    // Before anything of the body is read.
    scope.addHook('onRequest', async request => {
      const token = tokenOf(request.headers.authorization);
      callers.set(request, await tokens.request(token, request.method, request.url));
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request: FastifyRequest, body: IncomingMessage) => readBody(body));
    for (const event of ['issue-created', 'issue-updated', 'issue-deleted', 'issue-property']) {
      scope.post<{ Body: Buffer | undefined }>(`/webhooks/${event}`, async (request, reply) => {
        const caller = callers.get(request);
        const { issueId } = readInput(query, request.query);
        const hides = event === 'issue-deleted' || (event === 'issue-updated' && mayHide(request.body));
        if (caller && issueId !== undefined) await noticed(caller, issueId, { mayHide: hides });
        return reply.code(204).send();
      });
    }
  };
  await app.register(routes);
}
