import { createHash, randomBytes } from 'node:crypto';
import { isClientKey } from '../platform/tenants.ts';

/*
 * The text of an API token: a recognizable prefix, by which scanners of sources and logs find it; 256 random bits; and
 * the tenant, since every statement names one (docs/storage.md). Opaque to its holder.
 *
 * It is stored as a plain SHA-256. A slow hash protects secrets that people choose, which can be guessed from a list; to
 * guess 256 random bits is hopeless at any speed, and each request would pay for the slowness.
 */

const TOKEN_PREFIX = 'scl_';
const SECRET_BYTES = 32;
const format = /^scl_[\w-]{43}\.([\w-]{1,340})$/;

/** A new token of a tenant. */
export const newSecret = (tenant: string): string =>
  `${TOKEN_PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}.${Buffer.from(tenant).toString('base64url')}`;

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The tenant that a token names, which proves nothing; `undefined` for any other text. */
export function tenantIn(secret: string): string | undefined {
  const [, encoded] = format.exec(secret) ?? [];
  const tenant = encoded && Buffer.from(encoded, 'base64url').toString();
  return isClientKey(tenant) ? tenant : undefined;
}
