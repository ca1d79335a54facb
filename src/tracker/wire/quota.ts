import * as v from 'valibot';

/*
 * The API of the page: the points that apps spend.
 */

/** A week. */
const QUOTA_WINDOW_MAX_SECONDS = 604_800;
/** Points of each app in a window, for all sites together. */
const quotaLimit = v.strictObject({
  points: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** Length of the window. One of 3,600 is a full hour of UTC. */
  seconds: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(QUOTA_WINDOW_MAX_SECONDS)),
  /** Announced only: the headers have the prefix `Beta-`, and nothing is refused. */
  beta: v.boolean(),
});
export type QuotaLimit = v.InferOutput<typeof quotaLimit>;

/** PUT /host/quota: sets the limit, or removes it with `null`. */
export const quotaEdit = v.strictObject({ limit: v.nullable(quotaLimit) });
export type HostQuotaEdit = v.InferOutput<typeof quotaEdit>;

/** Source of a call's figure: the vendor's documentation, measurements of others, or an estimate. */
const sourceShape = v.picklist(['documented', 'reported', 'estimated']);
export type Source = v.InferOutput<typeof sourceShape>;

const ledgerLine = v.object({
  /** Key of the app. */
  app: v.string(),
  /** Address of the site. */
  site: v.string(),
  /** Method and path, e.g. `GET /issue/:issue`. */
  call: v.string(),
  /** The cause named by the app in the header `X-Cause`; `null` without one. */
  cause: v.nullable(v.string()),
  source: sourceShape,
  /** Answered calls and their points. */
  calls: v.number(),
  points: v.number(),
  /** Calls refused by the limit, at no cost. */
  refused: v.number(),
});
export type LedgerLine = v.InferOutput<typeof ledgerLine>;

/**
 * GET /host/quota: points spent at the REST API, also without a limit. Reset at a window's end and by DELETE. The same
 * at all sites.
 */
export const quotaShape = v.object({
  ...quotaEdit.entries,
  /** Start of the counting and end of the window, ISO 8601; none without a limit. */
  since: v.string(),
  ends: v.nullable(v.string()),
  /** Apps with calls, by key. */
  apps: v.array(v.object({ key: v.string(), spent: v.number() })),
  ledger: v.array(ledgerLine),
});
export type HostQuota = v.InferOutput<typeof quotaShape>;
