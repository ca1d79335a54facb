import type { Tx } from '../store/tables.ts';
import type { TenantIssue } from './revisions.ts';

/**
 * Deletes the state of the copies and the indexes of an issue that is deleted, or was not visible to the app for long. Its
 * history stays for its retention (`prune`). An issue that becomes visible again counts as moved to a new project, and is
 * indexed again.
 */
export async function forget(tx: Tx, { tenant, issue }: TenantIssue): Promise<void> {
  for (const table of ['sync', 'assigned_item', 'status_use', 'template_use'] as const) {
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
    .set({ project: null })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .execute();
}
