/** Sites get shares of the remaining points once this part of a pool is used. */
export const CONTENDED_FROM_SHARE = 0.5;
/** One account gets this multiple of the average part of its site's share, and at least `MIN_ACCOUNT_SHARE` of it. */
const ACCOUNT_SHARE_MULTIPLE = 2;
const MIN_ACCOUNT_SHARE = 0.05;

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
  const sitePeople = Math.max(1, people);
  const site = (limit * (1 - CONTENDED_FROM_SHARE) * sitePeople) / Math.max(weight, sitePeople);
  return { site, account: site * Math.min(1, Math.max(ACCOUNT_SHARE_MULTIPLE / sitePeople, MIN_ACCOUNT_SHARE)) };
}

/**
 * Whether a site, and an account of it, have points left of their shares. Work that waits once the part `until` of the
 * pool is used gets only that part of the site's share: the rest is for users.
 */
export function hasShare({ limit, spent, weight, site, account }: ShareFigures, until: number): boolean {
  if (spent < limit * CONTENDED_FROM_SHARE) return true;
  const share = shareOf({ limit, weight, people: site.people });
  const siteLimit = (share.site * (until - CONTENDED_FROM_SHARE)) / (1 - CONTENDED_FROM_SHARE);
  return site.contended < siteLimit && (account === undefined || account.contended < share.account);
}
