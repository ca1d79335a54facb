import { type CompiledQuery, sql } from 'kysely';
import type { Row } from '../../text/types.ts';
import { CHANNEL, type LiveEvent } from '../live/announce.ts';
import { builder, statement } from '../store/statement.ts';
import type { Place } from './revisions.ts';

const clear = statement((db, { tenant, issue }: Place) =>
  db.deleteFrom('assigned_item').where('tenant', '=', tenant).where('issue', '=', issue),
);

/**
 * Keeps the index of assigned items equal to a checklist that was written, in the same transaction. It holds the line
 * of each item that is somebody's, no other text of the checklist. `project` is the issue's as it was found, `ids` are the
 * rows' lasting ones. What the issue is called is noted when somebody asks.
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
  const cleared = clear({ tenant, issue });
  return items.length > 0 ? [cleared, builder.insertInto('assigned_item').values(items).compile()] : [cleared];
}

/** People who are told that something has become of their items: the database passes on no more than some 8,000 bytes. */
const MOST_TOLD = 30;

const tell = statement<{ tenant: string; issue: string; payload: string; now: string }>(
  (db, { tenant, issue, payload, now }) => ({
    compile: () =>
      sql`select pg_notify(${CHANNEL}, jsonb_set(${payload}::jsonb, '{to}', coalesce((
        select jsonb_agg(account) from (
          select account from assigned_item where tenant = ${tenant} and issue = ${issue}
          union select jsonb_array_elements_text(${now}::jsonb) limit ${sql.lit(MOST_TOLD)}
        ) told), '[]'::jsonb))::text)`.compile(db),
  }),
);

/** Tells of a change all who have items there, and those who had some: to be sent before the index is written anew. */
export function announceAssigned(
  { tenant, issue }: Place,
  event: Extract<LiveEvent, { kind: 'checklist' }>,
  rows: readonly Row[],
): CompiledQuery<unknown> {
  const now = rows.flatMap(row => (row.kind === 'checkbox' && row.assignee !== undefined ? row.assignee : []));
  return tell({ tenant, issue, payload: JSON.stringify({ tenant, ...event }), now: JSON.stringify([...new Set(now)]) });
}
