import { createHash } from 'node:crypto';
import { decodeJwt, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import * as v from 'valibot';
import { edition } from '../../domain/edition.ts';
import { Mismatch, parseAs, readAs } from '../../domain/shape.ts';
import { type ProductSettingsPayload, parseSession, type SessionPayload } from '../../domain/token.ts';
import { anonymous } from '../../domain/user.ts';
import { Unauthorized } from '../errors/request.ts';
import { createCache } from '../store/cached.ts';
import type { Vault } from '../store/vault.ts';
import { LEEWAY_SECONDS } from './clock.ts';
import { pathOf, queryStringHash } from './connect/qsh.ts';
import type { Tenant, Tenants } from './tenants.ts';

/** The authenticated account and tenant of a request. */
export interface Caller {
  tenant: Tenant;
  /** The account id; `anonymous` for a user without an account. */
  account: string;
  /** The frame that the tracker showed to this account, by its token. */
  frame?: Frame;
}

export interface Frame {
  /** Id of the issue. */
  issue: string;
  /**
   * When the tracker showed it, in milliseconds since the epoch: the earliest time, as clocks may differ (`LEEWAY_SECONDS`).
   */
  shown: number;
}

/** Verifies tokens of each kind. Rejects with `Unauthorized`. */
export interface Tokens {
  /** Signed by the tracker for one request: page loads, webhooks. `url` is path and query. */
  request(token: string | undefined, method: string, url: string): Promise<Caller>;
  /** Signed by the tracker for the app's frame, which sends it to the server. */
  context(token: string | undefined): Promise<Caller>;
  /** Signed by this server (`issue`). */
  session(token: string | undefined): Promise<Caller>;
  /**
   * Whether this process has verified a token of the site that this one names, which it does not prove: a token of the tracker
   * by `iss`, a session by `aud`.
   */
  isOfKnownSite(token: string | undefined, by?: 'iss' | 'aud'): boolean;
  issue(caller: Caller, settings: ProductSettingsPayload): Promise<string>;
}

/** A session is valid a little longer than the client's refresh interval. */
const SESSION_SECONDS = 3_600;
const SESSION_TYPE = 'session+jwt';
const CONTEXT_HASH = 'context-qsh';
const MAX_CACHED_KEYS = 1_000;
const MAX_CACHED_SESSIONS = 10_000;
/** Applies to sites whose tokens were verified. */
const MAX_VERIFIED_SITES = 10_000;

const importHmacKey = (bytes: Uint8Array): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', Buffer.from(bytes), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

/** A token may be issued this far in the future, and may be valid for this long. */
const MAX_AHEAD_SECONDS = 60;
const MAX_LIFE_SECONDS = 3_600;

/**
 * Throws `Unauthorized` for a verified token that was issued in the future, or that is good for longer than an hour: the
 * platform's are good for minutes.
 */
export function refuseLifetime({ iat, exp = 0 }: JWTPayload): void {
  const nowSeconds = Date.now() / 1000;
  if (iat !== undefined && iat > nowSeconds + MAX_AHEAD_SECONDS) throw new Unauthorized('issued in the future');
  if (exp - (iat ?? nowSeconds + LEEWAY_SECONDS) > MAX_LIFE_SECONDS) throw new Unauthorized('good for too long');
}

const trackerClaims = v.object({
  exp: v.number(),
  qsh: v.string(),
  sub: v.optional(v.pipe(v.string(), v.regex(/^[\w:.-]{1,128}$/)), anonymous.id),
});

/** The issue of a frame (Connect, "Context JWT"). A page without an issue has none. */
const aboutIssue = v.object({
  context: v.object({ jira: v.object({ issue: v.object({ id: v.pipe(v.unknown(), v.toString()) }) }) }),
});

/** A frame in a session's claims; `shown` in seconds since the epoch. */
const ownClaims = v.object({ frame: v.optional(v.object({ issue: v.string(), shown: v.number() })) });

/** Claims of a verified session. */
interface VerifiedSession {
  tenant: string;
  epoch: string;
  account: string;
  frame: Frame | undefined;
  /** Seconds since the epoch. */
  exp: number;
}

const callerOf = (tenant: Tenant, { account, frame }: VerifiedSession): Caller => ({
  tenant,
  account,
  ...(frame && { frame }),
});

/** Converts every failure of `verify` to `Unauthorized`. */
async function guarded<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof Unauthorized) throw error;
    // The library's messages name the failed check, never the token.
    const reason = error instanceof Mismatch ? 'claims' : error instanceof Error ? error.message : 'unknown';
    // Signatures are verified first.
    throw new Unauthorized(reason, error instanceof errors.JWTExpired);
  }
}

/** Reads the claims of a token without verification, to find its key. */
function unverified(token: string | undefined): { token: string; claims: JWTPayload } {
  if (!token) throw new Unauthorized('no token', true);
  try {
    return { token, claims: decodeJwt(token) };
  } catch {
    throw new Unauthorized('not a token');
  }
}

export function createTokens(tenants: Tenants, vault: Vault, baseUrl: string): Tokens {
  const basePath = pathOf(baseUrl);

  async function tenantOf(claim: unknown): Promise<Tenant> {
    const tenant = typeof claim === 'string' ? await tenants.find(claim) : undefined;
    if (!tenant) throw new Unauthorized('unknown tenant');
    return tenant;
  }

  const verifiedSites = createCache<true>(MAX_VERIFIED_SITES);

  async function signedByTracker(
    sentToken: string | undefined,
    hash: string,
  ): Promise<Caller & { payload: JWTPayload }> {
    const { token, claims } = unverified(sentToken);
    const tenant = await tenantOf(claims.iss);
    const { secret } = tenant;
    if (secret === undefined) throw new Unauthorized('no secret');
    return guarded(async () => {
      const key = new TextEncoder().encode(secret);
      const verified = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        issuer: tenant.id,
        clockTolerance: LEEWAY_SECONDS,
      });
      refuseLifetime(verified.payload);
      const { qsh, sub } = parseAs(trackerClaims, verified.payload);
      if (qsh !== hash) throw new Unauthorized('query string hash');
      verifiedSites.set(tenant.id, true);
      return { tenant, account: sub, payload: verified.payload };
    });
  }

  const sessionKeys = createCache<CryptoKey>(MAX_CACHED_KEYS);
  /**
   * Derived from the epoch, so that no session outlives its installation, and from the vault's key of this id; without
   * one, and for an unknown one, from the newest key.
   */
  async function sessionKey({ id, epoch }: Tenant, keyId: string | undefined): Promise<CryptoKey> {
    const purpose = `session ${id} ${epoch}`;
    const place = Math.max(0, vault.ids.indexOf(keyId ?? ''));
    const cachedKey = sessionKeys.get(`${place} ${purpose}`);
    if (cachedKey) return cachedKey;
    const derived = vault.derive(purpose);
    const key = await importHmacKey(derived[place] ?? derived[0]);
    sessionKeys.set(`${place} ${purpose}`, key);
    return key;
  }

  /** Verified sessions by the hash of their tokens, valid until they expire and while their installation lasts. */
  const verifiedSessions = createCache<VerifiedSession>(MAX_CACHED_SESSIONS);
  const hashOf = (token = '') => createHash('sha256').update(token).digest('base64');
  const verified = (token: string | undefined): VerifiedSession | undefined => {
    const cachedSession = verifiedSessions.get(hashOf(token));
    return cachedSession && cachedSession.exp + LEEWAY_SECONDS > Date.now() / 1000 ? cachedSession : undefined;
  };

  return {
    async request(token, method, url) {
      const { tenant, account } = await signedByTracker(token, queryStringHash(method, url, basePath));
      return { tenant, account };
    },
    async context(token) {
      const { tenant, account, payload } = await signedByTracker(token, CONTEXT_HASH);
      const about = readAs(aboutIssue, payload);
      if (!about) return { tenant, account };
      const shown = ((payload.iat ?? 0) - LEEWAY_SECONDS) * 1000;
      return { tenant, account, frame: { issue: about.context.jira.issue.id, shown } };
    },
    isOfKnownSite(given, by = 'iss') {
      try {
        const site = unverified(given).claims[by];
        return typeof site === 'string' && verifiedSites.has(site);
      } catch {
        return false;
      }
    },
    async session(sentToken) {
      const hash = hashOf(sentToken);
      const cachedSession = verified(sentToken);
      if (cachedSession) {
        const tenant = await tenantOf(cachedSession.tenant);
        if (tenant.epoch === cachedSession.epoch) return callerOf(tenant, cachedSession);
      }
      const { token, claims } = unverified(sentToken);
      const tenant = await tenantOf(claims.aud);
      return guarded(async () => {
        const { payload } = await jwtVerify(token, ({ kid }) => sessionKey(tenant, kid), {
          algorithms: ['HS256'],
          issuer: edition.key,
          audience: tenant.id,
          typ: SESSION_TYPE,
          clockTolerance: LEEWAY_SECONDS,
        });
        const { sub: account, exp } = parseSession(payload);
        const { frame } = parseAs(ownClaims, payload);
        const session = {
          ...{ tenant: tenant.id, epoch: tenant.epoch, account, exp },
          frame: frame && { ...frame, shown: frame.shown * 1000 },
        };
        verifiedSessions.set(hash, session);
        verifiedSites.set(tenant.id, true);
        return callerOf(tenant, session);
      });
    },
    async issue({ tenant, account, frame }, settings) {
      const siteClaims: Pick<SessionPayload, 'site' | 'settings'> = { site: tenant.url, settings };
      const nowSeconds = Math.floor(Date.now() / 1000);
      const claims = frame && { frame: { ...frame, shown: Math.floor(frame.shown / 1000) } };
      return new SignJWT({ ...siteClaims, ...claims })
        .setProtectedHeader({ alg: 'HS256', typ: SESSION_TYPE, kid: vault.ids[0] })
        .setIssuer(edition.key)
        .setAudience(tenant.id)
        .setSubject(account)
        .setIssuedAt(nowSeconds)
        .setExpirationTime(nowSeconds + SESSION_SECONDS)
        .sign(await sessionKey(tenant, vault.ids[0]));
    },
  };
}

/** The token of an `Authorization: JWT {token}` header. */
export const tokenOf = (authorization: string | undefined): string | undefined =>
  /^JWT\s+(\S+)$/i.exec(authorization ?? '')?.[1];
