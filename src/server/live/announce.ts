import { sql } from 'kysely';
import type { Tx } from '../store/tables.ts';

/** What open panels and editors hear of. It bears no content: whoever hears it reads anew, under permissions of their own. */
export type LiveEvent =
  | { kind: 'checklist'; issue: string }
  | { kind: 'templates' }
  | { kind: 'statuses' }
  | { kind: 'settings' }
  | { kind: 'job'; job: string };

/** The channel that every process listens on. */
export const CHANNEL = 'checklist_live';

/** Tells all processes, once the transaction is committed. */
export async function announce(tx: Tx, tenant: string, event: LiveEvent): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify({ tenant, ...event })})`.execute(tx);
}
