import { type CompiledQuery, sql } from 'kysely';
import { CHANNEL, type LiveEvent } from '../../store/live-events.ts';
import { builder, statement } from '../../store/statement.ts';
import type { ChecklistIndex, ItemCounts } from '../decide/index-rows.ts';
import type { TenantIssue, Version } from '../revisions.ts';

/** Deletes the issue's indexed items at other positions than these. */
const clearAssigned = statement<TenantIssue & { positions: number[] }>((db, { tenant, issue, positions }) =>
  db
    .deleteFrom('assigned_item')
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where(sql<boolean>`position <> all(${positions}::integer[])`),
);

const COLUMNS = `"row" text, account text, text text, status text, checked boolean, mandatory boolean, due text, section text,
  assigner text`;
/** Columns that each change of the checklist decides. */
const decided = ['row', 'account', 'text', 'status', 'checked', 'mandatory', 'due', 'section'];
const quoted = (prefix: string) => decided.map(name => `${prefix}"${name}"`).join(', ');

/**
 * Writes the items that differ from the indexed ones. An item keeps its assigner where this change did not assign it; the
 * statement reads the rows as they were before it.
 */
const writeAssigned = statement<TenantIssue & { project: string | null; items: string }>(
  (db, { tenant, issue, project, items }) => ({
    compile: () =>
      sql`insert into assigned_item (tenant, issue, project, position, ${sql.raw(quoted(''))}, assigner)
        select ${tenant}, ${issue}, ${project}, item.position, ${sql.raw(quoted('item.'))}, coalesce(item.assigner, known.assigner)
        from jsonb_to_recordset(${items}::jsonb) as item(position integer, ${sql.raw(COLUMNS)})
        left join assigned_item known on known.tenant = ${tenant} and known.issue = ${issue}
          and known."row" = item."row" and known.account = item.account
        on conflict (tenant, issue, position) do update set project = coalesce(excluded.project, assigned_item.project),
          (${sql.raw(quoted(''))}, assigner) = row(${sql.raw(quoted('excluded.'))}, excluded.assigner)
        where (${sql.raw(quoted('assigned_item.'))}, assigned_item.assigner)
            is distinct from (${sql.raw(quoted('excluded.'))}, excluded.assigner)
          or assigned_item.project is distinct from coalesce(excluded.project, assigned_item.project)`.compile(db),
  }),
);

/**
 * Updates the index of assigned items in the transaction that writes the checklist. It holds the lines of assigned items
 * with the headers above them, and no other text. Issue keys and summaries are added when they are first requested.
 */
function putAssigned(
  { tenant, issue }: TenantIssue,
  project: string | undefined,
  items: ChecklistIndex['assigned'],
): CompiledQuery<unknown>[] {
  const cleared = clearAssigned({ tenant, issue, positions: items.map(({ position }) => position) });
  if (items.length === 0) return [cleared];
  return [writeAssigned({ tenant, issue, project: project ?? null, items: JSON.stringify(items) }), cleared];
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
  { assigned }: ChecklistIndex,
): CompiledQuery<unknown> {
  return publish({
    tenant,
    issue,
    payload: JSON.stringify({ tenant, ...event }),
    now: JSON.stringify([...new Set(assigned.map(({ account }) => account))]),
  });
}

/** Deletes the issue's counts. */
export const clearStatuses = statement((db, { tenant, issue }: TenantIssue) =>
  db.deleteFrom('status_use').where('tenant', '=', tenant).where('issue', '=', issue),
);

/** Stores the numbers of items with custom statuses. */
function putStatuses({ tenant, issue }: TenantIssue, counts: ChecklistIndex['statuses']): CompiledQuery<unknown>[] {
  if (!counts) return [];
  const cleared = clearStatuses({ tenant, issue });
  const values = counts.map(([slug, items]) => ({ tenant, issue, slug, items }));
  return values.length > 0 ? [cleared, builder.insertInto('status_use').values(values).compile()] : [cleared];
}

/** The sources of a checklist's indexes: a revision, and a hash of the statuses. */
interface IndexedFrom {
  epoch: string;
  seq: number;
  registry: string;
}

/** Writes the counts, and what all indexes of the checklist were made of. */
const putCounts = statement((db, values: TenantIssue & ItemCounts & IndexedFrom) => {
  const { tenant, issue, items, open, mandatory, due, epoch, seq, registry } = values;
  return db
    .updateTable('checklist')
    .set({ items, open, open_mandatory: mandatory, due })
    .set({ indexed_epoch: epoch, indexed_seq: seq, indexed_registry: registry })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue);
});

/** Updates the indexes of assigned items, of custom statuses and of counts. */
export const putIndex = (
  place: TenantIssue,
  { epoch, seq }: Pick<Version, 'epoch' | 'seq'>,
  { project, registry }: { project: string | undefined; registry: string },
  { assigned, counts, statuses }: ChecklistIndex,
): CompiledQuery<unknown>[] => [
  ...putAssigned(place, project, assigned),
  ...putStatuses(place, statuses),
  putCounts({ ...place, ...counts, epoch, seq, registry }),
];
