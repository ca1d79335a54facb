import type { Tx } from '../store/tables.ts';
import type { TenantIssue } from './revisions.ts';

/**
 * Drops what is kept of an issue that is deleted, or has not been shown to us for long: how far its copies are, and what
 * is looked up by its items. Its history and where that ends stay for as long as any history does (`prune`); without one
 * there is nothing to keep. Should it come back, it is found as in a project new to it, and so indexed again.
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
    .updateTable('checklist')
    .set({ project: null })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .execute();
}
