import { createHash } from 'node:crypto';
import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

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

/** Registers rate limits for the routes that configure them; the proxy limits pages and assets. */
export async function registerLimits(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false, timeWindow: '1 minute' });
}
