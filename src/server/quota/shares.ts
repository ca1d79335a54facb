/** The part of a pool's points from which on sites get shares of what is left. */
export const CONTENDED = 0.5;
/** Of a site's share, how many times an average person's part one account gets; and the least part of the share. */
const TIMES_AVERAGE = 2;
const LEAST_PART = 0.05;

/** Figures of the hour. `contended` are points that were used after the pool was contended. */
export interface ShareFigures {
  /** Points of the pool. */
  limit: number;
  /** Points that are used. */
  spent: number;
  /** Active people of all its sites; a site without any counts as one. */
  weight: number;
  site: { people: number; contended: number };
  /** The account that asks, if one does. */
  account: { contended: number } | undefined;
}

/** Points that a site, and one account of it, may use of those that are left once the pool is contended. */
export function shareOf({ limit, weight, people }: Pick<ShareFigures, 'limit' | 'weight'> & { people: number }): {
  site: number;
  account: number;
} {
  const here = Math.max(1, people);
  const site = (limit * (1 - CONTENDED) * here) / Math.max(weight, here);
  return { site, account: site * Math.min(1, Math.max(TIMES_AVERAGE / here, LEAST_PART)) };
}

/**
 * Whether a site, and an account of it, have something left of their shares. Work that waits once the part `until` of the
 * pool is used has only such a part of the site's share: the rest is for people.
 */
export function hasShare({ limit, spent, weight, site, account }: ShareFigures, until: number): boolean {
  if (spent < limit * CONTENDED) return true;
  const share = shareOf({ limit, weight, people: site.people });
  const here = (share.site * (until - CONTENDED)) / (1 - CONTENDED);
  return site.contended < here && (account === undefined || account.contended < share.account);
}
