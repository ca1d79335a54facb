import type { Policy, RateLimits } from './headers.ts';
import { hourEnd } from './hours.ts';

/** Scope of a stop: a pool of points, one site, one endpoint of a site, or writes to one issue. */
export type Scope = 'pool' | 'tenant' | 'endpoint' | 'issue';

export interface Reaction {
  scope: Scope;
  /** Milliseconds since the epoch. */
  until: number;
}

const TOO_MANY_REQUESTS = 429;
const SERVICE_UNAVAILABLE = 503;
/** The length of a stop for a short-term limit if the response gives no time. */
const DEFAULT_PAUSE_MS = 2_000;
/** A response without any headers of limits may come from a proxy. Then the stop is longer. */
const HEADERLESS_PAUSE_MS = 60_000;

/**
 * The stop that a response causes, by its `RateLimit-Reason` (docs/decisions/quota.md). `undefined` for none: then only the
 * call itself is retried.
 */
export function reactionTo(status: number, limits: RateLimits, now: number): Reaction | undefined {
  const { reports, reason, reset, retryAt } = limits;
  if (status !== TOO_MANY_REQUESTS && (status !== SERVICE_UNAVAILABLE || retryAt === undefined)) return undefined;
  const reported = (...kinds: Policy[]) =>
    reports.find(({ policy, enforced, reset: time }) => enforced && time !== undefined && kinds.includes(policy))
      ?.reset;
  const until = (scope: Scope, time = now + DEFAULT_PAUSE_MS): Reaction => ({ scope, until: time });
  const end = hourEnd(now);
  // A quota resets at each full hour, whatever the headers say.
  const quota = Math.min(reset ?? reported('app', 'tenant') ?? retryAt ?? end, end);
  switch (reason) {
    case 'jira-quota-global-based':
      return until('pool', quota);
    case 'jira-quota-tenant-based':
      return until('tenant', quota);
    case 'jira-burst-based':
      return until('endpoint', retryAt ?? reset ?? reported('burst'));
    case 'jira-per-issue-on-write':
      return until('issue', retryAt ?? reset);
    case 'jira-max-concurrent-threads-across-all-instances-per-tenant-per-user':
      return until('tenant', retryAt);
    default: {
      // An unavailable site says nothing about other sites.
      if (status === SERVICE_UNAVAILABLE) return until('tenant', retryAt);
      const time = retryAt ?? reset ?? reported('app', 'tenant', 'burst');
      const isUnsigned = reason === undefined && time === undefined && reports.length === 0;
      if (isUnsigned) return until('tenant', now + HEADERLESS_PAUSE_MS);
      // A limit that we do not know is of an endpoint or a site, and must not stop other sites.
      const isAppQuota = reports.some(
        ({ policy, enforced, remaining }) => policy === 'app' && enforced && remaining === 0,
      );
      const scope = isAppQuota ? 'pool' : reason !== undefined && retryAt !== undefined ? 'endpoint' : 'tenant';
      return until(scope, Math.min(time ?? end, end));
    }
  }
}

/** When the tracker may be called again; `undefined` if the response does not say. */
export const retryTime = (status: number, limits: RateLimits, now: number): number | undefined =>
  reactionTo(status, limits, now)?.until ?? limits.retryAt;
