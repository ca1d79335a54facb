import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { readAs } from '../domain/shape.ts';
import type { Addon, Installed } from './connect/addon.ts';
import type { WebhookModule } from './connect/descriptor.ts';
import { basePathOf, fillVariables } from './connect/frames.ts';
import { ask } from './connect/http.ts';
import { signRequest } from './connect/tokens.ts';
import { createDeliveries } from './faults/deliveries.ts';
import type { Faults } from './faults/faults.ts';
import { errorText, type Log } from './log.ts';
import type { Issue, Project } from './site/model.ts';

export type WebhookEvent =
  | 'jira:issue_created'
  | 'jira:issue_updated'
  | 'jira:issue_deleted'
  | 'issue_property_set'
  | 'issue_property_deleted';

export interface TrackerEvent {
  event: WebhookEvent;
  issue: Issue;
  project: Project;
  /** Account id of the actor. */
  actor: string;
  /** The event's own part of the body. */
  body: Record<string, unknown>;
}

export interface Webhooks {
  /** Sends it to each add-on asynchronously, in the issue's order. */
  send(trackerEvent: TrackerEvent): void;
  /** Resolves when no webhook is pending. */
  idle(): Promise<void>;
}

/** Statuses after which a webhook is retried. */
export const isRetriedStatus = (status: number) => [408, 409, 425, 429].includes(status) || status >= 500;

/** `pauses` are the milliseconds before each further try. */
export function createWebhooks({
  addons,
  faults,
  log,
  onDelivered = () => {},
  pauses = [500, 2_000, 8_000],
}: {
  addons: readonly Addon[];
  faults: Faults;
  log: Log;
  /** Called with each delivered webhook. */
  onDelivered?: ((trackerEvent: TrackerEvent) => void) | undefined;
  pauses?: number[];
}): Webhooks {
  const deliveries = createDeliveries(faults);
  return {
    send(trackerEvent) {
      const modulesByAddon = addons.map(addon => ({ addon, modules: modulesFor(addon, trackerEvent) }));
      if (modulesByAddon.every(({ modules }) => modules.length === 0)) return;
      const fault = faults.ofWebhook(`${trackerEvent.event} ${trackerEvent.issue.key}`);
      const timestamp = Date.now();
      for (const [number, { addon, modules }] of modulesByAddon.entries()) {
        if (modules.length === 0) continue;
        deliveries.add(`${number} ${trackerEvent.issue.id}`, fault, async () => {
          for (const module of modules) await deliver(addon, module, trackerEvent, timestamp);
        });
      }
    },
    idle: deliveries.idle,
  };

  async function deliver(
    addon: Addon,
    module: WebhookModule,
    trackerEvent: TrackerEvent,
    timestamp: number,
  ): Promise<void> {
    for (let tries = 0; ; tries++) {
      const installed = addon.installed();
      if (!installed) return;
      const outcome = await post(installed, module, trackerEvent, timestamp);
      if (outcome === undefined) return onDelivered(trackerEvent);
      if (outcome.lost) await addon.check();
      const pause = pauses[tries];
      if (!outcome.again || pause === undefined) {
        log.warn(`Webhook ${trackerEvent.event} of ${trackerEvent.issue.key} failed: ${outcome.reason}`);
        return;
      }
      await sleep(outcome.lost ? 0 : pause);
    }
  }
}

const modulesFor = (addon: Addon, { event }: TrackerEvent): WebhookModule[] =>
  addon.installed()?.descriptor.modules.webhooks.filter(module => module.event === event) ?? [];

const propertyBody = v.object({ property: v.object({ key: v.string() }) });

/** The variable of an event about a property. */
function propertyOf(body: Record<string, unknown>): Record<string, string> {
  const about = readAs(propertyBody, body);
  return about ? { 'property.key': about.property.key } : {};
}

/** Posts once; `undefined` on success. */
async function post(
  { descriptor, shared }: Installed,
  module: WebhookModule,
  { event, issue, project, actor, body }: TrackerEvent,
  timestamp: number,
): Promise<{ again: boolean; lost: boolean; reason: string } | undefined> {
  const url = new URL(`${descriptor.baseUrl}${fillVariables(module.url, { issue, project }, propertyOf(body))}`);
  const jwt = await signRequest(shared, {
    method: 'POST',
    url: `${url.pathname}${url.search}`,
    basePath: basePathOf(descriptor),
    accountId: actor,
  });
  try {
    const answer = await ask(url.href, {
      method: 'POST',
      headers: { authorization: `JWT ${jwt}`, 'content-type': 'application/json' },
      ...(!module.excludeBody && { body: JSON.stringify({ timestamp, webhookEvent: event, ...body }) }),
    });
    if (answer.ok) return undefined;
    const lost = answer.status === 401;
    return { again: lost || isRetriedStatus(answer.status), lost, reason: `the add-on answers ${answer.status}` };
  } catch (error) {
    return { again: true, lost: false, reason: errorText(error) };
  }
}
