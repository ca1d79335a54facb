import { setImmediate as turn } from 'node:timers/promises';
import {
  errorCodes,
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyRequest,
} from 'fastify';
import { type DocumentNode, type ExecutionResult, GraphQLError, Kind } from 'graphql';
import { type MercuriusOptions, mercurius } from 'mercurius';
import * as v from 'valibot';
import { build } from '../../../domain/build/build.ts';
import type { Checklists } from '../../checklists/service/types.ts';
import { answerError, answerOf, isFailure, logCause } from '../../errors/answer.ts';
import { note } from '../../errors/request-notes.ts';
import type { CallersJobs } from '../../jobs/callers.ts';
import type { Metrics } from '../../monitoring/metrics.ts';
import type { Authentication } from '../../platform/authentication.ts';
import type { Caller } from '../../platform/tokens.ts';
import { CHECKLIST_BODY_BYTES, weightOf } from '../../quota/limits.ts';
import type { Presence } from '../live/presence.ts';
import type { Administration, GraphContext } from './builder.ts';
import { MAX_DEPTH, MAX_TOKENS, sizeProblem, sourceProblem, validationRules } from './cost.ts';
import { schema } from './schema.ts';

export interface GraphqlOptions {
  authentication: Authentication;
  checklistsOf(caller: Caller): Checklists;
  jobsOf(caller: Caller): CallersJobs;
  administrationOf(caller: Caller): Administration;
  featureFlags: readonly string[];
  presence: Presence;
  metrics: Pick<Metrics, 'graphql' | 'graphqlFailures'>;
  baseUrl: string;
}

/** Applies to parsed documents and to invalid documents separately. For a while the cache may hold twice as many. */
const MAX_CACHED_DOCUMENTS = 32;
/** Each error of a document is kept with its stack. */
const MAX_ERRORS = 10;

/** The labels of a valid document: the first field of its operation, a name of the schema, and the operation's kind. */
function labelsOf({ definitions }: DocumentNode): { operation: string; kind: string } {
  const operation = definitions.find(each => each.kind === Kind.OPERATION_DEFINITION);
  const field = operation?.selectionSet.selections.find(each => each.kind === Kind.FIELD);
  return { operation: field?.name.value ?? 'fragment', kind: operation?.operation ?? 'query' };
}

/** Gives an error of a resolver the words and the code of its answer; keeps GraphQL's own errors. */
function formatted(error: GraphQLError): GraphQLError {
  const { originalError: cause, path = null } = error;
  if (!cause || cause instanceof GraphQLError) return error;
  const { code, message, field } = answerOf(cause);
  return new GraphQLError(message, { path, extensions: { code, ...(field && { field }) } });
}

/** Codes of errors that the whole response is answered with, the first of them first; others have the status 200. */
const wholeCodes = ['UNAUTHORIZED', 'RATE_LIMITED', 'UNAVAILABLE'];

/** The causes of errors besides GraphQL's own. */
const causesOf = (errors: readonly GraphQLError[]): Error[] =>
  errors.flatMap(({ originalError: cause }) => (cause && !(cause instanceof GraphQLError) ? [cause] : []));

/** The refusals that a mutation's payload may have besides its value. */
const refusalsShape = v.object({ errors: v.tupleWithRest([v.object({ code: v.string() })], v.unknown()) });

/** `ok`, or the code of the first refusal in a mutation's payload. */
function outcomeOf(data: ExecutionResult['data']): string {
  for (const value of Object.values(data ?? {})) {
    const refused = v.safeParse(refusalsShape, value);
    if (refused.success) return refused.output.errors[0].code;
  }
  return 'ok';
}

const formatErrors: NonNullable<MercuriusOptions['errorFormatter']> = ({ data, errors = [] }, { reply }) => {
  const causes = causesOf(errors);
  const answers = causes.map(answerOf);
  const [whole] = wholeCodes.flatMap(code => answers.find(answer => answer.code === code) ?? []);
  if (reply) {
    for (const cause of causes) logCause(cause, reply.request.log);
    note(reply.request, { outcome: (whole ?? answers[0])?.code ?? 'UNKNOWN' });
    if (whole?.retryAfter !== undefined) reply.header('retry-after', whole.retryAfter);
  }
  return { statusCode: whole?.status ?? 200, response: { data: data ?? null, errors: errors.map(formatted) } };
};

/** Responds to invalid documents with GraphQL errors, to other errors as elsewhere. */
function answerGraphqlError(...[error, request, reply]: Parameters<typeof answerError>) {
  const reasons = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  const errors = reasons.filter(reason => reason instanceof GraphQLError);
  if (!errors.length) return answerError(error, request, reply);
  return reply.code(error.statusCode ?? 400).send({ data: null, errors });
}

/** `POST /graphql`, and GET for queries, with `Authorization: JWT {session token}`. */
export async function graphqlRoute(app: FastifyInstance, options: GraphqlOptions): Promise<void> {
  const featureFlags = Object.fromEntries(options.featureFlags.map(name => [name, true]));
  const callers = new WeakMap<FastifyRequest, Caller>();
  const measured = new WeakMap<object, { operation: string; stop(): number }>();

  const routes: FastifyPluginAsync = async scope => {
    scope.setErrorHandler<FastifyError>(answerGraphqlError);
    // Before the body is read.
    scope.addHook('onRequest', async (request, reply) => {
      callers.set(request, await options.authentication.session(request, reply));
      // Mercurius reads this type as well; no client of the app sends it.
      const type = request.headers['content-type'] ?? '';
      if (/^application\/graphql\b/i.test(type)) throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(type);
    });
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    await scope.register(mercurius, {
      schema,
      context: (request): GraphContext => {
        const caller = callers.get(request);
        if (!caller) throw new Error('A request without a caller came through.');
        const [checklists, jobs] = [options.checklistsOf(caller), options.jobsOf(caller)];
        return {
          ...options.administrationOf(caller),
          caller,
          checklists,
          jobs,
          presence: options.presence,
          baseUrl: options.baseUrl,
          featureFlags,
        };
      },
      cache: MAX_CACHED_DOCUMENTS,
      // A location keeps all tokens of its document, comments included.
      graphql: {
        parseOptions: { maxTokens: MAX_TOKENS, noLocation: true },
        validateOptions: { maxErrors: MAX_ERRORS },
      },
      queryDepth: MAX_DEPTH,
      validationRules: validationRules(build.development),
      allowBatchedQueries: false,
      errorHandler: false,
      errorFormatter: (execution, context) => {
        const { operation } = measured.get(context) ?? {};
        if (operation && causesOf(execution.errors ?? []).some(isFailure))
          options.metrics.graphqlFailures.inc({ operation });
        return formatErrors(execution, context);
      },
      additionalRouteOptions: { bodyLimit: CHECKLIST_BODY_BYTES },
    });
    scope.graphql.addHook('preParsing', async (_schema, source) => {
      const problem = sourceProblem(source);
      if (problem !== undefined) throw new mercurius.ErrorWithProps(problem, {}, 400);
    });
    scope.graphql.addHook('preExecution', async (_schema, document, context, variables) => {
      const labels = labelsOf(document);
      if (context.reply) note(context.reply.request, { operation: labels.operation });
      measured.set(context, { operation: labels.operation, stop: options.metrics.graphql.startTimer(labels) });
      // A large body was long to read, and is long to check.
      if (context.reply && weightOf(context.reply.request) > 1) await turn();
      const problem = sizeProblem(document, variables);
      if (problem !== undefined) throw new mercurius.ErrorWithProps(problem, {}, 400);
    });
    scope.graphql.addHook('onResolution', async (execution, context) => {
      measured.get(context)?.stop();
      // With errors it is noted where they are formatted.
      if (context.reply && !execution.errors) note(context.reply.request, { outcome: outcomeOf(execution.data) });
    });
  };
  await app.register(routes);
}
