import type { FastifyRequest } from 'fastify';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod';
import { anonymous } from '../../../domain/user.ts';
import { Unauthorized } from '../../errors/request.ts';
import { installationOf } from '../tenants.ts';
import { LEEWAY } from '../tokens.ts';

/** A call that Forge made to us, by its own word (Forge, "Forge Invocation Token"). */
export interface Invocation {
  installation: string;
  /** Id of the app's environment, where the platform tells it. */
  environmentId: string | undefined;
  cloudId: string;
  /** Where the site's REST API is, without a trailing slash. */
  gateway: string;
  /** The site's address without a trailing slash, where the call is a frame's. */
  siteUrl: string | undefined;
  /** The account that looks at the frame, `anonymous` where there is none. */
  account: string;
  /** Id of the issue that the frame is about. */
  issue: string | undefined;
  /**
   * A frame's, whose visitor sees it: it may sign in, and nothing else. The platform's own calls name no principal, and no
   * place in the tracker.
   */
  isFrame: boolean;
  /** Key of the portal request that the frame is about. */
  request: string | undefined;
  /** What the platform says of the license, where it does: in production alone. */
  licensed: boolean | undefined;
  /** When the call was made, in milliseconds since the epoch. */
  issued: number;
}

/** The invocation of a request that was verified. */
export type InvocationOf = (request: FastifyRequest) => Invocation;

/** A header that comes once. */
export const header = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
/** The app's token that comes with a call. */
export const appTokenOf = ({ headers }: FastifyRequest): string | undefined => header(headers['x-forge-oauth-system']);

export interface InvocationOptions {
  /** The app as the platform names it. */
  appId: string;
  /** A development installation of the same app must not reach production's data. */
  environment: string;
  keysUrl: string;
  /** What addresses of sites' REST APIs begin with. */
  gateway: string;
}

/** The vendor's keys could not be had: whether a token is good is open. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/** Verifies the token of an `Authorization: Bearer {token}` header. Rejects with `Unauthorized`, whatever is wrong. */
export type Invocations = (authorization: string | undefined) => Promise<Invocation>;

const ISSUER = 'forge/invocation-token';
/** Age of a token at most: the vendor's live 25 seconds. */
const MOST_AGE = '2 minutes';
/** Milliseconds for fetching the keys. */
const TIMEOUT = 5_000;

/** An id: as it is, or at the end of the platform's name for the same. */
const id = z.string().transform(installationOf).pipe(z.uuid());

/** What the documentation has of it is its name and its address. */
const site = z.object({
  name: z.string(),
  cloudId: id.optional(),
  id: id.optional(),
  apiBaseUrl: z.string().optional(),
});

const claims = z.object({
  iat: z.number(),
  app: z.object({
    id: z.string(),
    apiBaseUrl: z.string().optional(),
    environment: z.object({ type: z.string(), id: id.optional().catch(undefined) }),
    installation: z.object({ id, contexts: z.array(z.unknown()) }),
    // As the documentation of remotes names it, and that of functions.
    license: z.object({ isActive: z.boolean().optional(), active: z.boolean().optional() }).optional().catch(undefined),
  }),
  principal: z
    .string()
    .regex(/^[\w:.-]{1,128}$/)
    .optional(),
  context: z
    .object({
      cloudId: id.optional(),
      siteUrl: z
        .url({ protocol: /^https?$/ })
        .transform(value => value.replace(/\/+$/, ''))
        .optional()
        .catch(undefined),
      extension: z
        .object({
          type: z.string().optional().catch(undefined),
          issue: z.object({ id: z.coerce.string() }).optional().catch(undefined),
          request: z.object({ key: z.string() }).optional().catch(undefined),
        })
        .optional(),
    })
    .optional(),
});

/** Why no key was found: the token names none of the vendor's, or the vendor did not give them. */
function verificationError(error: unknown): Error {
  const isAway =
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    !(error instanceof errors.JOSEError) ||
    error.code === 'ERR_JOSE_GENERIC';
  const reason = error instanceof Error ? error.message : 'unknown';
  return isAway ? new KeysUnavailable(reason) : new Unauthorized(reason);
}

/** The principal of a visitor without an account. */
const UNIDENTIFIED = 'unidentified';

export function createInvocations({ appId, environment, keysUrl, gateway }: InvocationOptions): Invocations {
  // Fetched once for many; again at most twice a minute, however many unknown keys are named.
  const keys: JWTVerifyGetKey = createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: TIMEOUT });

  function invocationOf(payload: JWTPayload): Invocation {
    // Keys of an isolated cloud are elsewhere; a token that was signed by these says nothing of one.
    if ('icLabel' in payload) throw new Unauthorized('isolated cloud');
    const parsed = claims.safeParse(payload);
    if (!parsed.success) throw new Unauthorized('claims');
    const { app, principal, context, iat } = parsed.data;
    if (app.id !== appId) throw new Unauthorized('app');
    if (app.environment.type !== environment) throw new Unauthorized('environment');
    const sites = app.installation.contexts.flatMap(each => site.safeParse(each).data ?? []);
    const jira = sites.find(({ name }) => name === 'jira');
    if (!jira) throw new Unauthorized('product');
    const addresses = [jira.apiBaseUrl, app.apiBaseUrl].filter(each => each !== undefined);
    // Only the address surely names the site: events have no context of a frame.
    const { data: cloudId } = id.safeParse(addresses[0]);
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
    };
  }

  return async authorization => {
    const token = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
    if (!token) throw new Unauthorized('no token');
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ['RS256'],
      issuer: ISSUER,
      // Never the token's own: any app's would do then.
      audience: appId,
      requiredClaims: ['exp', 'iat'],
      maxTokenAge: MOST_AGE,
      clockTolerance: LEEWAY,
    }).catch(error => {
      throw verificationError(error);
    });
    return invocationOf(payload);
  };
}
