/*
 * Webhooks: calls of an address after a change of a checklist ("outgoing"), and addresses by which other programs change
 * checklists ("incoming").
 */

/** The events that call an outgoing webhook. */
export const webhookEvents = ['item.completed', 'item.reopened', 'checklist.completed', 'checklist.changed'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The actions of an incoming webhook. */
export const webhookActions = ['addItems', 'applyTemplate', 'setStatus', 'complete', 'clear'] as const;
export type WebhookAction = (typeof webhookActions)[number];

export const webhookDirections = ['OUTGOING', 'INCOMING'] as const;
export type WebhookDirection = (typeof webhookDirections)[number];

/** Limits of the webhooks of a site, and of the projects of one webhook. */
export const MAX_WEBHOOKS = 50;
export const MAX_WEBHOOK_PROJECTS = 50;

/** Whether two addresses of receivers are of the same server. A receiver's secret and token are not for another server. */
export const isSameReceiver = (url: string, other: string): boolean => {
  const [origin, otherOrigin] = [url, other].map(each => (URL.canParse(each) ? new URL(each).origin : each));
  return origin === otherOrigin;
};

/** The names of the headers of a call, in both directions. */
export const webhookHeaders = {
  /** `t={seconds},v1={hex}`: HMAC-SHA256 of `{seconds}.{body}` with the webhook's secret. */
  signature: 'smart-checklist-signature',
  /** The call's id, the same in each try. */
  delivery: 'smart-checklist-delivery',
  event: 'smart-checklist-event',
  /** The header by which Jira's automation recognises a call of its trigger "Incoming webhook". */
  token: 'x-automation-webhook-token',
} as const;

/** The signature's time may differ from the receiver's clock by this much. */
export const SIGNATURE_WINDOW_SECONDS = 300;
