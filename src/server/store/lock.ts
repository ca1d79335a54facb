import type { Tx } from './tables.ts';

/** Locks what a tenant has few of, such as its templates or API tokens, until the end of the transaction. */
export async function lockTenant(tx: Tx, tenant: string): Promise<void> {
  await tx.selectFrom('tenant').select('tenant').where('tenant', '=', tenant).forUpdate().execute();
}
