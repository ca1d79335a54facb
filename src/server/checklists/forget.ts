import type { Tx } from '../store/tables.ts';
import type { Place } from './revisions.ts';

/** Drops what is kept of an issue that is gone, its storages and whose items it had. Its history stays for as long as any. */
export async function forget(tx: Tx, { tenant, issue }: Place): Promise<void> {
  for (const table of [
    'intent',
    'mirror',
    'echo',
    'sighting',
    'assigned_item',
    'status_use',
    'template_use',
  ] as const) {
    await tx.deleteFrom(table).where('tenant', '=', tenant).where('issue', '=', issue).execute();
  }
}
