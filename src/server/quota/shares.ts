/** The used part of a pool from which on sites get shares of the rest. */
export const CONTENDED = 0.5;
/** One account's part of its site's share, as a multiple of the average, and at least this part of the share. */
const TIMES_AVERAGE = 2;
const LEAST_PART = 0.05;

/** Figures of the hour. `contended`: points used after the pool was contended. */
export interface ShareFigures {
  /** Points of the pool. */
  limit: number;
  /** Used points. */
  spent: number;
  /** Number of active accounts of all its sites; a site counts as one at least. */
  weight: number;
  site: { people: number; contended: number };
  /** The account that the call is for, if any. */
  account: { contended: number } | undefined;
}

/** Points that a site, and one account of it, may use after the pool is contended. */
export function shareOf({ limit, weight, people }: Pick<ShareFigures, 'limit' | 'weight'> & { people: number }): {
  site: number;
  account: number;
} {
  const here = Math.max(1, people);
  const site = (limit * (1 - CONTENDED) * here) / Math.max(weight, here);
  return { site, account: site * Math.min(1, Math.max(TIMES_AVERAGE / here, LEAST_PART)) };
}

/**
 * Whether a site, and an account of it, have points left of their shares. Work that waits once the part `until` of the
 * pool is used gets only that part of the site's share: the rest is for users.
 */
export function hasShare({ limit, spent, weight, site, account }: ShareFigures, until: number): boolean {
  if (spent < limit * CONTENDED) return true;
  const share = shareOf({ limit, weight, people: site.people });
  const here = (share.site * (until - CONTENDED)) / (1 - CONTENDED);
  return site.contended < here && (account === undefined || account.contended < share.account);
}
