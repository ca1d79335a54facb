import { sql } from 'kysely';
import type { Tx } from './tables.ts';

/**
 * Deletes the secrets and tokens of a tenant's webhooks at the end of its installation, and turns the webhooks off. Their
 * waiting calls are not sent.
 */
export async function endWebhookSecrets(tx: Tx, tenant: string): Promise<void> {
  await tx
    .updateTable('webhook')
    .set({ secret: null, token: null, enabled: false })
    .where('tenant', '=', tenant)
    .execute();
  await tx
    .updateTable('webhook_call')
    .set({ outcome: 'DROPPED', body: null, ended: sql<Date>`now()` })
    .where('tenant', '=', tenant)
    .where('outcome', 'is', null)
    .execute();
}
