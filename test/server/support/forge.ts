import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createQueryStringHash, fromMethodAndUrl } from 'atlassian-jwt';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll } from 'vitest';
import { edition } from '../../../src/domain/edition.ts';
import { SITE, signed, startApp, type TestApp } from './app.ts';
import { started, type TestStore } from './stores.ts';
import type { FakeTracker } from './tracker.ts';

export const APP_ID = 'ari:cloud:ecosystem::app/11111111-2222-4333-8444-555555555555';
export const GATEWAY = 'https://gateway.example';
export const ENVIRONMENT_ID = '99999999-2222-4333-8444-555555555555';

/**
 * The platform's answer about a site's Connect app: its client key, that there is none, or that the app may not ask.
 */
export type Past = { key: string } | 'none' | 'refused' | 'down';

/** A site as the platform knows it. */
export interface ForgeSite {
  cloudId: string;
  installation: string;
  url: string;
}

export const newSite = (url = SITE): ForgeSite => ({ cloudId: randomUUID(), installation: randomUUID(), url });

/** Deviations of a token from a valid one. */
export interface Crooked {
  claims?: Record<string, unknown>;
  app?: Record<string, unknown>;
  header?: Record<string, unknown>;
  issuer?: string;
  audience?: string;
  issuedAt?: number;
  expires?: number;
  key?: CryptoKey;
}

/** A fake platform: keys, invocation tokens, the gateway in front of a fake tracker, and tokens of absent users. */
export interface FakeForge {
  keysUrl: string;
  /** Number of fetches of its keys. */
  fetched(): number;
  /** Creates an invocation token of a frame, or of a trigger with `context: undefined`. */
  invocation(
    site: ForgeSite,
    about?: { account?: string | undefined; context?: Record<string, unknown> | undefined },
    crooked?: Crooked,
  ): Promise<string>;
  /** Tokens valid at the gateway, with their account; `null` for the app's. */
  good: Map<string, string | null>;
  /** Accounts that the app may impersonate while they are absent. */
  impersonated: Set<string>;
  /** Whether the app may check permissions of other accounts. */
  asksForOthers: boolean;
  past: Past;
  /** Permission keys of a site. */
  permissions: string[];
  /** Calls through the gateway, with the account. */
  calls: { as: string | null; method: string; path: string; body: unknown }[];
  /** Answers of the gateway in place of the tracker's. */
  fault: ((path: string) => Response | undefined) | undefined;
  over(tracker: FakeTracker, tenant: TestApp['tenant']): typeof fetch;
  close(): void;
}

const json = (status: number, body: unknown) => Response.json(body, { status });

let pair: ReturnType<typeof generateKeyPair> | undefined;

/** The platform's keys: one pair for this worker, since making one takes a fifth of a second of processor time. */
function platformKeys(): ReturnType<typeof generateKeyPair> {
  pair ??= generateKeyPair('RS256');
  return pair;
}

export async function fakeForge(): Promise<FakeForge> {
  const kid = randomUUID();
  const { publicKey, privateKey } = await platformKeys();
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }] });
  let fetched = 0;
  const server = createServer((_request, response) => {
    fetched += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end(keys);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const keysUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/keys`;

  function answerOffline(body: unknown): Response {
    const { userId } = (body as { variables: { input: { userId: string } } }).variables.input;
    if (!forge.impersonated.has(userId)) {
      const refusal = { success: false, errors: [{ message: 'no' }], authToken: null };
      return json(200, { data: { offlineUserAuthToken: refusal } });
    }
    const token = `offline-${userId}-${randomUUID()}`;
    forge.good.set(token, userId);
    return json(200, {
      data: { offlineUserAuthToken: { success: true, errors: null, authToken: { token, ttl: 3_600 } } },
    });
  }

  function answerPast(): Response {
    if (forge.past === 'down') return json(503, {});
    if (forge.past === 'none') return json(404, { errorMessages: ['Property not found'] });
    if (forge.past === 'refused') return json(403, {});
    return json(200, { key: 'connect_client_key', value: forge.past.key });
  }

  const forge: FakeForge = {
    ...{ keysUrl, fetched: () => fetched, good: new Map(), impersonated: new Set(), asksForOthers: false },
    ...{ past: 'none', permissions: [], calls: [], fault: undefined },
    invocation(site, { account, context } = { account: 'alice', context: {} }, crooked = {}) {
      const now = Math.floor(Date.now() / 1000);
      const apiBaseUrl = `${GATEWAY}/ex/jira/${site.cloudId}`;
      const app = {
        ...{ id: APP_ID, version: '1', installationId: site.installation, apiBaseUrl },
        environment: { type: 'PRODUCTION', id: `${APP_ID.replace('::app/', '::environment/')}/${ENVIRONMENT_ID}` },
        module: { type: 'core:endpoint', key: 'frames' },
        installation: {
          id: `ari:cloud:ecosystem::installation/${site.installation}`,
          contexts: [{ name: 'jira', apiBaseUrl }],
        },
        ...crooked.app,
      };
      const frame = context && { cloudId: site.cloudId, siteUrl: site.url, moduleKey: 'checklist-context', ...context };
      const principal = account === undefined ? {} : { principal: account };
      return (
        new SignJWT({ app, ...principal, ...(frame && { context: frame }), ...crooked.claims })
          .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT', ...crooked.header })
          .setIssuer(crooked.issuer ?? 'forge/invocation-token')
          .setAudience(crooked.audience ?? APP_ID)
          .setIssuedAt(crooked.issuedAt ?? now)
          .setExpirationTime(crooked.expires ?? (crooked.issuedAt ?? now) + 25)
          // Two of one second differ.
          .setJti(randomUUID())
          .sign(crooked.key ?? privateKey)
      );
    },
    over: (tracker, tenant) => async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      if (url.origin !== GATEWAY) return tracker.fetch(input, init);
      const method = init?.method ?? 'GET';
      const [, token = ''] = /^Bearer (.+)$/.exec(new Headers(init?.headers).get('authorization') ?? '') ?? [];
      const as = forge.good.get(token);
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
      const path = url.pathname.replace(/^\/ex\/jira\/[^/]+/, '');
      forge.calls.push({ as: as ?? null, method, path, body });
      const fault = forge.fault?.(path);
      if (fault) return fault;
      if (as === undefined) return json(401, { code: 401, message: 'Unauthorized' });
      if (path === '/graphql') return answerOffline(body);
      if (path.startsWith('/rest/atlassian-connect/1/')) return answerPast();
      if (path === '/rest/api/3/permissions') {
        return json(200, { permissions: Object.fromEntries(forge.permissions.map(key => [key, { key }])) });
      }
      let asked = body;
      if (path === '/rest/api/3/permissions/check') {
        const { accountId = as } = body as { accountId?: string };
        const isOther = accountId !== as && !(as === null && forge.asksForOthers);
        if (isOther) return json(403, { errorMessages: ['Administer.'] });
        asked = { ...(body as object), accountId };
      }
      const [, key] = /^\/rest\/api\/2\/issue\/PR-(\d+)$/.exec(path) ?? [];
      if (key) {
        const known = tracker.issues.has(key);
        return known ? json(200, { id: key, key: `PR-${key}` }) : json(404, { errorMessages: ['No issue.'] });
      }
      // The site itself accepts only Connect's signature.
      const qsh = createQueryStringHash(fromMethodAndUrl(method, path + url.search));
      const iat = Math.floor(Date.now() / 1000);
      const jwt = signed({ iss: edition.key, aud: tenant.id, qsh, iat, exp: iat + 60 }, tenant.secret);
      return tracker.fetch(new URL(path + url.search, SITE), {
        ...init,
        headers: { authorization: `JWT ${jwt}` },
        ...(asked !== undefined && { body: JSON.stringify(asked) }),
      });
    },
    close: () => void server.close(),
  };
  return forge;
}

/** An app that is installed on Forge, too, and sends calls of its frames, events and triggers. */
export interface ForgeApp {
  it: TestApp;
  forge: FakeForge;
  /** Creates a token of the app that the gateway accepts. */
  appToken(): string;
  userToken(account: string): string;
  signIn(site: ForgeSite, about?: SignIn, crooked?: Crooked): Promise<Answer>;
  /** Sends a call of a trigger, with another app token. */
  send(
    site: ForgeSite,
    path: string,
    body: unknown,
    options?: { token?: string | null; fit?: string },
  ): Promise<Answer>;
}

export interface SignIn {
  account?: string | undefined;
  context?: Record<string, unknown>;
  /** `null` for no token. */
  appToken?: string | null;
  userToken?: string;
}

type Answer = Awaited<ReturnType<TestApp['app']['inject']>>;

export async function startForge(use: TestStore, env: NodeJS.ProcessEnv = {}): Promise<ForgeApp> {
  const forge = await fakeForge();
  const settings = { FORGE_APP_ID: APP_ID, FORGE_GATEWAY: GATEWAY, FORGE_JWKS_URL: forge.keysUrl, ...env };
  const it = await startApp(use.store, settings, undefined, undefined, undefined, forge.over);
  it.app.addHook('onClose', async () => forge.close());

  const made = (account: string | null) => {
    const token = `${account ?? 'app'}-${randomUUID()}`;
    forge.good.set(token, account);
    return token;
  };
  const post = (url: string, body: unknown, headers: Record<string, string>) =>
    it.app.inject({
      ...{ method: 'POST', url },
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const system = (token: string | null | undefined) =>
    token === null ? {} : { 'x-forge-oauth-system': token ?? made(null) };

  return {
    ...{ it, forge, appToken: () => made(null), userToken: made },
    async signIn(site, { account = 'alice', context = {}, appToken, userToken } = {}, crooked = {}) {
      const fit = await forge.invocation(site, { account, context }, crooked);
      const user = userToken === undefined ? {} : { 'x-forge-oauth-user': userToken };
      return post('/api/forge/session', {}, { authorization: `Bearer ${fit}`, ...system(appToken), ...user });
    },
    async send(site, path, body, { token, fit } = {}) {
      const invocation = fit ?? (await forge.invocation(site, {}));
      return post(path, body, { authorization: `Bearer ${invocation}`, ...system(token) });
    },
  };
}

/** The app of the tests of a block. */
export const forgeOf = (use: () => TestStore, env?: NodeJS.ProcessEnv): ForgeApp =>
  started(
    beforeAll,
    () => startForge(use(), env),
    ({ it }) => it.app.close(),
  );
