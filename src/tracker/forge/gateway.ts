import type { IncomingMessage } from 'node:http';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import { type Caller, holds } from '../permissions.ts';
import { accountReport, answerReport } from '../site/account-reports.ts';
import { personOf } from '../site/people.ts';
import { siteAri } from './identifiers.ts';
import { allScopes, type ForgePlatform, forgeApp, offlineScopes } from './platform.ts';
import type { Grant } from './tokens.ts';

/** Callers of requests through the gateway. */
const callers = new WeakMap<IncomingMessage, Caller>();
export const callerThroughGateway = ({ raw }: FastifyRequest): Caller | undefined => callers.get(raw);

const PRODUCT_PATH = '/forge-gateway/ex/jira';
const whole = v.object({ cloudId: v.string() });

const mutation = v.object({
  query: v.pipe(v.string(), v.includes('offlineUserAuthToken')),
  variables: v.object({ input: v.object({ contextIds: v.tuple([v.string()]), userId: v.string() }) }),
});

/** Emulates `api.atlassian.com`: each site's REST API for tokens, and tokens for absent users. */
export const gatewayRoutes: FastifyPluginCallback<{ platform: ForgePlatform }> = (app, { platform }, done) => {
  const { tokens, sites, key } = platform;

  app.get('/forge/.well-known/jwks.json', () => key.jwks);

  /** The installation of a request's token, while both are valid. */
  function grantOf({ headers }: FastifyRequest): Grant | undefined {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    const grant = token === undefined ? undefined : tokens.grantOf(token);
    const current = grant && sites.get(grant.cloudId)?.app.installed();
    return grant && current?.installation === grant.installation ? grant : undefined;
  }

  function callerOf({ account, offline }: Grant): Caller | undefined {
    const through = forgeApp(platform, offline ? offlineScopes(platform) : allScopes(platform));
    if (account === undefined) return { kind: 'app', app: through };
    const person = personOf(account);
    return person && { kind: 'person', person, through: { app: through, by: 'server' } };
  }

  // Runs before the body is read: the site's own routes read it.
  async function pass(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { cloudId } = parseAs(whole, request.params);
    const grant = grantOf(request);
    const caller = grant && callerOf(grant);
    const site = sites.get(cloudId);
    if (!caller) return reply.code(401).send({ code: 401, message: 'Unauthorized' });
    if (!site || grant.cloudId !== cloudId) return reply.code(404).send({ code: 404, message: 'Not found' });
    const url = request.url.slice(`${PRODUCT_PATH}/${cloudId}`.length);
    if (!url.startsWith('/rest/')) return reply.code(404).send({ code: 404, message: 'Not found' });
    await site.server.ready();
    callers.set(request.raw, caller);
    request.raw.url = url;
    reply.hijack();
    site.server.routing(request.raw, reply.raw);
    return reply;
  }
  app.all(`${PRODUCT_PATH}/:cloudId/*`, { onRequest: pass }, () => undefined);

  app.post('/forge-gateway/graphql', async (request, reply) => {
    const grant = grantOf(request);
    if (!grant || grant.account !== undefined) return reply.code(401).send({ code: 401, message: 'Unauthorized' });
    const parsedBody = v.safeParse(mutation, request.body);
    if (!parsedBody.success) return { errors: [{ message: v.summarize(parsedBody.issues) }] };
    const { contextIds, userId } = parsedBody.output.variables.input;
    const refusal = refusalOf(grant, contextIds[0], userId);
    if (refusal !== undefined) return answered({ success: false, errors: [{ message: refusal }], authToken: null });
    const { token, seconds } = await tokens.issue({ ...grant, account: userId, offline: true });
    return answered({ success: true, errors: null, authToken: { token, ttl: seconds } });
  });

  /** "User privacy guidelines": accounts that are stored, and what is to be done about some of them. */
  app.post('/forge-gateway/app/report-accounts', (request, reply) => {
    const grant = grantOf(request);
    if (!grant) return reply.code(401).send({ code: 401, message: 'Unauthorized' });
    if (!allScopes(platform).includes('report:personal-data'))
      return reply.code(403).send({ code: 403, message: 'Forbidden' });
    const parsedBody = v.safeParse(accountReport, request.body);
    if (!parsedBody.success) return reply.code(400).send({ code: 400, message: v.summarize(parsedBody.issues) });
    reply.header('cycle-period', String(platform.settings.reportDays));
    return answerReport(parsedBody.output, platform.settings) ?? reply.code(204).send();
  });

  const answered = (offlineUserAuthToken: object) => ({ data: { offlineUserAuthToken } });

  function refusalOf({ cloudId }: Grant, contextId: string, userId: string): string | undefined {
    if (contextId !== siteAri(cloudId)) return 'The app is not installed in this context.';
    if (offlineScopes(platform).length === 0) return 'No scope of the app allows impersonation.';
    const person = personOf(userId);
    if (!person || !holds({ kind: 'person', person }, 'USER_PICKER')) return 'The user cannot be impersonated.';
    return undefined;
  }

  done();
};
