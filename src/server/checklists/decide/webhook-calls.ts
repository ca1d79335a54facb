import * as v from 'valibot';
import type { WebhookEvent } from '../../../domain/automation/webhooks.ts';
import { programOf, ruleAccount } from '../../../domain/person.ts';
import { readEach } from '../../../domain/shape.ts';
import type { EventItem, RowEvents } from './row-events.ts';

/** An outgoing webhook as a change needs it. */
const webhookShape = v.object({
  id: v.string(),
  events: v.array(v.string()),
  /** Ids of projects; empty for all. */
  projects: v.array(v.string()),
  with_text: v.boolean(),
  automated: v.boolean(),
});
export type CalledWebhook = v.InferOutput<typeof webhookShape>;
/** The readable ones of some webhooks. */
export const calledWebhooksShape = v.pipe(
  v.array(v.unknown()),
  v.transform(rows => readEach(webhookShape, rows)),
);

/** Applies to the items that one call lists. */
const MAX_ITEMS = 100;

/** The change that a webhook is called for. */
export interface ChangedChecklist {
  issue: string;
  project: string | undefined;
  /** The author, a user or an automatic one. */
  account: string;
  /** The name of the change in the history. */
  kind: string;
  epoch: string;
  seq: number;
  events: RowEvents;
}

/** An item in a call: ids and values, its words only if the webhook has texts. */
const itemIn = ({ id, index, row, section }: EventItem, withText: boolean) => ({
  ...{ id, index, status: row.status.slug, completed: row.status.checked, mandatory: row.mandatory },
  assignee: row.assignee ?? null,
  due: row.dueDate ?? null,
  ...(withText && { text: row.words, section: section ?? null }),
});

/** Who made a change, in a call. */
function actorIn(account: string) {
  const isRule = account.startsWith(ruleAccount(''));
  return programOf(account) ?? (isRule ? { kind: 'rule' } : { kind: 'user', accountId: account });
}

/** The events of a change, with the items that each is about. */
function eventsOf({ completed, reopened, changed, isCompleted }: RowEvents): [WebhookEvent, EventItem[]][] {
  const events: [WebhookEvent, EventItem[], boolean][] = [
    ['item.completed', completed, completed.length > 0],
    ['item.reopened', reopened, reopened.length > 0],
    ['checklist.completed', [], isCompleted],
    ['checklist.changed', changed, true],
  ];
  return events.flatMap(([event, items, happened]) =>
    happened ? [[event, items] as [WebhookEvent, EventItem[]]] : [],
  );
}

/** A waiting call of a webhook, with its JSON. */
export interface WaitingCall {
  webhook: string;
  id: string;
  event: string;
  issue: string | null;
  body: string;
}

/** The body of a call. `issues` and `data` are where Jira's automation looks for issues and values. */
export const bodyOf = (call: { id: string; event: string; time: Date; issues: string[]; data: object }): string =>
  JSON.stringify({ ...call, time: call.time.toISOString() });

/**
 * The calls of the webhooks for a change. A change of another program, by an incoming webhook or an API token, is not sent
 * on, unless the webhook says so: two programs that answer each other would never end.
 */
export function callsFor(
  webhooks: readonly CalledWebhook[],
  change: ChangedChecklist,
  time: Date,
  newId: () => string,
): WaitingCall[] {
  const { issue, project, account, kind, epoch, seq, events } = change;
  return webhooks.flatMap(({ id: webhook, events: wanted, projects, with_text: withText, automated }) => {
    if (projects.length > 0 && !(project !== undefined && projects.includes(project))) return [];
    if (programOf(account) && !automated) return [];
    return eventsOf(events).flatMap(([event, items]): WaitingCall[] => {
      if (!wanted.includes(event)) return [];
      const id = newId();
      const data = {
        ...{ event, issue: { id: issue }, project: project === undefined ? null : { id: project } },
        ...{ actor: actorIn(account), change: kind, revision: { epoch, seq }, progress: events.progress },
        items: items.slice(0, MAX_ITEMS).map(item => itemIn(item, withText)),
        more: Math.max(0, items.length - MAX_ITEMS),
        ...(event === 'checklist.changed' && { removed: events.removed.slice(0, MAX_ITEMS) }),
      };
      return [{ webhook, id, event, issue, body: bodyOf({ id, event, time, issues: [issue], data }) }];
    });
  });
}

/** The key of the job that sends a tenant's waiting calls: one at a time, so that slow receivers delay nothing else. */
export const CALLS_KEY = 'webhooks';
