import { hourEnd, hourOf, nextHourEnd } from './hours.ts';
import { CONTENDED_FROM_SHARE, type ShareFigures } from './shares.ts';
import type { Work } from './work.ts';

/** The subject that points are counted for. */
export interface PointUse {
  tenant: string;
  work: Work;
  /** A key of the account; `''` for work of the site. */
  account: string;
}

/** Used points, and the part of them that was used after the pool was contended. */
interface Points {
  points: number;
  contended: number;
}

/** Points of an hour, as exchanged between processes. */
export interface HourUse extends PointUse, Points {
  hour: number;
}

/** A value reported by the tracker, valid until a time in milliseconds. The tenant `''` is the app's pool. */
export interface Fact {
  tenant: string;
  key: string;
  value: number;
  until: number;
}

/** Uses and facts that this process has not shared yet. */
export interface UnsharedBatch {
  uses: HourUse[];
  facts: Fact[];
}

/** A pool's figures of this hour. */
export interface PoolFigures {
  limit: number;
  /** As last reported by the tracker, and counted since. */
  spent: number;
}

/** A call's estimated points. */
export interface Booking {
  /** Replaces the estimate. */
  correct(points: number): void;
}

/** Points of the hour by pool, site, account and class of work: of this process, and of others as shared. */
export interface Ledger {
  book(use: PointUse, points: number): Booking;
  /** The pool that a site's calls are counted in: the app's (`''`), or its own. */
  poolOf(tenant: string): string;
  pool(pool: string): PoolFigures;
  /** Points of a pool that the tracker grants; `undefined` if a site has no pool of its own. */
  granted(pool: string): number | undefined;
  shares(use: PointUse): ShareFigures;
  /** Points of the hour by class of work, of all pools. */
  byWork(): ReadonlyMap<Work, number>;
  /** Records a reported pool size, for this hour and the next; a site with a size has a pool of its own. */
  noteSize(pool: string, size: number): void;
  /** Records that a site is counted in the app's pool. */
  noteShared(tenant: string): void;
  /** Records the reported used points of a pool. */
  noteSpent(pool: string, spent: number): void;
  /** Records the report that less than this part of a pool's points is used. */
  noteBelow(pool: string, part: number): void;
  noteStop(tenant: string, subject: string, until: number): void;
  /** Time until which calls are stopped, in milliseconds; 0 if they are not. */
  stoppedUntil(tenant: string, subject: string): number;
  /** Removes and returns the unshared uses and facts. */
  take(): UnsharedBatch;
  /** Records that `batch` was shared, and the resulting figures of all processes. */
  shared(batch: UnsharedBatch, sharedChanges: UnsharedBatch): void;
  /** Puts back `batch`, which was not shared. */
  restore(batch: UnsharedBatch): void;
}

interface Site extends Points {
  /** Points of accounts that were used after the pool was contended. */
  accounts: Map<string, number>;
}

interface Pool extends Points {
  weight: number;
  /** Weight that its sites had in the hour before and do not have yet. */
  missing: number;
}

interface Row {
  use: PointUse;
  /** Of all processes, as last read. */
  shared: Points;
  /** Of this process, not in `shared`. */
  own: Points;
}

/** Sums of an hour's rows. */
interface Sums {
  sites: Map<string, Site>;
  pools: Map<string, Pool>;
  byWork: Map<Work, number>;
}

interface Hour extends Sums {
  hour: number;
  rows: Map<string, Row>;
  /** Weights of the sites in the hour before. */
  before: ReadonlyMap<string, number>;
}

/** The app's pool. */
export const APP_POOL = '';
const SIZE_KEY = 'size';
const CORRECTION_KEY = 'correction';
const stopKey = (subject: string): string => `stop ${subject}`;

const keyOf = ({ tenant, work, account }: PointUse): string => JSON.stringify([tenant, work, account]);
const factKey = ({ tenant, key }: Pick<Fact, 'tenant' | 'key'>): string => `${tenant} ${key}`;
const weightOf = (site: Site | undefined): number => (site ? Math.max(1, site.accounts.size) : 0);
const noPoints: Points = { points: 0, contended: 0 };
const sum = (one: Points, other: Points): Points => ({
  points: one.points + other.points,
  contended: one.contended + other.contended,
});
/** The app's quota of an hour until the tracker reports the size. */
const DEFAULT_HOUR_POINTS = 65_000;

export interface LedgerOptions {
  /** The most points of an hour that the app uses of its pool, and the pool's size until the tracker reports it. */
  most?: number | undefined;
  now(): number;
}

export function createLedger({ most, now }: LedgerOptions): Ledger {
  const facts = new Map<string, Fact>();
  const unsharedFacts = new Map<string, Fact>();
  let unshared = new Map<string, HourUse>();
  let current = newHour(hourOf(now()));

  function newHour(hour: number, last?: Hour): Hour {
    const sites = last?.hour === hour - 1 ? [...last.sites] : [];
    const before = new Map(sites.map(([tenant, site]) => [tenant, weightOf(site)]));
    return summed({ hour, rows: new Map(), before });
  }

  /** Adds all rows up: once a second, and when a site changes its pool. Own bookings are added in between. */
  function summed({ hour, rows, before }: Omit<Hour, keyof Sums>): Hour {
    const added: Hour = { hour, rows, before, sites: new Map(), pools: new Map(), byWork: new Map() };
    for (const [tenant, weight] of before) poolIn(added, poolOf(tenant)).missing += weight;
    for (const { use, shared, own } of rows.values()) addTo(added, use, sum(shared, own));
    return added;
  }

  /** The weight that a site had in the hour before and does not have yet. */
  const missingOf = ({ before, sites }: Hour, tenant: string): number =>
    Math.max(0, (before.get(tenant) ?? 0) - weightOf(sites.get(tenant)));

  function thisHour(): Hour {
    const hour = hourOf(now());
    if (current.hour !== hour) current = newHour(hour, current);
    return current;
  }

  const factOf = (tenant: string, key: string): Fact | undefined => {
    const fact = facts.get(factKey({ tenant, key }));
    return fact && fact.until > now() ? fact : undefined;
  };

  const poolOf = (tenant: string): string => (factOf(tenant, SIZE_KEY) ? tenant : APP_POOL);

  function poolIn({ pools }: Hour, name: string): Pool {
    const existingPool = pools.get(name);
    if (existingPool) return existingPool;
    const added = { ...noPoints, weight: 0, missing: 0 };
    pools.set(name, added);
    return added;
  }

  function rowIn({ rows }: Hour, use: PointUse): Row {
    const key = keyOf(use);
    const existingRow = rows.get(key);
    if (existingRow) return existingRow;
    const added = { use, shared: noPoints, own: noPoints };
    rows.set(key, added);
    return added;
  }

  /** Adds points to all sums. */
  function addTo(hour: Hour, { tenant, work, account }: PointUse, { points, contended }: Points): void {
    const pool = poolIn(hour, poolOf(tenant));
    const [weight, missing] = [weightOf(hour.sites.get(tenant)), missingOf(hour, tenant)];
    const site = hour.sites.get(tenant) ?? { ...noPoints, accounts: new Map() };
    hour.sites.set(tenant, site);
    if (account !== '') site.accounts.set(account, (site.accounts.get(account) ?? 0) + contended);
    pool.weight += weightOf(site) - weight;
    pool.missing += missingOf(hour, tenant) - missing;
    for (const sums of [site, pool]) {
      sums.points += points;
      sums.contended += contended;
    }
    hour.byWork.set(work, (hour.byWork.get(work) ?? 0) + points);
  }

  function addUnshared(hour: number, use: PointUse, points: Points): void {
    const key = `${hour} ${keyOf(use)}`;
    unshared.set(key, { ...use, hour, ...sum(unshared.get(key) ?? noPoints, points) });
  }

  function addOwn(hour: Hour, use: PointUse, points: Points): void {
    const row = rowIn(hour, use);
    row.own = sum(row.own, points);
    addTo(hour, use, points);
    addUnshared(hour.hour, use, points);
  }

  /** Not limited by the operator's `most`: the tracker's count refers to all that it grants. */
  const grantedTo = (name: string): number | undefined =>
    factOf(name, SIZE_KEY)?.value ?? (name === APP_POOL ? (most ?? DEFAULT_HOUR_POINTS) : undefined);

  function figuresOf(name: string): PoolFigures {
    const granted = grantedTo(name) ?? DEFAULT_HOUR_POINTS;
    const limit = name === APP_POOL && most !== undefined ? Math.min(granted, most) : granted;
    const { points } = poolIn(thisHour(), name);
    return { limit, spent: Math.max(0, points + (factOf(name, CORRECTION_KEY)?.value ?? 0)) };
  }

  function apply(fact: Fact): void {
    const before = poolOf(fact.tenant);
    facts.set(factKey(fact), fact);
    if (before !== poolOf(fact.tenant)) current = summed(thisHour());
  }

  function record(fact: Fact): void {
    apply(fact);
    unsharedFacts.set(factKey(fact), fact);
  }

  function dropOldFacts(): void {
    for (const [key, { until }] of facts) if (until <= now()) facts.delete(key);
  }

  return {
    book(use, points) {
      const hour = thisHour();
      const { limit, spent } = figuresOf(poolOf(use.tenant));
      const isContended = spent >= limit * CONTENDED_FROM_SHARE;
      const pointsOf = (count: number): Points => ({ points: count, contended: isContended ? count : 0 });
      addOwn(hour, use, pointsOf(points));
      let booked = points;
      return {
        correct(counted) {
          if (counted !== booked && hour.hour === current.hour) addOwn(current, use, pointsOf(counted - booked));
          booked = counted;
        },
      };
    },
    poolOf,
    pool: figuresOf,
    granted: grantedTo,
    shares({ tenant, account }) {
      const hour = thisHour();
      const name = poolOf(tenant);
      const site = hour.sites.get(tenant);
      const isNew = account !== '' && !site?.accounts.has(account);
      const active = (site?.accounts.size ?? 0) + (isNew ? 1 : 0);
      // Sites of the hour before are expected again, ever less: no site uses their shares up before they begin.
      const remainingPart = (hourEnd(now()) - now()) / hourEnd(0);
      const siteMissing = missingOf(hour, tenant);
      const people = active + Math.max(0, siteMissing - (isNew ? 1 : 0)) * remainingPart;
      const pool = poolIn(hour, name);
      const weight = pool.weight - weightOf(site) + (pool.missing - siteMissing) * remainingPart + Math.max(1, people);
      return {
        ...figuresOf(name),
        weight,
        site: { people, contended: site?.contended ?? 0 },
        account: account === '' ? undefined : { contended: site?.accounts.get(account) ?? 0 },
      };
    },
    byWork: () => thisHour().byWork,
    noteSize(pool, value) {
      const until = nextHourEnd(now());
      const sizeFact = factOf(pool, SIZE_KEY);
      if (sizeFact?.value !== value || sizeFact.until < until) record({ tenant: pool, key: SIZE_KEY, value, until });
    },
    noteShared(tenant) {
      if (poolOf(tenant) !== APP_POOL) record({ tenant, key: SIZE_KEY, value: 0, until: now() });
    },
    noteSpent(pool, spent) {
      const value = spent - poolIn(thisHour(), pool).points;
      if (factOf(pool, CORRECTION_KEY)?.value === value) return;
      record({ tenant: pool, key: CORRECTION_KEY, value, until: hourEnd(now()) });
    },
    noteBelow(pool, part) {
      const { points } = poolIn(thisHour(), pool);
      const claimed = factOf(pool, CORRECTION_KEY)?.value ?? 0;
      if (claimed <= 0 || points + claimed <= (grantedTo(pool) ?? DEFAULT_HOUR_POINTS) * part) return;
      record({ tenant: pool, key: CORRECTION_KEY, value: 0, until: hourEnd(now()) });
    },
    noteStop(tenant, subject, until) {
      const key = stopKey(subject);
      if (until > (factOf(tenant, key)?.until ?? now())) record({ tenant, key, value: 0, until });
    },
    stoppedUntil: (tenant, subject) => factOf(tenant, stopKey(subject))?.until ?? 0,
    take() {
      const batch = { uses: [...unshared.values()], facts: [...unsharedFacts.values()] };
      unshared = new Map();
      unsharedFacts.clear();
      return batch;
    },
    shared(batch, { uses, facts: sharedFacts }) {
      const hour = thisHour();
      for (const { hour: of, ...use } of batch.uses) {
        if (of !== hour.hour) continue;
        const row = rowIn(hour, use);
        row.own = { points: row.own.points - use.points, contended: row.own.contended - use.contended };
      }
      for (const { hour: of, tenant, work, account, points, contended } of uses) {
        if (of === hour.hour) rowIn(hour, { tenant, work, account }).shared = { points, contended };
      }
      current = summed(hour);
      // Facts recorded meanwhile are newer.
      for (const fact of sharedFacts) if (!unsharedFacts.has(factKey(fact))) apply(fact);
      dropOldFacts();
    },
    restore({ uses, facts: takenFacts }) {
      for (const { hour, points, contended, ...use } of uses) addUnshared(hour, use, { points, contended });
      for (const fact of takenFacts) if (!unsharedFacts.has(factKey(fact))) unsharedFacts.set(factKey(fact), fact);
    },
  };
}
