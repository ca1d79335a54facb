import type { Tx } from './tables.ts';

/** Locks a tenant's small lists, such as templates or API tokens, until the end of the transaction. */
export async function lockTenant(tx: Tx, tenant: string): Promise<void> {
  await tx.selectFrom('tenant').select('tenant').where('tenant', '=', tenant).forUpdate().execute();
}
