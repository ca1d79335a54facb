import { createHash } from 'node:crypto';
import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Requests a minute. A person works with a handful of frames; the tracker calls for a whole site at once. */
const PER_TOKEN = 600;
const PER_ADDRESS = 1_200;

/** A person's token, since behind a proxy everybody has one address. Hashed: limits are kept in memory. */
const tokenHash = ({ headers, ip }: FastifyRequest): string =>
  createHash('sha256')
    .update(headers.authorization ?? ip)
    .digest('base64');

/** Route configurations: which of the two limits holds. */
export const limited = {
  byToken: { rateLimit: { max: PER_TOKEN, keyGenerator: tokenHash } satisfies RateLimitOptions },
  byAddress: { rateLimit: { max: PER_ADDRESS } satisfies RateLimitOptions },
};

/** Rate limits for the routes that ask for them; pages and assets are left to the proxy. */
export async function registerLimits(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false, timeWindow: '1 minute' });
}
