import * as v from 'valibot';
import { placeShape } from './modules.ts';
import { RULE_CONFIG_MAX_CHARS } from './workflow.ts';

/*
 * The API of the page: calls of frames on Forge, and settings of its platform.
 */

/** POST /host/forge/invoke: `invokeRemote` of a frame. */
export const invocationShape = v.object({
  place: placeShape,
  key: v.string(),
  issueKey: v.exactOptional(v.string()),
  projectKey: v.exactOptional(v.string()),
  /** Context of the dialog that the frame is in. */
  modal: v.optional(v.unknown()),
  path: v.pipe(v.string(), v.startsWith('/')),
  method: v.exactOptional(v.picklist(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  headers: v.exactOptional(v.record(v.string(), v.union([v.string(), v.array(v.string())]))),
  body: v.optional(v.unknown()),
});
export type HostInvocation = v.InferOutput<typeof invocationShape>;

/** Its answer. An error has no status: the app's server gave no valid answer. */
export const invokedShape = v.union([
  v.object({
    success: v.literal(true),
    payload: v.object({ status: v.number(), headers: v.record(v.string(), v.array(v.string())), body: v.unknown() }),
  }),
  v.object({ success: v.literal(false), error: v.object({ message: v.string() }) }),
]);
export type HostInvoked = v.InferOutput<typeof invokedShape>;

const EVENT_DELAY_MAX_MS = 180_000;

/** The vendor's states of a task. */
const fieldMove = v.picklist(['ENQUEUED', 'RUNNING', 'COMPLETE', 'FAILED', 'CANCEL_REQUESTED', 'CANCELLED', 'DEAD']);

const forgeSettings = v.strictObject({
  /** Lifetime of gateway tokens, existing ones included. */
  tokenSeconds: v.pipe(v.number(), v.finite(), v.minValue(0)),
  /** Time limit of the app's server for a frame's call. */
  invokeSeconds: v.pipe(v.number(), v.finite(), v.gtValue(0)),
  /** Delay of issue events. */
  eventDelayMs: v.pipe(v.number(), v.minValue(0), v.maxValue(EVENT_DELAY_MAX_MS)),
  /** Licence claim of invocation tokens, in the environment PRODUCTION. */
  isLicensed: v.boolean(),
  /**
   * Whether the app's account has its permissions. The platform gives them some time after the installation, and events
   * may come before.
   */
  isPermitted: v.boolean(),
  /** Characters that a module's context adds to invocation tokens. */
  contextChars: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(RULE_CONFIG_MAX_CHARS)),
  /** Accounts that were closed, or whose profiles have changed, by the reports of personal data. */
  closedAccounts: v.array(v.string()),
  updatedAccounts: v.array(v.string()),
  /** Days between two reports that the platform asks for. */
  reportDays: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** States of the tasks that move the data of Connect's fields, by module. */
  fieldMoves: v.record(v.string(), fieldMove),
  /** Whether a rule saved on Connect is evaluated by its own expression; else by the manifest's. */
  replacesRules: v.boolean(),
});
/**
 * GET /host/forge, PUT with changes: settings of the platform. POST /host/forge/tick fires the hourly triggers; POST
 * /host/forge/app {action} installs or uninstalls the app, for site administrators.
 */
export type HostForge = v.InferOutput<typeof forgeSettings>;
export const forgeEdit = v.partial(forgeSettings);
