import type { HostQuota, LedgerLine, QuotaLimit } from '../wire/quota.ts';

/** A call to be entered in the ledger. */
export type LedgerCall = Omit<LedgerLine, 'calls' | 'points' | 'refused'>;

/**
 * Points spent by apps at the REST API, each from one pool for all sites, with an hourly limit. The limit is that of an
 * app's first tier, `global-app-quota`.
 */
export interface Quota {
  /** Sets or removes the limit. Counted points stay; the window ends by the new length. */
  limit(limit: QuotaLimit | null): void;
  /** Whether the app has used up its points. */
  isSpent(app: string): boolean;
  /** Whether a call of the app is to be refused. */
  isRefused(app: string): boolean;
  /** Enters a call that was answered. */
  spend(call: LedgerCall, points: number): void;
  /** Enters a call that was refused for the limit. */
  refuse(call: LedgerCall): void;
  /** Quota headers of an answer to the app; `exhausted` when the points were used up before the call. */
  headers(app: string, exhausted: boolean): Record<string, string>;
  view(): HostQuota;
  /** Forgets all that was counted. */
  reset(): void;
}

/** If less than this share of the points remains, the headers say how many remain. */
const NEAR_LIMIT_SHARE = 0.2;

export function createQuota(initial: QuotaLimit | null, now: () => number = Date.now): Quota {
  let limit = initial;
  let since = now();
  let ends = endAfter(since);
  const lines = new Map<string, LedgerLine>();

  /** End of the window in which a time lies. Windows follow each other from 1970 on, so that those of an hour are full hours. */
  function endAfter(time: number): number {
    if (!limit) return Number.POSITIVE_INFINITY;
    const length = limit.seconds * 1000;
    return (Math.floor(time / length) + 1) * length;
  }

  /** Call before reading or counting: the end of a window resets its ledger. */
  function roll(): void {
    const time = now();
    if (!limit || time < ends) return;
    lines.clear();
    ends = endAfter(time);
    since = ends - limit.seconds * 1000;
  }

  function spentBy(app: string): number {
    let sum = 0;
    for (const line of lines.values()) if (line.app === app) sum += line.points;
    return sum;
  }

  function lineOf(call: LedgerCall): LedgerLine {
    roll();
    const key = JSON.stringify([call.app, call.site, call.call, call.cause]);
    const line = lines.get(key) ?? { ...call, calls: 0, points: 0, refused: 0 };
    lines.set(key, line);
    return line;
  }

  function isSpent(app: string): boolean {
    roll();
    return limit !== null && spentBy(app) >= limit.points;
  }

  return {
    limit(next) {
      roll();
      limit = next;
      ends = endAfter(now());
    },
    isSpent,
    isRefused: app => limit !== null && !limit.beta && isSpent(app),
    spend(call, points) {
      const line = lineOf(call);
      line.calls += 1;
      line.points += points;
    },
    refuse(call) {
      lineOf(call).refused += 1;
    },
    headers(app, exhausted) {
      roll();
      if (!limit) return {};
      const { points, seconds, beta } = limit;
      const remainingPoints = Math.max(0, points - spentBy(app));
      const isNear = remainingPoints < points * NEAR_LIMIT_SHARE;
      const wait = String(Math.ceil((ends - now()) / 1000));
      const [prefix, legacy] = beta ? ['beta-', 'x-beta-'] : ['', 'x-'];
      return {
        [`${prefix}ratelimit-policy`]: `"global-app-quota";q=${points};w=${seconds}`,
        [`${prefix}ratelimit`]: `"global-app-quota"${isNear ? `;r=${remainingPoints}` : ''};t=${wait}`,
        ...(isNear && { [`${legacy}ratelimit-nearlimit`]: 'true' }),
        ...(exhausted && {
          [`${prefix}retry-after`]: wait,
          [beta ? 'x-beta-ratelimit-reason' : 'ratelimit-reason']: 'jira-quota-global-based',
          [`${legacy}ratelimit-reset`]: new Date(ends).toISOString().replace(/(:00)?\.000Z$/, 'Z'),
        }),
      };
    },
    view() {
      roll();
      const apps = [...new Set([...lines.values()].map(({ app }) => app))];
      return {
        limit,
        since: new Date(since).toISOString(),
        ends: limit && new Date(ends).toISOString(),
        apps: apps.map(key => ({ key, spent: spentBy(key) })),
        ledger: [...lines.values()],
      };
    },
    reset() {
      lines.clear();
      since = now();
      ends = endAfter(since);
    },
  };
}
