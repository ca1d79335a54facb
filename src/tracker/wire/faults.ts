import * as v from 'valibot';

/*
 * The API of the page: fault injection.
 */

const FAULT_DELAY_MAX_MS = 600_000;
const faultDelay = v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(FAULT_DELAY_MAX_MS)));

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

const strikes = {
  match: v.pipe(v.string(), v.minLength(1), v.check(isPattern, "This isn't a regular expression")),
  /** Display name. */
  name: v.exactOptional(v.pipe(v.string(), v.maxLength(200))),
  /** Probability per match, 0 to 1; always without it. `seed` makes it repeatable. */
  chance: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  seed: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
  /** Ends after so many strikes, and after so many milliseconds; without either, by DELETE. */
  times: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  forMs: v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(1))),
};

/**
 * Faults of calls to the REST API, `/rest/*`. `match` is a regular expression over `METHOD /path?query`, e.g.
 * `^PUT .*\/properties\/`.
 */
const callFault = v.strictObject({
  ...strikes,
  /** Source of the calls: the add-on's server, or users and their pages; both without it. */
  by: v.exactOptional(v.picklist(['addon', 'people'])),
  /** Delay before the body is read: nothing is done if the caller disconnects. */
  delayMs: faultDelay,
  /** Answers with that status instead. `retryAfter` (seconds) and `reason` become rate limit headers. */
  status: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(400), v.maxValue(599))),
  retryAfter: v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(0))),
  reason: v.exactOptional(v.string()),
  /** Answers 400 as for an invalid property, or for fields that are not on the issue's screen. */
  refuse: v.exactOptional(v.picklist(['property', 'screen'])),
  /** Accepts the request and performs it that much later, whether or not the caller is still connected. */
  lateMs: faultDelay,
  /**
   * Cuts the connection: `before` anything is done, when the request was `taken` and is still performed, `after` it was
   * done.
   */
  cut: v.exactOptional(v.picklist(['before', 'taken', 'after'])),
});
export type CallFault = v.InferOutput<typeof callFault>;

/**
 * Faults of webhooks, Forge events and scheduled triggers. `match` is a regular expression over `event ISSUE-1`, e.g.
 * `^issue_property_set `, or `^avi:jira:set:issue-property ` on Forge.
 */
const webhookFault = v.strictObject({
  ...strikes,
  /**
   * `late`: delayed with the issue's later ones; `overtaken`: delayed alone; `doubled`: sent again later; `dropped`:
   * never sent.
   */
  webhook: v.picklist(['late', 'overtaken', 'doubled', 'dropped']),
  /** Delay; not for `dropped`. */
  delayMs: faultDelay,
});
export type WebhookFault = v.InferOutput<typeof webhookFault>;

/** Faults of asynchronous tasks. `match` is a regular expression over `METHOD property-key`, e.g. `^PUT .*\.checklist$`. */
const taskFault = v.strictObject({
  ...strikes,
  /** `late`: done that much later; `failed`: ends without being done. */
  task: v.picklist(['late', 'failed']),
  delayMs: faultDelay,
});
export type TaskFault = v.InferOutput<typeof taskFault>;

/**
 * POST /host/faults {…}: fault injection, for tests of a slow or failing tracker. GET: the active faults, as
 * `HostFault[]`. DELETE ends them all, DELETE /host/faults/{id} one. Of several matching faults the first that strikes
 * counts.
 */
export const faultShape = v.union([callFault, webhookFault, taskFault]);
export type Fault = v.InferOutput<typeof faultShape>;

const active = { id: v.string(), struck: v.number() };
/** The active faults, each with its number of strikes. */
export const faultsShape = v.array(
  v.union([
    v.strictObject({ ...callFault.entries, ...active }),
    v.strictObject({ ...webhookFault.entries, ...active }),
    v.strictObject({ ...taskFault.entries, ...active }),
  ]),
);
export type HostFault = v.InferOutput<typeof faultsShape>[number];
