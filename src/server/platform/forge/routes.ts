import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { anonymous } from '../../../domain/user.ts';
import { answerError, beginAnswer, unavailableAnswer } from '../../errors/answer.ts';
import { Unauthorized } from '../../errors/request.ts';
import { note } from '../../errors/request-notes.ts';
import { TrackerRefused, TrackerUnavailable } from '../../errors/tracker.ts';
import { type Limits, routeLimits } from '../../quota/limits.ts';
import type { Store } from '../../store/store.ts';
import { LEEWAY_SECONDS } from '../clock.ts';
import { sessionSettings } from '../connect/session.ts';
import type { Caller, Tokens } from '../tokens.ts';
import { type EventOptions, eventRoute } from './events.ts';
import type { Forge } from './forge.ts';
import { appTokenOf, header, type Invocation, type InvocationOf, KeysUnavailable } from './invocations.ts';
import { lifecycleRoutes } from './lifecycle.ts';

export interface ForgeRoutesOptions extends Omit<EventOptions, 'sites' | 'invocationOf'> {
  forge: Forge;
  limits: Pick<Limits, 'countCaller' | 'authenticate'>;
  tokens: Tokens;
  store: Store;
  /** The server's URL, for frames. */
  baseUrl: string;
}

/** Responds with 503 to temporary errors: the platform takes 401 for an invalid token. */
function answerForgeError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isAway = [TrackerUnavailable, TrackerRefused, KeysUnavailable].some(kind => error instanceof kind);
  if (!isAway) return answerError(error, request, reply);
  request.log.warn(error, 'forge call put off');
  return beginAnswer(request, reply, unavailableAnswer).send({ error: unavailableAnswer.message });
}

const SESSION_PATH = '/api/forge/session';

/**
 * Routes for Forge: sign-in of frames, events, lifecycle and the hourly trigger. Each call has an invocation token,
 * which covers neither its URL nor its body. No limit of genuine calls by address: all come from the vendor's few ones.
 * Forged ones count for their address; beyond its limit only tokens of installations are read that this process knows.
 */
export async function forgeRoutes(app: FastifyInstance, options: ForgeRoutesOptions): Promise<void> {
  const { forge, limits, tokens, store, baseUrl } = options;
  const { invocations, sites, askers, requests } = forge;

  const routes: FastifyPluginAsync = async scope => {
    const verified = new WeakMap<FastifyRequest, Invocation>();
    const invocationOf: InvocationOf = request => {
      const invocation = verified.get(request);
      if (!invocation) throw new Error('A request without an invocation came through.');
      return invocation;
    };
    scope.setErrorHandler<FastifyError>(answerForgeError);
    // Before the body is read.
    scope.addHook('onRequest', async request => {
      const { authorization } = request.headers;
      const verify = async () => {
        const invocation = await invocations.verify(authorization);
        // The token does not cover the URL: a visitor could send a frame's token to any route.
        if (invocation.isFrame !== (request.routeOptions.url === SESSION_PATH)) throw new Unauthorized('not its route');
        return invocation;
      };
      const isKnown = () => invocations.isOfKnownSite(authorization);
      const invocation = await limits.authenticate(request, verify, isKnown, 'forged');
      note(request, { tenant: invocation.cloudId });
      verified.set(request, invocation);
    });

    scope.post(SESSION_PATH, { config: routeLimits.exempt }, async (request, reply) => {
      const invocation = invocationOf(request);
      const { account } = invocation;
      // The vendor's addresses are those of all sites.
      limits.countCaller({ tenant: { id: invocation.cloudId }, account }, request, reply);
      const tenant = await sites.enter(invocation, appTokenOf(request));
      if (!tenant) throw new TrackerUnavailable('The site is not known yet.');
      note(request, { tenant: tenant.id });
      const userToken = header(request.headers['x-forge-oauth-user']);
      if (userToken && account !== anonymous.id) await askers?.keep(tenant, account, userToken);
      const issue = invocation.request === undefined ? undefined : await requests(tenant, account, invocation.request);
      const shown = issue?.id ?? invocation.issue;
      const caller: Caller = {
        ...{ tenant, account },
        ...(shown !== undefined && { frame: { issue: shown, shown: invocation.issued - LEEWAY_SECONDS * 1000 } }),
      };
      const token = await tokens.issue(caller, await sessionSettings(store, tenant));
      return reply.header('cache-control', 'no-store').send({ url: baseUrl, token, ...(issue && { issue }) });
    });
    lifecycleRoutes(scope, { sites, invocationOf });
    eventRoute(scope, { ...options, sites, invocationOf });
  };
  await app.register(routes);
}
