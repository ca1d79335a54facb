import { sql } from 'kysely';
import { Unauthorized } from '../errors/request.ts';
import type { Tx } from '../store/tables.ts';
import { hashText } from '../text-workers/hash.ts';
import { LEEWAY_SECONDS } from './clock.ts';

/** A token that is good once: its hash, and when it expires. */
export interface UsedToken {
  hash: string;
  until: Date;
}

/**
 * A verified token as one that is good once, with its `exp` in seconds since the epoch. What is signed identifies it: a
 * signature can be spelled in several ways, by padding and by the unused bits of its last character.
 */
export const usedToken = (token: string, exp: number): UsedToken => ({
  hash: hashText(token.slice(0, token.lastIndexOf('.'))),
  until: new Date((exp + LEEWAY_SECONDS) * 1000),
});

/**
 * Stores a token with what its request does. Rejects with `Unauthorized` if a request of any process used it before;
 * one that failed did not.
 */
export async function redeemToken(tx: Tx, tenant: string, { hash, until }: UsedToken): Promise<void> {
  await tx.deleteFrom('used_token').where('tenant', '=', tenant).where('until', '<', sql<Date>`now()`).execute();
  const stored = await tx
    .insertInto('used_token')
    .values({ tenant, hash, until })
    .onConflict(conflict => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst();
  if (!stored) throw new Unauthorized('used before');
}
