import type { CompiledQuery } from 'kysely';
import { isBuiltIn } from '../../text/head.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import type { Row } from '../../text/types.ts';
import { builder, statement } from '../store/statement.ts';
import type { Place } from './revisions.ts';

/** The issue has none. */
export const clearStatuses = statement((db, { tenant, issue }: Place) =>
  db.deleteFrom('status_use').where('tenant', '=', tenant).where('issue', '=', issue),
);

/** Keeps count of the items that have statuses of a site's own, in the transaction that writes the checklist. */
export function countStatuses(
  { tenant, issue }: Place,
  rows: readonly Row[],
  statuses: StatusRegistry,
): CompiledQuery<unknown>[] {
  // A site without any has none to count, and pays for none.
  if (statuses.list.every(isBuiltIn)) return [];
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (row.kind === 'header' || isBuiltIn(row.status)) continue;
    counts.set(row.status.slug, (counts.get(row.status.slug) ?? 0) + 1);
  }
  const cleared = clearStatuses({ tenant, issue });
  const values = [...counts].map(([slug, items]) => ({ tenant, issue, slug, items }));
  return values.length > 0 ? [cleared, builder.insertInto('status_use').values(values).compile()] : [cleared];
}
