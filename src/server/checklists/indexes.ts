import { type CompiledQuery, sql } from 'kysely';
import { isBuiltIn } from '../../text/head.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import type { Row } from '../../text/types.ts';
import { readText } from '../common/reading.ts';
import { CHANNEL, type LiveEvent } from '../store/live-events.ts';
import { builder, statement } from '../store/statement.ts';
import type { TenantIssue, Version } from './revisions.ts';

const clearAssigned = statement((db, { tenant, issue }: TenantIssue) =>
  db.deleteFrom('assigned_item').where('tenant', '=', tenant).where('issue', '=', issue),
);

/**
 * Updates the index of assigned items in the transaction that writes the checklist. It holds the lines of assigned items
 * and no other text. `ids` are the rows' persistent ids. Issue keys and summaries are added when they are first requested.
 */
function indexAssigned(
  { tenant, issue }: TenantIssue,
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
          called: null,
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
  const cleared = clearAssigned({ tenant, issue });
  return items.length > 0 ? [cleared, builder.insertInto('assigned_item').values(items).compile()] : [cleared];
}

/** Most assignees named in an event: a notification of the database holds at most some 8,000 bytes. */
const MAX_ASSIGNEES = 30;

const publish = statement<{ tenant: string; issue: string; payload: string; now: string }>(
  (db, { tenant, issue, payload, now }) => ({
    compile: () =>
      sql`select pg_notify(${CHANNEL}, jsonb_set(${payload}::jsonb, '{to}', coalesce((
        select jsonb_agg(account) from (
          select account from assigned_item where tenant = ${tenant} and issue = ${issue}
          union select jsonb_array_elements_text(${now}::jsonb) limit ${sql.lit(MAX_ASSIGNEES)}
        ) assignee), '[]'::jsonb))::text)`.compile(db),
  }),
);

/** Publishes a change to old and new assignees of items; has to run before the index is updated. */
export function announceAssigned(
  { tenant, issue }: TenantIssue,
  event: Extract<LiveEvent, { kind: 'checklist' }>,
  rows: readonly Row[],
): CompiledQuery<unknown> {
  const now = rows.flatMap(row => (row.kind === 'checkbox' && row.assignee !== undefined ? row.assignee : []));
  return publish({
    tenant,
    issue,
    payload: JSON.stringify({ tenant, ...event }),
    now: JSON.stringify([...new Set(now)]),
  });
}

/** Deletes the issue's counts. */
export const clearStatuses = statement((db, { tenant, issue }: TenantIssue) =>
  db.deleteFrom('status_use').where('tenant', '=', tenant).where('issue', '=', issue),
);

/** Counts the items with custom statuses, in the transaction that writes the checklist. */
function countStatuses(
  { tenant, issue }: TenantIssue,
  rows: readonly Row[],
  statuses: StatusRegistry,
): CompiledQuery<unknown>[] {
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

/** Updates the indexes of assigned items and of custom statuses. */
export function indexRows(
  place: TenantIssue,
  { text, rows: ids }: Version,
  { project, statuses }: { project: string | undefined; statuses: StatusRegistry },
): CompiledQuery<unknown>[] {
  const { rows } = readText(text, statuses);
  return [...indexAssigned(place, project, rows, ids), ...countStatuses(place, rows, statuses)];
}
