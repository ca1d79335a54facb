import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { API_PATH, type Operation, type OperationId, operations } from '../../../domain/api/operations.ts';
import { readTag } from '../../../domain/api/revision.ts';
import type { Problem } from '../../../domain/api/schemas.ts';
import { api } from '../../../domain/messages.ts';
import { createRequestLog } from '../../api-tokens/requests.ts';
import { type ApiCaller, bearerOf, createApiTokenVerifier } from '../../api-tokens/verify.ts';
import type { ChecklistService } from '../../checklists/service/checklists.ts';
import { answerOf, beginAnswer, type ErrorAnswer, logCause } from '../../errors/answer.ts';
import { Refused } from '../../errors/refused.ts';
import { BadInput, readInput } from '../../errors/request.ts';
import { note } from '../../errors/request-notes.ts';
import type { Tenants } from '../../platform/tenants.ts';
import { CHECKLIST_BODY_BYTES, type Limits, routeLimits } from '../../quota/limits.ts';
import type { Store } from '../../store/store.ts';
import { hashText } from '../../text-workers/hash.ts';
import { checklistHandlers } from './checklists.ts';
import type { Answer, HandledId, Handlers } from './handlers.ts';
import { isCurrentTag, readParams, readQuery, wantsText } from './input.ts';
import { listHandlers } from './lists.ts';
import { openApiDocument } from './openapi.ts';

export interface RestOptions {
  store: Store;
  limits: Limits;
  tenants: Pick<Tenants, 'find'>;
  checklists: Pick<ChecklistService, 'asApp'>;
  baseUrl: string;
}

/** The words for programs, which have no session, and send bodies of their own. */
function detailOf(error: FastifyError, { status, message }: ErrorAnswer): string {
  if (error instanceof Refused || error instanceof BadInput) return message;
  if (status === 401) return api.unauthorized;
  if (status === 413) return api.bodyTooLarge(CHECKLIST_BODY_BYTES);
  if (status === 415) return api.jsonOnly;
  return status === 400 ? api.badJson : message;
}

/** Answers every thrown error as a problem (RFC 9457). */
export function answerProblem(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  logCause(error, request.log);
  const answer = answerOf(error);
  const { status, code, field, findings } = answer;
  const problem: Problem = {
    type: `urn:problem:smart-checklist:${code.toLowerCase().replaceAll('_', '-')}`,
    title: STATUS_CODES[status] ?? 'Error',
    ...{ status, code, detail: detailOf(error, answer) },
    ...(field !== undefined && { field }),
    ...(findings && { diagnostics: [...findings] }),
  };
  if (status === 401) reply.header('www-authenticate', 'Bearer error="invalid_token"');
  return beginAnswer(request, reply, answer).type('application/problem+json').send(JSON.stringify(problem));
}

/** The path of an operation as a route. */
const routeOf = ({ path }: Operation): string => path.replace(/\{(\w+)\}/g, ':$1');

const operationOf = (id: OperationId): Operation => operations[id];

/**
 * The REST API under `/api/v1`, with `Authorization: Bearer {API token}`: one route for each operation of
 * `domain/api/operations.ts`, whose token, scope, limits and input are checked here.
 */
export async function restRoutes(app: FastifyInstance, options: RestOptions): Promise<void> {
  const { store, limits, tenants, checklists, baseUrl } = options;
  const verifier = createApiTokenVerifier({ store, tenants });
  const callers = new WeakMap<FastifyRequest, ApiCaller>();
  const handlers: Handlers = {
    ...checklistHandlers({ checklists, requests: createRequestLog(store) }),
    ...listHandlers({ store, checklists }),
  };

  function callerOf(request: FastifyRequest): ApiCaller {
    const caller = callers.get(request);
    if (!caller) throw new Error('A request without a caller came through.');
    return caller;
  }

  async function authenticate(request: FastifyRequest): Promise<void> {
    const secret = bearerOf(request.headers.authorization);
    const verify = () => verifier.verify(secret);
    callers.set(request, await limits.authenticate(request, verify, () => verifier.wasValid(secret), 'program'));
  }

  /** Before the body is read. */
  const checked = (id: HandledId) => async (request: FastifyRequest, reply: FastifyReply) => {
    note(request, { operation: id });
    await authenticate(request);
    note(request, { tenant: callerOf(request).tenant.id });
    limits.countToken(callerOf(request), request, reply);
    if (operations[id].needs === 'WRITE' && callerOf(request).scope !== 'WRITE') {
      throw new Refused('FORBIDDEN', api.readOnly);
    }
  };

  function send(request: FastifyRequest, reply: FastifyReply, id: HandledId, answer: Answer<HandledId>): FastifyReply {
    const { asText = false } = operationOf(id);
    const { body, revision } = answer;
    if (asText) reply.header('vary', 'accept');
    const isText = asText && 'text' in body && wantsText(request.headers);
    const content = isText ? body.text : JSON.stringify(body);
    if (revision !== undefined) {
      const isRead = request.method === 'GET';
      const tag = isRead ? readTag(revision, hashText(`${isText} ${content}`)) : `"${revision}"`;
      reply.header('etag', tag);
      if (isRead && isCurrentTag(request.headers, tag)) return reply.code(304).send();
    }
    return reply.type(`${isText ? 'text/plain' : 'application/json'}; charset=utf-8`).send(content);
  }

  const routes: FastifyPluginAsync = async scope => {
    scope.setErrorHandler<FastifyError>(answerProblem);
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });

    function route(id: HandledId): void {
      const { params, query, body } = operationOf(id);
      // The operation's own schemas parse its input, which the types of a loop do not follow.
      const handle = handlers[id] as (call: unknown) => Promise<Answer<HandledId>>;
      scope.route({
        method: operations[id].method,
        url: routeOf(operations[id]),
        bodyLimit: CHECKLIST_BODY_BYTES,
        onRequest: checked(id),
        async handler(request, reply) {
          const answer = await handle({
            caller: callerOf(request),
            params: readParams(params, request.params),
            query: readQuery(query, request.query),
            body: body && readInput(body, bodyOf(request)),
            headers: request.headers,
          });
          return send(request, reply, id, answer);
        },
      });
    }

    for (const id of Object.keys(handlers) as HandledId[]) route(id);
    const noOperation = () => Promise.reject(new Refused('NOT_FOUND', api.noRoute));
    // Before the client's files, which have a route for any path.
    for (const url of ['/', '/*']) scope.all(url, { config: routeLimits.asVisitor }, noOperation);
    scope.get(routeOf(operations.openapi), { config: routeLimits.asVisitor }, async (_request, reply) =>
      reply.type('application/json').send(openApiDocument(baseUrl)),
    );
  };
  await app.register(routes, { prefix: API_PATH });
}

/** A body that was parsed. Throws `BadInput` if the request has none. */
function bodyOf({ body }: FastifyRequest): unknown {
  if (body === undefined || body === null) throw new BadInput(api.jsonOnly);
  return body;
}
