import { Gauge } from 'prom-client';
import type { Metrics } from '../monitoring/metrics.ts';
import { createCache } from '../store/cached.ts';
import type { Store } from '../store/store.ts';
import { shortHash } from '../text-workers/hash.ts';
import { type CallName, type CostedCall, countedPoints, estimatedPoints } from './costs.ts';
import type { RateLimits } from './headers.ts';
import { hourEnd, hourOf, isHourEnd, isThisHour, startDelayOf } from './hours.ts';
import { APP_POOL, createLedger, type PointUse } from './ledger.ts';
import { reactionTo } from './reaction.ts';
import { createQuotaRecords } from './records.ts';
import { hasShare } from './shares.ts';
import { createSharing, type Sharing } from './sharing.ts';
import { ALL_CALLS, type LimitedCall, stoppedBy, stopsOf, subjectOf } from './stops.ts';
import { type Cause, type Work, workClasses } from './work.ts';

const MAX_WAITING_SUBJECTS = 10_000;

/** Work of this process that waits for points. */
export interface Waiting {
  add(work: Work, subject: string, until: number): void;
  /** Removes work that continues. */
  remove(work: Work, subject: string): void;
  /** Number of waiting subjects of a class. */
  count(work: Work, now: number): number;
}

export function createWaiting(): Waiting {
  const waiting = createCache<{ work: Work; until: number }>(MAX_WAITING_SUBJECTS);
  const keyOf = (work: Work, subject: string) => `${work} ${subject}`;
  return {
    add(work, subject, until) {
      waiting.set(keyOf(work, subject), { work, until });
    },
    remove(work, subject) {
      if (waiting.size > 0) waiting.delete(keyOf(work, subject));
    },
    count(work, now) {
      for (const [key, { until }] of waiting) if (until <= now) waiting.delete(key);
      return [...waiting.values()].filter(each => each.work === work).length;
    },
  };
}

/** A call to be made. */
export interface AskedCall extends LimitedCall, CostedCall {
  name: CallName;
}

/** A response of the tracker. */
export interface Answered {
  status: number;
  body: unknown;
  limits: RateLimits;
}

/** The call may be made; `answered` takes its response, if one comes. */
export interface CallGranted {
  granted: true;
  answered(answer: Answered): void;
}

/** The call must wait `wait` milliseconds. */
export interface CallDelayed {
  granted: false;
  wait: number;
}

/** The tracker's points and limits for the app, for all sites and processes. */
export interface Quota {
  /** Decides without waiting, by the state of this process. */
  ask(tenant: string, call: AskedCall, cause: Cause): CallGranted | CallDelayed;
}

/** A quota that is shared between processes. */
export interface SharedQuota extends Quota, Sharing {
  /** Drops past hours and expired facts. */
  prune(): Promise<void>;
}

export interface QuotaOptions {
  store: Pick<Store, 'sweep'>;
  metrics: Metrics;
  /** Receives errors that do not stop the work. */
  onError(error: unknown): void;
  /** The most points of an hour that the app uses for all sites. */
  most?: number | undefined;
  /** Called each second with the database's time, in milliseconds since the epoch. */
  onTime?(time: number): void;
  now?(): number;
}

const levelOf = new Map<Work, number>(workClasses.map(({ name, until }) => [name, until]));

/** Responses report the remaining points once this part of a quota is used (docs/decisions/quota.md). */
const REPORTED_FROM_SHARE = 0.8;

/** Key of an account in the ledger. */
const accountKey = (tenant: string, account: string): string => shortHash(`${tenant} ${account}`);

export function createQuota({ store, metrics, onError, most, onTime, now = Date.now }: QuotaOptions): SharedQuota {
  const ledger = createLedger({ most, now });
  const records = createQuotaRecords(store);
  const waiting = createWaiting();

  /** Time until which the call must wait, and whether many wait for that time; `undefined` if it need not. */
  function waitsUntil(use: PointUse, call: AskedCall, points: number): { until: number; many: boolean } | undefined {
    const { tenant, work } = use;
    const name = ledger.poolOf(tenant);
    for (const { tenant: of, subject } of stopsOf(tenant, name, call)) {
      const until = ledger.stoppedUntil(of, subject);
      if (until > now()) return { until, many: subject === ALL_CALLS && isHourEnd(until, now()) };
    }
    const { limit, spent } = ledger.pool(name);
    const level = levelOf.get(work) ?? 0;
    const enough = spent < limit * level && spent + points <= limit;
    return enough && hasShare(ledger.shares(use), level) ? undefined : { until: hourEnd(now()), many: true };
  }

  /** Records reported sizes of pools. */
  function learnSizes(tenant: string, { reports }: RateLimits): void {
    const tenantReport = reports.find(
      ({ policy, enforced, size }) => policy === 'tenant' && enforced && size !== undefined,
    );
    const appReports = reports.filter(({ policy }) => policy === 'app');
    if (tenantReport?.size !== undefined) ledger.noteSize(tenant, tenantReport.size);
    else if (appReports.some(({ enforced }) => enforced)) ledger.noteShared(tenant);
    const { size, enforced } = appReports.find(each => each.enforced) ?? appReports[0] ?? {};
    // A preview does not reduce the size.
    if (size !== undefined && (enforced || size > (ledger.granted(APP_POOL) ?? 0))) ledger.noteSize(APP_POOL, size);
  }

  /** Records the used points of pools in this hour, if the quota is enforced. */
  function learnSpent(tenant: string, { reports }: RateLimits): void {
    for (const { policy, enforced, size, remaining, reset } of reports) {
      if (!enforced || policy === 'burst') continue;
      const pool = policy === 'app' ? APP_POOL : tenant;
      if (remaining === undefined) {
        if (size !== undefined) ledger.noteBelow(pool, REPORTED_FROM_SHARE);
        continue;
      }
      const granted = size ?? ledger.granted(pool);
      const fits = granted !== undefined && remaining <= granted;
      if (fits && reset !== undefined && isThisHour(reset, now())) ledger.noteSpent(pool, granted - remaining);
    }
  }

  const registers = [metrics.registry];
  const perWork: Gauge<'work'> = new Gauge({
    name: 'tracker_points',
    help: 'Points of this UTC hour by class of work, of all processes and sites',
    labelNames: ['work'],
    registers,
    collect() {
      for (const { name } of workClasses) perWork.set({ work: name }, ledger.byWork().get(name) ?? 0);
    },
  });
  const limits: Gauge = new Gauge({
    name: 'tracker_points_limit',
    help: 'Points that all sites together may use in an hour',
    registers,
    collect: () => limits.set(ledger.pool(APP_POOL).limit),
  });
  const remains: Gauge = new Gauge({
    name: 'tracker_points_remaining',
    help: 'Points of this hour that are left for all sites together',
    registers,
    collect() {
      const { limit, spent } = ledger.pool(APP_POOL);
      remains.set(Math.max(0, limit - spent));
    },
  });
  const pending: Gauge<'work'> = new Gauge({
    name: 'tracker_waiting',
    help: 'Pieces of work of this process that wait for points, by class',
    labelNames: ['work'],
    registers,
    collect() {
      for (const { name } of workClasses) pending.set({ work: name }, waiting.count(name, now()));
    },
  });

  return {
    ask(tenant, call, { work, account }) {
      const use: PointUse = { tenant, work, account: account === null ? '' : accountKey(tenant, account) };
      const points = estimatedPoints(call);
      const subject = subjectOf(call);
      const waits = waitsUntil(use, call, points);
      if (waits) {
        const wait = waits.until - now() + (waits.many ? startDelayOf(tenant, subject) : 0);
        waiting.add(work, `${tenant} ${subject}`, now() + wait);
        return { granted: false, wait };
      }
      waiting.remove(work, `${tenant} ${subject}`);
      const booking = ledger.book(use, points);
      const hour = hourOf(now());
      return {
        granted: true,
        answered({ status, body, limits: reported }) {
          const counted = countedPoints(call.name, { status, body });
          if (counted !== undefined) booking.correct(counted);
          learnSizes(tenant, reported);
          if (hourOf(now()) === hour) learnSpent(tenant, reported);
          const reaction = reactionTo(status, reported, now());
          if (!reaction) return;
          const stopped = stoppedBy(reaction.scope, tenant, ledger.poolOf(tenant), call);
          ledger.noteStop(stopped.tenant, stopped.subject, reaction.until);
        },
      };
    },
    prune: () => records.prune(now()),
    ...createSharing({ ledger, records, now, onError, ...(onTime && { onTime }) }),
  };
}
