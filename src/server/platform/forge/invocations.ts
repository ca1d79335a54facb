import type { FastifyRequest } from 'fastify';
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type FetchImplementation,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import * as v from 'valibot';
import { parseAs, readAs, webUrl } from '../../../domain/shape.ts';
import { anonymous } from '../../../domain/user.ts';
import { Unauthorized } from '../../errors/request.ts';
import { createCache } from '../../store/cached.ts';
import { readBounded } from '../bounded.ts';
import { LEEWAY_SECONDS } from '../clock.ts';
import { installationOf } from '../tenants.ts';
import { type UsedToken, usedToken } from '../used-tokens.ts';

/** A call from Forge, by its token (Forge, "Forge Invocation Token"). */
export interface Invocation {
  installation: string;
  /** Id of the app's environment, if the token has it. */
  environmentId: string | undefined;
  cloudId: string;
  /** Base URL of the site's REST API, without a trailing slash. */
  gateway: string;
  /** The site's URL without a trailing slash, in calls of frames. */
  siteUrl: string | undefined;
  /** The frame's visitor, `anonymous` without an account. */
  account: string;
  /** Id of the frame's issue. */
  issue: string | undefined;
  /**
   * The call comes from a frame, and its visitor can read its token: it is accepted for sign-in only. The platform's
   * own calls have neither a principal nor an extension of the tracker.
   */
  isFrame: boolean;
  /** Key of the frame's portal request. */
  request: string | undefined;
  /** License state, if the token has it: in production only. */
  licensed: boolean | undefined;
  /** Time of the call in milliseconds since the epoch. */
  issued: number;
  /** The call's token, for actions that it may do only once. */
  token: UsedToken;
}

/** The invocation of a verified request. */
export type InvocationOf = (request: FastifyRequest) => Invocation;

/** A header's value, if it occurs once. */
export const header = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
/** The app's token in a call. */
export const appTokenOf = ({ headers }: FastifyRequest): string | undefined => header(headers['x-forge-oauth-system']);

export interface InvocationOptions {
  /** The app's ARI. */
  appId: string;
  /** The accepted environment: a development installation must not reach production's data. */
  environment: string;
  keysUrl: string;
  /** Prefix of the base URLs of sites' REST APIs. */
  gateway: string;
}

/** Thrown if the vendor's keys cannot be fetched: the token is neither valid nor invalid. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/** Reads the token of an `Authorization: Bearer {token}` header. */
export interface Invocations {
  /** Verifies it. Rejects with `Unauthorized` or `KeysUnavailable`. */
  verify(authorization: string | undefined): Promise<Invocation>;
  /** Whether this process has verified a token of the installation that this one names, which it does not prove. */
  isOfKnownSite(authorization: string | undefined): boolean;
}

const ISSUER = 'forge/invocation-token';
/** The vendor's tokens expire after 25 seconds. */
const MAX_TOKEN_AGE = '2 minutes';
const KEY_FETCH_TIMEOUT_MS = 5_000;
/** Each key has less than a thousand bytes. */
const MAX_KEYS_BYTES = 262_144;
/** Applies to installations whose tokens were verified. */
const MAX_SITES = 10_000;

/** A UUID, plain or at the end of an ARI or URL. */
const id = v.pipe(v.string(), v.transform(installationOf), v.pipe(v.string(), v.uuid()));

function hasUser(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

/** Only the name and the base URL are documented. */
const site = v.object({
  name: v.string(),
  cloudId: v.optional(id),
  id: v.optional(id),
  apiBaseUrl: v.optional(v.string()),
});

const claims = v.object({
  iat: v.number(),
  app: v.object({
    id: v.string(),
    apiBaseUrl: v.optional(v.string()),
    environment: v.object({ type: v.string(), id: v.fallback(v.optional(id), undefined) }),
    installation: v.object({ id, contexts: v.array(v.unknown()) }),
    // Two names: in the documentation of remotes, and in that of functions.
    license: v.fallback(
      v.optional(v.object({ isActive: v.optional(v.boolean()), active: v.optional(v.boolean()) })),
      undefined,
    ),
  }),
  principal: v.optional(v.pipe(v.string(), v.regex(/^[\w:.-]{1,128}$/))),
  context: v.optional(
    v.object({
      cloudId: v.optional(id),
      siteUrl: v.fallback(
        v.optional(
          v.pipe(
            webUrl,
            v.check(value => !hasUser(value), 'holds a user or password'),
            v.transform(value => value.replace(/\/+$/, '')),
          ),
        ),
        undefined,
      ),
      extension: v.optional(
        v.object({
          type: v.fallback(v.optional(v.string()), undefined),
          issue: v.fallback(v.optional(v.object({ id: v.pipe(v.unknown(), v.toString()) })), undefined),
          request: v.fallback(v.optional(v.object({ key: v.string() })), undefined),
        }),
      ),
    }),
  ),
});

/** Distinguishes an invalid token from keys that could not be fetched. */
function verificationError(error: unknown): Error {
  const isAway =
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    !(error instanceof errors.JOSEError) ||
    error.code === 'ERR_JOSE_GENERIC';
  const reason = error instanceof Error ? error.message : 'unknown';
  // Signatures are verified first.
  return isAway ? new KeysUnavailable(reason) : new Unauthorized(reason, error instanceof errors.JWTExpired);
}

const tokenOf = (authorization = ''): string | undefined => /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];

const installationClaim = v.object({ app: v.object({ installation: v.object({ id }) }) });

/** The installation that a token names, without verification. */
function namedInstallation(token: string): string | undefined {
  try {
    return readAs(installationClaim, decodeJwt(token))?.app.installation.id;
  } catch {
    return undefined;
  }
}

/** Fetches the vendor's keys, and reads no more than they can be. */
const fetchKeys: FetchImplementation = async (url, options) => {
  const response = await fetch(url, options);
  return new Response(await readBounded(response, MAX_KEYS_BYTES), { status: response.status });
};

/** The principal of a visitor without an account. */
const UNIDENTIFIED = 'unidentified';

export function createInvocations({ appId, environment, keysUrl, gateway }: InvocationOptions): Invocations {
  // Cached; fetched again at most twice a minute, also for unknown keys.
  const keys: JWTVerifyGetKey = createRemoteJWKSet(new URL(keysUrl), {
    timeoutDuration: KEY_FETCH_TIMEOUT_MS,
    [customFetch]: fetchKeys,
  });

  function invocationOf(token: string, payload: JWTPayload): Invocation {
    // An isolated cloud has its own keys: these must not sign its tokens.
    if ('icLabel' in payload) throw new Unauthorized('isolated cloud');
    const { app, principal, context, iat } = parseAs(claims, payload, () => new Unauthorized('claims'));
    if (app.id !== appId) throw new Unauthorized('app');
    if (app.environment.type !== environment) throw new Unauthorized('environment');
    const sites = app.installation.contexts.flatMap(each => readAs(site, each) ?? []);
    const jira = sites.find(({ name }) => name === 'jira');
    if (!jira) throw new Unauthorized('product');
    const addresses = [jira.apiBaseUrl, app.apiBaseUrl].filter(each => each !== undefined);
    // Only the base URL always has the cloud id: events have no context of a frame.
    const cloudId = readAs(id, addresses[0]);
    const address = `${gateway}/ex/jira/${cloudId}`;
    if (cloudId === undefined || addresses.some(each => each !== address)) throw new Unauthorized('gateway');
    const named = [jira.cloudId, jira.id, context?.cloudId];
    if (named.some(each => each !== undefined && each !== cloudId)) throw new Unauthorized('site');
    return {
      ...{ cloudId, gateway: address },
      installation: app.installation.id,
      environmentId: app.environment.id,
      siteUrl: context?.siteUrl,
      account: principal === undefined || principal === UNIDENTIFIED ? anonymous.id : principal,
      issue: context?.extension?.issue?.id,
      request: context?.extension?.request?.key,
      isFrame: principal !== undefined || context?.extension?.type?.startsWith('jira') === true,
      licensed: environment === 'PRODUCTION' ? (app.license?.isActive ?? app.license?.active) : undefined,
      issued: iat * 1000,
      token: usedToken(token, payload.exp ?? 0),
    };
  }

  const verifiedSites = createCache<true>(MAX_SITES);

  return {
    async verify(authorization) {
      const token = tokenOf(authorization);
      if (!token) throw new Unauthorized('no token');
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['RS256'],
        issuer: ISSUER,
        // Never the token's own claim, which would accept any app.
        audience: appId,
        requiredClaims: ['exp', 'iat'],
        maxTokenAge: MAX_TOKEN_AGE,
        clockTolerance: LEEWAY_SECONDS,
      }).catch(error => {
        throw verificationError(error);
      });
      const invocation = invocationOf(token, payload);
      verifiedSites.set(invocation.installation, true);
      return invocation;
    },
    isOfKnownSite(authorization) {
      const named = namedInstallation(tokenOf(authorization) ?? '');
      return named !== undefined && verifiedSites.has(named);
    },
  };
}
