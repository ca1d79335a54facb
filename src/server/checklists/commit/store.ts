import { type CompiledQuery, sql } from 'kysely';
import { namedAuthor } from '../../../domain/person.ts';
import { digestKey, type Queue } from '../../queue/queue.ts';
import { CHANNEL, type LiveEvent } from '../../store/live-events.ts';
import { builder, statement } from '../../store/statement.ts';
import type { ChecklistIndex, ItemCounts } from '../decide/consequences.ts';
import { DIGEST_DELAY_MS, type Notice } from '../decide/row-events.ts';
import type { State } from '../decide/state.ts';
import type { Decision } from '../decide/types.ts';
import { CALLS_KEY } from '../decide/webhook-calls.ts';
import { addRevisions, putForeignPosition, putPosition, type TenantIssue } from '../read/revisions.ts';
import type { Site } from '../service/site.ts';
import type { ChecklistSource, Position } from '../service/types.ts';
import { makeDue } from './due.ts';

/** Deletes the issue's indexed items at other positions than these. */
const clearAssigned = statement<TenantIssue & { positions: number[] }>((db, { tenant, issue, positions }) =>
  db
    .deleteFrom('assigned_item')
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where(sql<boolean>`position <> all(${positions}::integer[])`),
);

const ITEM_COLUMNS = `"row" text, account text, text text, status text, checked boolean, mandatory boolean, due text, section text,
  assigner text`;
/** Columns that each change of the checklist decides. */
const decidedColumns = ['row', 'account', 'text', 'status', 'checked', 'mandatory', 'due', 'section'];
const quoted = (prefix: string) => decidedColumns.map(name => `${prefix}"${name}"`).join(', ');

/**
 * Writes the items that differ from the indexed ones. An item keeps its assigner if this change did not assign it; the
 * statement reads the rows as they were before it.
 */
const writeAssigned = statement<TenantIssue & { project: string | null; items: string }>(
  (db, { tenant, issue, project, items }) => ({
    compile: () =>
      sql`insert into assigned_item (tenant, issue, project, position, ${sql.raw(quoted(''))}, assigner)
        select ${tenant}, ${issue}, ${project}, item.position, ${sql.raw(quoted('item.'))}, coalesce(item.assigner, known.assigner)
        from jsonb_to_recordset(${items}::jsonb) as item(position integer, ${sql.raw(ITEM_COLUMNS)})
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

/** A notification of the database, which carries the live event, holds at most some 8,000 bytes. */
const MAX_NAMED_ASSIGNEES = 30;

/** Publishes a change to old and new assignees of items; has to run before the index is updated. */
const publish = statement<{ tenant: string; issue: string; payload: string; now: string }>(
  (db, { tenant, issue, payload, now }) => ({
    compile: () =>
      sql`select pg_notify(${CHANNEL}, jsonb_set(${payload}::jsonb, '{to}', coalesce((
        select jsonb_agg(account) from (
          select account from assigned_item where tenant = ${tenant} and issue = ${issue}
          union select jsonb_array_elements_text(${now}::jsonb) limit ${sql.lit(MAX_NAMED_ASSIGNEES)}
        ) assignee), '[]'::jsonb))::text)`.compile(db),
  }),
);

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

/** Writes the counts, with the sources of all indexes of the checklist: a revision, and a hash of the statuses. */
const putCounts = statement((db, values: TenantIssue & ItemCounts & Position & { registry: string }) => {
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
  { epoch, seq }: Position,
  { project, registry }: { project: string | undefined; registry: string },
  { assigned, counts, statuses }: ChecklistIndex,
): CompiledQuery<unknown>[] => [
  ...putAssigned(place, project, assigned),
  ...putStatuses(place, statuses),
  putCounts({ ...place, ...counts, epoch, seq, registry }),
];

/** Stores the issue's project, and its key, which changes with it. Of another project it is not known yet whether it has a portal. */
const putProject = statement(
  (db, { tenant, issue, project, key }: TenantIssue & { project: string; key: string | null }) =>
    db
      .updateTable('checklist')
      .set({ project, key, service: sql<boolean | null>`case when project = ${project} then service end` })
      .where('tenant', '=', tenant)
      .where('issue', '=', issue),
);

/** The size of a live event is limited. */
const MAX_NAMED_AUTHORS = 10;

/** Stores calls of webhooks, which a job sends. */
const addCalls = statement<{ tenant: string; calls: string }>((db, { tenant, calls }) => ({
  compile: () =>
    sql`insert into webhook_call (tenant, webhook, id, event, issue, body)
      select ${tenant}, call.webhook, call.id, call.event, call.issue, call.body
      from jsonb_to_recordset(${calls}::jsonb) as call(webhook text, id text, event text, issue text, body text)`.compile(
      db,
    ),
}));

/**
 * Stores notices, except for people who turned notifications off, for the issue or altogether. A notice that was sent
 * before, for an earlier assignment, is due again.
 */
const addNotices = statement<{ tenant: string; issue: string; notices: string }>((db, { tenant, issue, notices }) => ({
  compile: () =>
    sql`insert into notification (tenant, account, issue, "row", kind)
        select ${tenant}, notice.account, ${issue}, notice."row", notice.kind
        from jsonb_to_recordset(${notices}::jsonb) as notice(account text, "row" text, kind text)
        where not exists (select from notification_mute mute where mute.tenant = ${tenant} and mute.issue = ${issue}
            and mute.account = notice.account)
          and not exists (select from person where person.tenant = ${tenant} and person.account = notice.account
            and person.notify = 'OFF')
        on conflict (tenant, account, issue, "row", kind, due) do update set created = now(), sent = null
          where notification.sent is not null`.compile(db),
}));

const keyOf = ({ account, row, kind }: Notice): string => JSON.stringify([account, row, kind]);

/** Stores the calls of webhooks and the notifications, and enqueues the jobs that send them. */
function storeEvents(
  queue: Queue,
  place: TenantIssue,
  { calls, notices }: Pick<Decision, 'calls' | 'notices'>,
): CompiledQuery<unknown>[] {
  const { tenant } = place;
  const statements: CompiledQuery<unknown>[] = [];
  if (calls.length > 0) {
    statements.push(addCalls({ tenant, calls: JSON.stringify(calls) }));
    statements.push(queue.enqueue('send-webhooks', { tenant }, { after: 0, key: CALLS_KEY }));
  }
  if (notices.length > 0) {
    // Each once, as a statement may write a row once only.
    const distinct = [...new Map(notices.map(each => [keyOf(each), each]))]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, notice]) => notice);
    statements.push(addNotices({ ...place, notices: JSON.stringify(distinct) }));
    // In one order, as are the notices: changes that wait for each other's rows would end in a deadlock.
    for (const account of new Set(distinct.map(each => each.account))) {
      statements.push(
        queue.enqueue('send-digest', { tenant, account }, { after: DIGEST_DELAY_MS, key: digestKey(account) }),
      );
    }
  }
  return statements;
}

/** The values that are stored beside a decision. */
export interface DecisionDetails {
  project: string | undefined;
  key?: string | undefined;
  /** The hash of the statuses that the decision was made with. */
  registry: string;
  /** The source of a foreign change. If the app has written nothing to the issue yet, it does not start to. */
  unwritten?: ChecklistSource | undefined;
}

/** The statements that store a decision, and the milliseconds until a copy in the tracker is due. Needs the checklist's lock. */
export function storeDecision(
  { tenant, queue }: Site,
  place: TenantIssue,
  state: State,
  decision: Decision,
  { project, key, registry, unwritten }: DecisionDetails,
): { statements: CompiledQuery<unknown>[]; dueAfter?: number } {
  const { revisions, newest } = decision;
  const statements: CompiledQuery<unknown>[] = [];
  if (project !== (state.checklist?.project ?? undefined)) {
    if (project !== undefined) statements.push(putProject({ ...place, project, key: key ?? null }));
    // The old project may have had custom statuses, and the new one none.
    statements.push(clearStatuses(place));
  }
  const last = revisions.at(-1) ?? state.last;
  if (!newest || !last) return { statements };
  const index = putIndex(place, last, { project, registry }, newest.index);
  if (revisions.length === 0) return { statements: [...statements, ...index] };

  const { epoch, seq } = last;
  const by = [...new Set(revisions.map(({ account }) => namedAuthor(account)))].slice(0, MAX_NAMED_AUTHORS);
  const event: LiveEvent = { kind: 'checklist', issue: place.issue, by, epoch, seq };
  const assignees = [...new Set(newest.index.assigned.map(({ account }) => account))];
  statements.push(
    publish({ ...place, payload: JSON.stringify({ tenant: place.tenant, ...event }), now: JSON.stringify(assignees) }),
    ...addRevisions(place, revisions),
    ...index,
    ...storeEvents(queue, place, decision),
  );
  if (unwritten && !state.checklist?.mirrored) {
    statements.push(putForeignPosition({ ...place, epoch, seq, source: unwritten }));
    return { statements };
  }
  const due = makeDue(queue, place, newest.verdict, state, { hasField: tenant.mirror !== 'none' });
  statements.push(putPosition({ ...place, epoch, seq }), ...due.statements);
  return { statements, dueAfter: due.after };
}
