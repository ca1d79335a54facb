import { createHash } from 'node:crypto';
import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

/** Requests per minute. A user has a few frames; the tracker sends the calls of a whole site from one address. */
const PER_TOKEN = 600;
const PER_ADDRESS = 1_200;

/** The user's token, since all users behind a proxy have one address. Hashed, because limits are in memory. */
const tokenHash = ({ headers, ip }: FastifyRequest): string =>
  createHash('sha256')
    .update(headers.authorization ?? ip)
    .digest('base64');

/** Route configurations for the two limits. */
export const limited = {
  byToken: { rateLimit: { max: PER_TOKEN, keyGenerator: tokenHash } satisfies RateLimitOptions },
  byAddress: { rateLimit: { max: PER_ADDRESS } satisfies RateLimitOptions },
};

/** Requests per minute of an API token, and of all API tokens of a site; and of an address with invalid tokens. */
const PER_API_TOKEN = 300;
const PER_SITE = 1_200;
const PER_INVALID = 60;
/** Most addresses that are blocked at a time. */
const MOST_BLOCKED = 10_000;

/** Counts a request; resolves with what is left of a minute's requests. */
export type Limiter = (request: FastifyRequest) => Promise<{
  max: number;
  remaining: number;
  /** Seconds until the minute ends. */
  reset: number;
  isExceeded: boolean;
}>;

/** The limits of the REST API, shared by all of its routes. */
export interface ApiLimits {
  token: Limiter;
  site: Limiter;
  /** Requests with an invalid token, by address. */
  invalid: Limiter;
  /** Seconds for which an address is blocked since it has sent more of them; 0 where it is not. Counts nothing. */
  blockedFor(request: FastifyRequest): number;
}

/** `callerOf` names the token and tenant of a request. */
export function createApiLimits(
  app: FastifyInstance,
  callerOf: (request: FastifyRequest) => { token: string; tenant: string },
): ApiLimits {
  const limiter = (max: number, keyGenerator: (request: FastifyRequest) => string): Limiter => {
    const count = app.createRateLimit({ max, timeWindow: WINDOW, keyGenerator });
    return async request => {
      const counted = await count(request);
      if (counted.isAllowed) throw new Error('No request is exempt from the limits.');
      const { remaining, ttlInSeconds: reset, isExceeded } = counted;
      return { max, remaining, reset, isExceeded };
    };
  };
  const invalid = limiter(PER_INVALID, ({ ip }) => `invalid ${ip}`);
  const blocked = new LRUCache<string, true>({ max: MOST_BLOCKED });
  return {
    token: limiter(PER_API_TOKEN, request => `token ${callerOf(request).token}`),
    site: limiter(PER_SITE, request => `site ${callerOf(request).tenant}`),
    async invalid(request) {
      const counted = await invalid(request);
      if (counted.isExceeded) blocked.set(request.ip, true, { ttl: Math.max(1, counted.reset) * 1000 });
      return counted;
    },
    blockedFor: ({ ip }) => Math.max(0, Math.ceil(blocked.getRemainingTTL(ip) / 1000)),
  };
}

const WINDOW = '1 minute';

/** Limit of a body in bytes: two checklists of the maximum size, with each character escaped. */
export const CHECKLIST_BODY = 524_288;

/** Registers rate limits for the routes that configure them; the proxy limits pages and assets. */
export async function registerLimits(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false, timeWindow: WINDOW });
}
