import * as v from 'valibot';

/*
 * The API of the page: what apps sent, and the automation that calls them.
 */

/** `time` is an ISO time. */
const sent = { id: v.string(), time: v.string() };

/** A notification that an app sent about an issue, instead of an e-mail. */
const outboxNotification = v.object({
  ...sent,
  kind: v.literal('notification'),
  issue: v.string(),
  /** Names of the people who would get it, and of those who lack a permission that it asks for. */
  to: v.array(v.string()),
  withheld: v.array(v.string()),
  subject: v.string(),
  text: v.string(),
  html: v.string(),
});
export type OutboxNotification = v.InferOutput<typeof outboxNotification>;

/** A webhook that the receiver of this tracker got. */
const outboxWebhook = v.object({
  ...sent,
  kind: v.literal('webhook'),
  event: v.string(),
  delivery: v.string(),
  /** By the receiver's secret; `unchecked` without one. */
  signature: v.picklist(['valid', 'wrong', 'unchecked']),
  /** The token of the automation's trigger; empty without one. */
  token: v.string(),
  body: v.string(),
});
export type OutboxWebhook = v.InferOutput<typeof outboxWebhook>;

/**
 * GET /host/outbox: what apps sent, newest first; DELETE empties it. PUT sets the secret by which the receiver checks
 * signatures (empty: none), and the status that it answers. The receiver is POST /receiver.
 */
export const outboxShape = v.object({
  entries: v.array(v.variant('kind', [outboxNotification, outboxWebhook])),
  hasSecret: v.boolean(),
  status: v.number(),
});
export type HostOutbox = v.InferOutput<typeof outboxShape>;

export const outboxEdit = v.object({
  secret: v.exactOptional(v.string()),
  status: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599))),
});
export type HostOutboxEdit = v.InferOutput<typeof outboxEdit>;

/** POST /host/automation: sends a web request to an app, as the automation's action does. */
export const automationShape = v.object({
  address: v.string(),
  /** Sent as `Authorization: Bearer`, or used to sign the body. */
  secret: v.string(),
  signed: v.boolean(),
  body: v.string(),
});
export type HostAutomation = v.InferOutput<typeof automationShape>;

/** Its answer. */
export const automationAnswerShape = v.object({ status: v.number(), body: v.string() });
export type HostAutomationAnswer = v.InferOutput<typeof automationAnswerShape>;
