import type { Tx } from '../store/tables.ts';
import type { TenantIssue } from './revisions.ts';

/** Tables whose rows of an issue are deleted with it. */
const forgotten = ['sync', 'assigned_item', 'status_use', 'template_use', 'notification', 'notification_mute'] as const;

/**
 * Deletes the state of the copies, the indexes, the key and the notifications of an issue that is deleted, or was not
 * visible to the app for long. Its history stays for its retention (`prune`). An issue that becomes visible again counts as
 * moved to a new project, and is indexed again.
 */
export async function forget(tx: Tx, { tenant, issue }: TenantIssue): Promise<void> {
  for (const table of forgotten) {
    await tx.deleteFrom(table).where('tenant', '=', tenant).where('issue', '=', issue).execute();
  }
  await tx
    .deleteFrom('checklist')
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('seq', '=', 0)
    .execute();
  await tx
    .updateTable('conversion')
    .set({ follows: false })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .execute();
  await tx
    .updateTable('checklist')
    .set({ project: null, key: null })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .execute();
}
