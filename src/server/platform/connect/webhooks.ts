import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { readJson } from '../../../domain/json.ts';
import { readInput } from '../../http/input.ts';
import { tokenOf } from './header.ts';
import type { Caller, Tokens } from './tokens.ts';

export interface WebhookOptions {
  tokens: Tokens;
  /** Something happened to the issue of that id; the caller caused it. */
  noticed(caller: Caller, issueId: string, happened: Happened): Promise<void>;
}

/** A field that an update changed. */
export interface FieldChange {
  id: string;
  name: string;
  /** The new value as the changelog writes it. */
  to: string | null;
}

export interface Happened {
  kind: 'created' | 'updated' | 'deleted' | 'property';
  /** It may have moved, or be hidden from some who saw it. */
  mayHide: boolean;
  /** What an update changed, where it says so. */
  changes?: readonly FieldChange[] | undefined;
  /** The id of the project that a new or changed issue is in, where the event says so. */
  project?: string | undefined;
}

/** The issue's id is in the address (descriptor), which the token covers. */
const query = z.object({ issueId: z.string().optional() });

/** Fields whose change may decide who sees an issue, by their ids: permissions and security levels can name its people. */
const HIDING: readonly string[] = ['project', 'issuekey', 'security', 'assignee', 'reporter'];
/** `toString` is a member that every object has: only own ones count. */
const item = z.record(z.string(), z.unknown()).transform((values): FieldChange => {
  const own = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  const name = own('field') ?? '';
  return { id: own('fieldId') ?? name, name, to: own('toString') ?? null };
});
const update = z.object({ changelog: z.object({ items: z.array(item) }).optional() });
const placed = z.object({ issue: z.object({ fields: z.object({ project: z.object({ id: z.string() }) }) }) });

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

/** What an update changed; nothing where it is a comment, `undefined` where that cannot be told. */
function changesIn(body: unknown): readonly FieldChange[] | undefined {
  const told = update.safeParse(body);
  return told.success ? (told.data.changelog?.items ?? []) : undefined;
}

const hides = (changes: readonly FieldChange[] | undefined): boolean =>
  changes === undefined || changes.some(({ id }) => HIDING.includes(id.toLowerCase()));

/**
 * The tracker's webhooks (descriptor). The token does not cover the body: what it says of changes and the project only spares
 * the tracker questions, and nothing of it is kept. The event is a hint as well: late or doubled, out of order or made up, it only says
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
    for (const kind of ['created', 'updated', 'deleted', 'property'] as const) {
      scope.post<{ Body: Buffer | undefined }>(`/webhooks/issue-${kind}`, async (request, reply) => {
        const caller = callers.get(request);
        const { issueId } = readInput(query, request.query);
        const body = request.body && (kind === 'created' || kind === 'updated') && readJson(request.body.toString());
        const changes = kind === 'updated' ? changesIn(body) : undefined;
        const mayHide = kind === 'deleted' || (kind === 'updated' && hides(changes));
        const project = placed.safeParse(body).data?.issue.fields.project.id;
        if (caller && issueId !== undefined) await noticed(caller, issueId, { kind, mayHide, changes, project });
        return reply.code(204).send();
      });
    }
  };
  await app.register(routes);
}
