import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Gauge } from 'prom-client';
import type { Metrics } from '../common/metrics.ts';
import type { Store } from '../store/store.ts';
import { type CallName, type CostedCall, countedPoints, estimatedPoints } from './costs.ts';
import type { RateLimits } from './headers.ts';
import { hourEnd, hourOf, isHourEnd, isThisHour, spreadOf } from './hours.ts';
import { APP, createLedger, type Use } from './ledger.ts';
import { reactionTo } from './reaction.ts';
import { createQuotaRecords } from './records.ts';
import { hasShare } from './shares.ts';
import { createSharing, type Sharing } from './sharing.ts';
import { ALL, type LimitedCall, stoppedBy, stopsOf, subjectOf } from './stops.ts';
import { type Cause, type Work, workClasses } from './work.ts';

/** Most pieces of work that are remembered. */
const MOST = 10_000;

/** Work of this process that was told to wait. */
export interface Waiting {
  add(work: Work, subject: string, until: number): void;
  /** It goes on. */
  remove(work: Work, subject: string): void;
  /** How many pieces of work of a class wait at this time. */
  count(work: Work, now: number): number;
}

export function createWaiting(): Waiting {
  const waiting = new LRUCache<string, { work: Work; until: number }>({ max: MOST });
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

/** A call that is to be made. */
export interface AskedCall extends LimitedCall, CostedCall {
  name: CallName;
}

/** An answer of the tracker. */
export interface Answered {
  status: number;
  body: unknown;
  limits: RateLimits;
}

/** A call may be made; its answer, if it comes, is told. */
export interface Granted {
  granted: true;
  answered(answer: Answered): void;
}

/** A call has to wait, so many milliseconds. */
export interface Waits {
  granted: false;
  wait: number;
}

/** The points and limits that the tracker grants the app, for all its sites and processes (design.md §4.5). */
export interface Quota {
  /** Decides at once, by what this process knows. */
  ask(tenant: string, call: AskedCall, cause: Cause): Granted | Waits;
}

/** A quota whose processes share what they know. */
export interface SharedQuota extends Quota, Sharing {
  /** Drops hours and facts that are over. */
  prune(): Promise<void>;
}

export interface QuotaOptions {
  store: Pick<Store, 'sweep'>;
  metrics: Metrics;
  /** Told of what went wrong and did not stop the work. */
  onError(error: unknown): void;
  /** The most points of an hour that the app uses for all sites together. */
  most?: number | undefined;
  now?(): number;
}

const levelOf = new Map<Work, number>(workClasses.map(({ name, until }) => [name, until]));

/** The part of a quota's points from which on answers tell how many are left (notes/quota.md §3). */
const TOLD_FROM = 0.8;

/** A key by which an account's points are counted: the ledger is no list of who works where. */
const accountKey = (tenant: string, account: string): string =>
  createHash('sha256').update(`${tenant} ${account}`).digest('base64url').slice(0, 16);

export function createQuota({ store, metrics, onError, most, now = Date.now }: QuotaOptions): SharedQuota {
  const ledger = createLedger({ most, now });
  const records = createQuotaRecords(store);
  const waiting = createWaiting();

  /** Until when the call has to wait, and whether it is with many others; `undefined` where it need not. */
  function waitsUntil(use: Use, call: AskedCall, points: number): { until: number; many: boolean } | undefined {
    const { tenant, work } = use;
    const name = ledger.poolOf(tenant);
    for (const { tenant: of, subject } of stopsOf(tenant, name, call)) {
      const until = ledger.stoppedUntil(of, subject);
      if (until > now()) return { until, many: subject === ALL && isHourEnd(until, now()) };
    }
    const { limit, spent } = ledger.pool(name);
    const level = levelOf.get(work) ?? 0;
    const enough = spent < limit * level && spent + points <= limit;
    return enough && hasShare(ledger.shares(use), level) ? undefined : { until: hourEnd(now()), many: true };
  }

  /** Takes over the size of pools. */
  function learnSizes(tenant: string, { reports }: RateLimits): void {
    const own = reports.find(({ policy, enforced, size }) => policy === 'tenant' && enforced && size !== undefined);
    const app = reports.filter(({ policy }) => policy === 'app');
    if (own?.size !== undefined) ledger.noteSize(tenant, own.size);
    else if (app.some(({ enforced }) => enforced)) ledger.noteShared(tenant);
    const { size, enforced } = app.find(each => each.enforced) ?? app[0] ?? {};
    // A preview is no reason to use less.
    if (size !== undefined && (enforced || size > (ledger.granted(APP) ?? 0))) ledger.noteSize(APP, size);
  }

  /** Takes over what is used of pools in this hour, where the quota is enforced. */
  function learnSpent(tenant: string, { reports }: RateLimits): void {
    for (const { policy, enforced, size, remaining, reset } of reports) {
      if (!enforced || policy === 'burst') continue;
      const pool = policy === 'app' ? APP : tenant;
      if (remaining === undefined) {
        if (size !== undefined) ledger.noteBelow(pool, TOLD_FROM);
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
    collect: () => limits.set(ledger.pool(APP).limit),
  });
  const remains: Gauge = new Gauge({
    name: 'tracker_points_remaining',
    help: 'Points of this hour that are left for all sites together',
    registers,
    collect() {
      const { limit, spent } = ledger.pool(APP);
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
      const use: Use = { tenant, work, account: account === null ? '' : accountKey(tenant, account) };
      const points = estimatedPoints(call);
      const subject = subjectOf(call);
      const waits = waitsUntil(use, call, points);
      if (waits) {
        const wait = waits.until - now() + (waits.many ? spreadOf(tenant, subject) : 0);
        waiting.add(work, `${tenant} ${subject}`, now() + wait);
        return { granted: false, wait };
      }
      waiting.remove(work, `${tenant} ${subject}`);
      const booking = ledger.book(use, points);
      const hour = hourOf(now());
      return {
        granted: true,
        answered({ status, body, limits: told }) {
          const counted = countedPoints(call.name, { status, body });
          if (counted !== undefined) booking.correct(counted);
          learnSizes(tenant, told);
          if (hourOf(now()) === hour) learnSpent(tenant, told);
          const reaction = reactionTo(status, told, now());
          if (!reaction) return;
          const stopped = stoppedBy(reaction.scope, tenant, ledger.poolOf(tenant), call);
          ledger.noteStop(stopped.tenant, stopped.subject, reaction.until);
        },
      };
    },
    prune: () => records.prune(now()),
    ...createSharing({ ledger, records, now, onError }),
  };
}
