import type { Policy, RateLimits } from './headers.ts';
import { hourEnd } from './hours.ts';

/** What calls are stopped for: a pool of points, one site, one endpoint of a site, or writes to one issue. */
export type Scope = 'pool' | 'tenant' | 'endpoint' | 'issue';

export interface Reaction {
  scope: Scope;
  /** Milliseconds since the epoch. */
  until: number;
}

const TOO_MANY = 429;
const UNAVAILABLE = 503;
/** Milliseconds for which a limit of seconds stops calls where the answer gives no time. */
const PAUSE = 2_000;
/** The same where it says nothing at all, as any proxy's may: the next one's headers tell whether the quota is used up. */
const UNSIGNED = 60_000;

/**
 * What an answer stops, by its `RateLimit-Reason` (notes/quota.md §1). `undefined` where it stops nothing: then only the
 * call itself is tried again.
 */
export function reactionTo(status: number, limits: RateLimits, now: number): Reaction | undefined {
  const { reports, reason, reset, retryAt } = limits;
  if (status !== TOO_MANY && (status !== UNAVAILABLE || retryAt === undefined)) return undefined;
  const told = (...kinds: Policy[]) =>
    reports.find(({ policy, enforced, reset: time }) => enforced && time !== undefined && kinds.includes(policy))
      ?.reset;
  const until = (scope: Scope, time = now + PAUSE): Reaction => ({ scope, until: time });
  const end = hourEnd(now);
  // A quota is full again at each full hour, whatever the headers say.
  const quota = Math.min(reset ?? told('app', 'tenant') ?? retryAt ?? end, end);
  switch (reason) {
    case 'jira-quota-global-based':
      return until('pool', quota);
    case 'jira-quota-tenant-based':
      return until('tenant', quota);
    case 'jira-burst-based':
      return until('endpoint', retryAt ?? reset ?? told('burst'));
    case 'jira-per-issue-on-write':
      return until('issue', retryAt ?? reset);
    case 'jira-max-concurrent-threads-across-all-instances-per-tenant-per-user':
      return until('tenant', retryAt);
    default: {
      // A site that is down for a while says nothing of the others.
      if (status === UNAVAILABLE) return until('tenant', retryAt);
      const time = retryAt ?? reset ?? told('app', 'tenant', 'burst');
      const isUnsigned = reason === undefined && time === undefined && reports.length === 0;
      // Else all stop, as if the quota were used up.
      return isUnsigned ? until('tenant', now + UNSIGNED) : until('pool', Math.min(time ?? end, end));
    }
  }
}

/** When the tracker wants to be called again, where the answer says so. */
export const askedTime = (status: number, limits: RateLimits, now: number): number | undefined =>
  reactionTo(status, limits, now)?.until ?? limits.retryAt;
