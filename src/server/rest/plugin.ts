import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { API_PATH, type Operation, type OperationId, operations } from '../../domain/api/operations.ts';
import { readTag } from '../../domain/api/revision.ts';
import { api } from '../../domain/messages.ts';
import { createRequestLog } from '../api-tokens/requests.ts';
import { type ApiCaller, bearerOf, createApiTokenVerifier } from '../api-tokens/verify.ts';
import type { ChecklistService } from '../checklists/checklists.ts';
import { hashText } from '../common/hash.ts';
import { CHECKLIST_BODY, createApiLimits, limited } from '../common/limits.ts';
import { Refused } from '../errors/refused.ts';
import { BadInput, readInput, Unauthorized } from '../errors/request.ts';
import type { Tenants } from '../platform/tenants.ts';
import type { Store } from '../store/store.ts';
import { checklistHandlers } from './checklists.ts';
import type { Answer, HandledId, Handlers } from './handlers.ts';
import { isKnown, readParams, readQuery, wantsText } from './input.ts';
import { listHandlers } from './lists.ts';
import { openApiDocument } from './openapi.ts';
import { answerProblem, NoOperation, TooManyRequests } from './problems.ts';

export interface RestOptions {
  store: Store;
  tenants: Pick<Tenants, 'find'>;
  checklists: Pick<ChecklistService, 'asApp'>;
  baseUrl: string;
}

/** The path of an operation as a route. */
const routeOf = ({ path }: Operation): string => path.replace(/\{(\w+)\}/g, ':$1');

const operationOf = (id: OperationId): Operation => operations[id];

/**
 * The REST API under `/api/v1`, with `Authorization: Bearer {API token}`: one route for each operation of
 * `domain/api/operations.ts`, whose token, scope, limits and input are checked here.
 */
export async function restRoutes(app: FastifyInstance, options: RestOptions): Promise<void> {
  const { store, tenants, checklists, baseUrl } = options;
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

  const limits = createApiLimits(app, request => {
    const { token, tenant } = callerOf(request);
    return { token, tenant: tenant.id };
  });

  /** Rejects beyond the limits of the token or site, whose headers it sets: those of the one that is reached first. */
  async function limit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const counted = await Promise.all([limits.token(request), limits.site(request)]);
    const [first] = counted.toSorted((one, other) => one.remaining - other.remaining);
    if (!first) return;
    const { max, remaining, reset } = first;
    reply.headers({ 'ratelimit-limit': max, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset });
    const exceeded = counted.filter(({ isExceeded }) => isExceeded);
    if (exceeded.length > 0) throw new TooManyRequests(Math.max(...exceeded.map(each => each.reset)));
  }

  async function authenticate(request: FastifyRequest): Promise<void> {
    const secret = bearerOf(request.headers.authorization);
    // Before the database is asked. Programs behind the same address go on with tokens that are known to be valid.
    const blocked = limits.blockedFor(request);
    if (blocked > 0 && !verifier.wasValid(secret)) throw new TooManyRequests(blocked);
    try {
      callers.set(request, await verifier.verify(secret));
    } catch (error) {
      if (!(error instanceof Unauthorized)) throw error;
      const { isExceeded, reset } = await limits.invalid(request);
      throw isExceeded ? new TooManyRequests(reset) : error;
    }
  }

  /** Before the body is read. */
  const checked = (id: HandledId) => async (request: FastifyRequest, reply: FastifyReply) => {
    await authenticate(request);
    await limit(request, reply);
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
      if (isRead && isKnown(request.headers, tag)) return reply.code(304).send();
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
        bodyLimit: CHECKLIST_BODY,
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
    const noOperation = () => Promise.reject(new NoOperation());
    // Before the client's files, which have a route for any path.
    for (const url of ['/', '/*']) scope.all(url, { config: limited.byAddress }, noOperation);
    scope.get(routeOf(operations.openapi), { config: limited.byAddress }, async (_request, reply) =>
      reply.type('application/json').send(openApiDocument(baseUrl)),
    );
  };
  await app.register(routes, { prefix: API_PATH });
}

/** A body that was parsed. Throws `BadInput` where the request has none. */
function bodyOf({ body }: FastifyRequest): unknown {
  if (body === undefined || body === null) throw new BadInput(api.jsonOnly);
  return body;
}
