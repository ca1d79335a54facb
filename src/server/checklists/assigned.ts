import type { CompiledQuery } from 'kysely';
import type { Row } from '../../text/types.ts';
import { builder, statement } from '../store/statement.ts';
import type { Place } from './revisions.ts';

const clear = statement((db, { tenant, issue }: Place) =>
  db.deleteFrom('assigned_item').where('tenant', '=', tenant).where('issue', '=', issue),
);

/**
 * Keeps the index of assigned items equal to a checklist that was written, in the same transaction. It holds the line
 * of each item that is somebody's, no other text. `project` is the issue's as it was found, `ids` are the rows' lasting ones.
 */
export function indexAssigned(
  { tenant, issue }: Place,
  project: string | undefined,
  rows: readonly Row[],
  ids: readonly string[],
): CompiledQuery<unknown>[] {
  const items = rows.flatMap((row, position) =>
    row.kind === 'checkbox' && row.assignee !== undefined
      ? {
          tenant,
          issue,
          project: project ?? null,
          position,
          row: ids[position] ?? null,
          account: row.assignee,
          text: row.text,
          status: row.status.slug,
          checked: row.status.checked,
          mandatory: row.mandatory,
          due: row.dueDate ?? null,
        }
      : [],
  );
  const cleared = clear({ tenant, issue });
  return items.length > 0 ? [cleared, builder.insertInto('assigned_item').values(items).compile()] : [cleared];
}
