import { readChecklist } from '../../text/read.ts';
import type { Tx } from '../store/tables.ts';
import type { Place, Version } from './revisions.ts';

/**
 * Keeps the index of assigned items equal to a checklist that was written, in the same transaction. It holds the line
 * of each item that is somebody's, no other text.
 */
export async function indexAssigned(
  tx: Tx,
  { tenant, issue }: Place,
  { text, rows }: Pick<Version, 'text' | 'rows'>,
): Promise<void> {
  await tx.deleteFrom('assigned_item').where('tenant', '=', tenant).where('issue', '=', issue).execute();
  const items = readChecklist(text).rows.flatMap((row, position) =>
    row.kind === 'checkbox' && row.assignee !== undefined
      ? {
          tenant,
          issue,
          position,
          row: rows[position] ?? null,
          account: row.assignee,
          text: row.text,
          status: row.status.slug,
          checked: row.status.checked,
          mandatory: row.mandatory,
          due: row.dueDate ?? null,
        }
      : [],
  );
  if (items.length > 0) await tx.insertInto('assigned_item').values(items).execute();
}
