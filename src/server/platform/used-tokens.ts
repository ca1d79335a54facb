import { sql } from 'kysely';
import { Unauthorized } from '../errors/request.ts';
import type { Tx } from '../store/tables.ts';

/** A token that is good once: its hash, and when it expires. */
export interface UsedToken {
  hash: string;
  until: Date;
}

/**
 * Stores a token with what its request does. Rejects with `Unauthorized` where a request of any process used it before;
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
