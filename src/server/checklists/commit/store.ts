import { type CompiledQuery, sql } from 'kysely';
import { namedAuthor } from '../../../domain/person.ts';
import { DIGEST_DELAY, type Notice } from '../../events/notices.ts';
import { CALLS_KEY } from '../../events/webhook-calls.ts';
import { digestKey, type Queue } from '../../queue/queue.ts';
import { statement } from '../../store/statement.ts';
import { markDue } from '../copies/due.ts';
import type { State } from '../decide/state.ts';
import type { Decision } from '../decide/types.ts';
import { putProject } from '../project.ts';
import { addRevisions, putForeignPosition, putPosition, type TenantIssue } from '../revisions.ts';
import type { Site } from '../site.ts';
import type { ChecklistSource } from '../types.ts';
import { announceAssigned, clearStatuses, putIndex } from './indexes.ts';

/** How many authors a live event names: its size is limited. */
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
        queue.enqueue('send-digest', { tenant, account }, { after: DIGEST_DELAY, key: digestKey(account) }),
      );
    }
  }
  return statements;
}

/** What is stored with a decision. */
export interface StoredWith {
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
  { project, key, registry, unwritten }: StoredWith,
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
  const event = { kind: 'checklist', issue: place.issue, by, epoch, seq } as const;
  statements.push(
    announceAssigned(place, event, newest.index),
    ...addRevisions(place, revisions),
    ...index,
    ...storeEvents(queue, place, decision),
  );
  if (unwritten && !state.checklist?.mirrored) {
    statements.push(putForeignPosition({ ...place, epoch, seq, source: unwritten }));
    return { statements };
  }
  const due = markDue(place, newest.verdict, state, tenant.mirror !== 'none');
  const job = queue.enqueue('sync', place, { after: due.after, key: place.issue });
  statements.push(putPosition({ ...place, epoch, seq }), due.statement, job);
  return { statements, dueAfter: due.after };
}
