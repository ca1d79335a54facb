import type { CompiledQuery } from 'kysely';
import type { Row } from '../../../text/types.ts';
import { addNotices, DIGEST_DELAY, type Notice, noticesOf } from '../../events/notices.ts';
import { eventsBetween } from '../../events/row-events.ts';
import { addCalls, CALLS_KEY, type CalledWebhook, callsFor, type WaitingCall } from '../../events/webhook-calls.ts';
import { digestKey, type Queue } from '../../queue/queue.ts';
import type { Revision, TenantIssue, Version } from '../revisions.ts';

/** New revisions, and the version before them. */
interface Announced {
  webhooks: readonly CalledWebhook[];
  project: string | undefined;
  before: Version;
  revisions: readonly Revision[];
  of(text: string): readonly Row[];
}

/** Changes that are no news: they only write the text in another way, or take it over. */
const silent: readonly string[] = ['bringStatuses', 'inherited', 'erasePerson'];

const keyOf = ({ account, row, kind }: Notice): string => JSON.stringify([account, row, kind]);

/** The statements that enqueue webhooks and notifications for new revisions, in their transaction. */
export function announcing(
  queue: Queue,
  place: TenantIssue,
  { webhooks, project, before, revisions, of }: Announced,
): CompiledQuery<unknown>[] {
  const calls: WaitingCall[] = [];
  const notices: Notice[] = [];
  let last = before;
  for (const revision of revisions) {
    const { account, kind, epoch, seq } = revision;
    const [was, is] = [last, revision].map(({ text, rows }) => ({ rows: of(text), ids: rows }));
    last = revision;
    if (silent.includes(kind) || !was || !is) continue;
    const events = eventsBetween(was, is);
    calls.push(...callsFor(webhooks, { issue: place.issue, project, account, kind, epoch, seq, events }));
    notices.push(...noticesOf(events, account));
  }
  const { tenant } = place;
  const statements: CompiledQuery<unknown>[] = [];
  if (calls.length > 0) {
    statements.push(addCalls({ tenant, calls: JSON.stringify(calls) }));
    statements.push(queue.enqueue('send-webhooks', { tenant }, { after: 0, key: CALLS_KEY }));
  }
  if (notices.length > 0) {
    // One row for each, as the statement may write a row once only.
    const once = [...new Map(notices.map(each => [keyOf(each), each]))]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, notice]) => notice);
    statements.push(addNotices({ ...place, notices: JSON.stringify(once) }));
    // In one order, as are the notices: changes that wait for each other's rows would end in a deadlock.
    for (const account of new Set(once.map(each => each.account))) {
      statements.push(
        queue.enqueue('send-digest', { tenant, account }, { after: DIGEST_DELAY, key: digestKey(account) }),
      );
    }
  }
  return statements;
}
