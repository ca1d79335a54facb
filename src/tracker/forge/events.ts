import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { readAs } from '../../domain/shape.ts';
import { accountOf } from '../apps.ts';
import { createDeliveries } from '../faults/deliveries.ts';
import type { Faults } from '../faults/faults.ts';
import { errorText, type Log } from '../log.ts';
import { isRetriedStatus, type TrackerEvent, type WebhookEvent } from '../webhooks.ts';
import type { Installed } from './installation.ts';
import type { Trigger } from './manifest.ts';
import { type ForgePlatform, keyOf } from './platform.ts';
import { callRemote } from './remote.ts';

/** An event for the app, by the triggers of its type. */
export interface ForgeEvent {
  /** Read anew for each attempt: the app may be uninstalled by then. */
  installed(): Installed | undefined;
  /** E.g. `avi:jira:updated:issue`. */
  eventType: string;
  /** Key of the issue that it is about. */
  issueKey?: string;
  /** Account id of the actor. */
  actor?: string;
  /** The event's own part of the body. */
  body: Record<string, unknown>;
}

/** The events and scheduled triggers of a site's app. */
export interface Events {
  publish(event: ForgeEvent): void;
  /** The hourly triggers. */
  tick(installed: () => Installed | undefined): void;
  /** The path of the endpoint. */
  pathOf(endpoint: string): string;
  /** Resolves when no event is pending. */
  idle(): Promise<void>;
}

/** The app's server must answer an event within this time. */
const EVENT_TIMEOUT_SECONDS = 5;

export const eventTypes: Record<WebhookEvent, string> = {
  'jira:issue_created': 'avi:jira:created:issue',
  'jira:issue_updated': 'avi:jira:updated:issue',
  'jira:issue_deleted': 'avi:jira:deleted:issue',
  issue_property_set: 'avi:jira:set:issue-property',
  issue_property_deleted: 'avi:jira:deleted:issue-property',
};

/** The fields of an issue that an event has; others are not in it. */
const EVENT_FIELDS = [
  'summary',
  'issuetype',
  'creator',
  'created',
  'project',
  'reporter',
  'assignee',
  'updated',
  'status',
];
const beanShape = v.looseObject({ fields: v.record(v.string(), v.unknown()) });

/** The issue of an event, with its few fields. */
function eventIssue(bean: unknown): unknown {
  const issue = readAs(beanShape, bean);
  if (!issue) return bean;
  const fields = Object.entries(issue.fields).filter(([id]) => EVENT_FIELDS.includes(id));
  return { ...issue, fields: Object.fromEntries(fields) };
}

const typeShape = v.object({ issue_event_type_name: v.string() });

/** A change of an issue as an event. */
export function eventOf(installed: ForgeEvent['installed'], { event, issue, actor, body }: TrackerEvent): ForgeEvent {
  const { issue: bean, changelog, property } = body;
  const typeName = readAs(typeShape, body)?.issue_event_type_name;
  return {
    installed,
    eventType: eventTypes[event],
    issueKey: issue.key,
    actor,
    body: {
      issue: eventIssue(bean),
      ...(typeName !== undefined && {
        eventTypeName: typeName,
        jiraEventTypeName: typeName,
        associatedUsers: [{ accountId: actor }],
      }),
      ...(changelog !== undefined && { changelog }),
      ...(property !== undefined && { property }),
    },
  };
}

/** `pauses` are the milliseconds before each further try; the vendor waits a minute before each of four. */
export function createEvents({
  platform,
  faults,
  log,
  pauses = [500, 2_000, 8_000, 30_000],
}: {
  platform: ForgePlatform;
  faults: Faults;
  log: Log;
  pauses?: readonly number[] | undefined;
}): Events {
  const { modules } = platform.manifest;
  const deliveries = createDeliveries(faults);
  const ownAccount = accountOf(keyOf(platform));
  const pathOf = (endpoint: string) => modules.endpoint.find(({ key }) => key === endpoint)?.route?.path ?? '/';

  async function deliver(
    installed: ForgeEvent['installed'],
    { type, key, endpoint }: { type: string; key: string; endpoint: string },
    what: string,
    body: Record<string, unknown>,
  ): Promise<void> {
    for (let tries = 0; ; tries++) {
      const current = installed();
      if (!current) return;
      const failure = await callRemote(platform, current, {
        ...{ endpoint, module: { type, key }, method: 'POST', path: pathOf(endpoint) },
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, ...(tries > 0 && { retryContext: { retryCount: tries } }) }),
        seconds: EVENT_TIMEOUT_SECONDS,
      }).then(
        ({ ok, status }) =>
          ok ? undefined : { again: isRetriedStatus(status), reason: `the app's server answers ${status}` },
        (error: unknown) => ({ again: true, reason: errorText(error) }),
      );
      if (!failure) return;
      const wait = pauses[tries];
      if (!failure.again || wait === undefined) {
        log.warn(`${what} was not delivered: ${failure.reason}`);
        return;
      }
      await pause(wait);
    }
  }

  /** Triggers that want it. */
  const wanting = ({ eventType, actor }: ForgeEvent): Trigger[] =>
    modules.trigger.filter(
      ({ events, filter }) => events.includes(eventType) && !(filter.ignoreSelf && actor === ownAccount),
    );

  return {
    pathOf,
    idle: deliveries.idle,
    publish(event) {
      const { installed, eventType, issueKey, actor, body } = event;
      const triggers = wanting(event);
      if (triggers.length === 0 || !installed()) return;
      const what = issueKey === undefined ? eventType : `${eventType} ${issueKey}`;
      const fault = faults.ofWebhook(what);
      const delay = issueKey === undefined ? 0 : platform.settings.eventDelayMs;
      const due = delay > 0 ? faults.sleep(delay) : Promise.resolve();
      const whole = {
        eventType,
        timestamp: String(platform.now()),
        ...(actor !== undefined && { atlassianId: actor, selfGenerated: actor === ownAccount }),
        ...body,
      };
      deliveries.add(issueKey ?? eventType, fault, async () => {
        await due;
        for (const { key, endpoint } of triggers)
          await deliver(installed, { type: 'trigger', key, endpoint }, what, whole);
      });
    },
    tick(installed) {
      for (const { key, endpoint } of modules.scheduledTrigger) {
        const what = `scheduledTrigger ${key}`;
        deliveries.add(what, faults.ofWebhook(what), () =>
          deliver(installed, { type: 'scheduledTrigger', key, endpoint }, what, { context: { moduleKey: key } }),
        );
      }
    },
  };
}
