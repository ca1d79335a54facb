import { type CompiledQuery, sql } from 'kysely';
import { isBuiltIn } from '../../text/head.ts';
import { progressOf } from '../../text/progress.ts';
import type { StatusRegistry } from '../../text/status-registry.ts';
import type { Row } from '../../text/types.ts';
import { readText } from '../common/reading.ts';
import { registryPrint } from '../statuses/registries.ts';
import type { AssignedItemTable } from '../store/checklist-tables.ts';
import { CHANNEL, type LiveEvent } from '../store/live-events.ts';
import { builder, statement } from '../store/statement.ts';
import type { TenantIssue, Version } from './revisions.ts';

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

/** Accounts by the persistent ids of the rows that they assigned. */
export type Assigners = ReadonlyMap<string, string>;

/** Assignees by the persistent ids of their rows. */
type Assignees = ReadonlyMap<string, string>;

const assigneesIn = (rows: readonly Row[], { rows: ids }: Pick<Version, 'rows'>): Assignees =>
  new Map(
    rows.flatMap((row, index) =>
      row.kind === 'checkbox' && row.assignee !== undefined && ids[index] ? [[ids[index], row.assignee]] : [],
    ),
  );

/** Who assigned the rows whose assignees these revisions changed. */
export function assignersOf(
  before: Version | null,
  revisions: readonly (Version & { account: string })[],
  rowsOf: (text: string) => readonly Row[],
): Assigners {
  const assigneesOf = (version: Version) => assigneesIn(rowsOf(version.text), version);
  const assigners = new Map<string, string>();
  let previous = before ? assigneesOf(before) : undefined;
  for (const revision of revisions) {
    const assignees = assigneesOf(revision);
    for (const [id, assignee] of assignees) if (previous?.get(id) !== assignee) assigners.set(id, revision.account);
    previous = assignees;
  }
  return assigners;
}

/** An assigned item as the index stores it, apart from what the issue and the change say. */
export type AssignedItem = Pick<
  AssignedItemTable,
  'position' | 'row' | 'account' | 'text' | 'status' | 'checked' | 'mandatory' | 'due' | 'section'
>;

/** The assigned items of a checklist. `ids` are the persistent ids of its rows. */
export function assignedItems(rows: readonly Row[], ids: readonly string[]): AssignedItem[] {
  let section: string | null = null;
  const items: AssignedItem[] = [];
  for (const [position, row] of rows.entries()) {
    if (row.kind === 'header') section = row.words || null;
    else if (row.assignee !== undefined) {
      const { assignee: account, text, mandatory, dueDate: due = null } = row;
      const { slug: status, checked } = row.status;
      items.push({ position, row: ids[position] ?? null, account, text, status, checked, mandatory, due, section });
    }
  }
  return items;
}

/**
 * Updates the index of assigned items in the transaction that writes the checklist. It holds the lines of assigned items
 * with the headers above them, and no other text. `ids` are the rows' persistent ids. Issue keys and summaries are added
 * when they are first requested.
 */
function indexAssigned(
  { tenant, issue }: TenantIssue,
  project: string | undefined,
  rows: readonly Row[],
  ids: readonly string[],
  assigners: Assigners,
): CompiledQuery<unknown>[] {
  const items = assignedItems(rows, ids).map(item => ({
    ...item,
    assigner: (item.row !== null && assigners.get(item.row)) || null,
  }));
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

/** Counts the items with custom statuses, by slug. */
export function statusCounts(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (row.kind === 'header' || isBuiltIn(row.status)) continue;
    counts.set(row.status.slug, (counts.get(row.status.slug) ?? 0) + 1);
  }
  return counts;
}

/** Counts the items with custom statuses, in the transaction that writes the checklist. */
function countStatuses(
  { tenant, issue }: TenantIssue,
  rows: readonly Row[],
  statuses: StatusRegistry,
): CompiledQuery<unknown>[] {
  if (statuses.list.every(isBuiltIn)) return [];
  const cleared = clearStatuses({ tenant, issue });
  const values = [...statusCounts(rows)].map(([slug, items]) => ({ tenant, issue, slug, items }));
  return values.length > 0 ? [cleared, builder.insertInto('status_use').values(values).compile()] : [cleared];
}

/** What a search of checklists reads. */
interface Counts {
  items: number;
  open: number;
  mandatory: number;
  due: string | null;
}

/** The sources of a checklist's indexes: a revision, and a hash of the statuses. */
interface IndexedFrom {
  epoch: string;
  seq: number;
  registry: string;
}

/** Writes the counts, and what all indexes of the checklist were made of. */
const putCounts = statement((db, values: TenantIssue & Counts & IndexedFrom) => {
  const { tenant, issue, items, open, mandatory, due, epoch, seq, registry } = values;
  return db
    .updateTable('checklist')
    .set({ items, open, open_mandatory: mandatory, due })
    .set({ indexed_epoch: epoch, indexed_seq: seq, indexed_registry: registry })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue);
});

/** Counts a checklist's items for a search, and the first day on which an open one is due. */
export function countsOf(rows: readonly Row[]): Counts {
  const { total, checked, mandatoryOpen } = progressOf(rows);
  const days = rows.flatMap(row => (row.kind === 'checkbox' && !row.status.checked && row.dueDate ? row.dueDate : []));
  const due = days.reduce<string | null>((first, day) => (first === null || day < first ? day : first), null);
  return { items: total, open: total - checked, mandatory: mandatoryOpen, due };
}

/** Updates the indexes of assigned items, of custom statuses and of counts. */
export function indexRows(
  place: TenantIssue,
  { epoch, seq, text, rows: ids }: Version,
  { project, statuses }: { project: string | undefined; statuses: StatusRegistry },
  assigners: Assigners = new Map(),
): CompiledQuery<unknown>[] {
  const { rows } = readText(text, statuses);
  return [
    ...indexAssigned(place, project, rows, ids, assigners),
    ...countStatuses(place, rows, statuses),
    putCounts({ ...place, ...countsOf(rows), epoch, seq, registry: registryPrint(statuses) }),
  ];
}
