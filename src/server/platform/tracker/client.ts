import { setTimeout as pause } from 'node:timers/promises';
import { readJson } from '../../../domain/json.ts';
import type { NamedCall } from '../../quota/costs.ts';
import { type RateLimits, readRateLimits } from '../../quota/headers.ts';
import type { Quota } from '../../quota/quota.ts';
import { askedTime } from '../../quota/reaction.ts';
import type { Cause } from '../../quota/work.ts';
import { pathOf, queryStringHash } from '../connect/qsh.ts';
import type { Tenant } from '../connect/tenants.ts';
import { retryDelay } from './retry.ts';
import { type Send, send as sendOver } from './send.ts';
import { signRequest } from './sign.ts';

/** A call to a tracker's REST API. It can be repeated without harm, unless it says otherwise. */
export type TrackerCall = NamedCall & {
  /** From the product's root; parts that come from elsewhere are encoded. */
  path: string;
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  /** Only repeated when it surely took no effect: the tracker was too busy for it. */
  once?: boolean;
};

/** Any answer but 429 and 5xx. `body` is `undefined` where it is no JSON. */
export interface TrackerAnswer {
  status: number;
  body: unknown;
}

/** The tracker did not answer, was too busy or failed, again and again. Whether the last call took effect is open. */
export class TrackerUnavailable extends Error {
  override readonly name: string = 'TrackerUnavailable';
  /** Milliseconds for which the tracker wants to be left alone, where it says so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** The call was not made: its class of work waits, for the hour's points or a limit that the tracker told. */
export class TrackerDeferred extends TrackerUnavailable {
  override readonly name = 'TrackerDeferred';
}

/** What came of one try. */
interface Came {
  status: number;
  limits: RateLimits;
  body: unknown;
}

/** Calls one tenant's tracker as the add-on, for one cause. */
export type Tracker = (call: TrackerCall) => Promise<TrackerAnswer>;

export interface TrackerOptions {
  /** Told of every try: the call's name and the status, 0 for none. */
  onCall(name: string, status: number): void;
  /** What calls are counted for, and by what they have to wait. */
  quota: Quota;
  cause: Cause;
  send?: Send;
  /** Waits so many milliseconds. */
  sleep?(delay: number): Promise<void>;
  now?(): number;
}

/** Milliseconds for one try, and for all tries of a call with the pauses between. */
const TRY_TIMEOUT = 4_000;
export const CALL_TIMEOUT = 8_000;
const TRIES = 4;

/** Calls signed for each request (Connect, "Authentication for apps"), tried again where that can help. */
export function createTracker(tenant: Tenant, options: TrackerOptions): Tracker {
  const { onCall, quota, cause, send = sendOver, sleep = pause, now = Date.now } = options;
  const basePath = pathOf(tenant.url);
  // Only the local tracker counts calls by their cause; the vendor's is never reached without TLS.
  const told = new URL(tenant.url).protocol === 'http:' ? { 'x-cause': cause.work } : {};

  /** One try: the answer with its whole body, nothing where it did not come or broke off. */
  async function once({ name, method, path, query, json }: TrackerCall, time: number): Promise<Came | undefined> {
    const search = new URLSearchParams(query).toString();
    const url = search ? `${path}?${search}` : path;
    const token = signRequest(tenant.secret, queryStringHash(method, url), tenant.id);
    const headers = {
      accept: 'application/json',
      authorization: `JWT ${token}`,
      ...told,
      ...(json !== undefined && { 'content-type': 'application/json' }),
    };
    const body = json === undefined ? null : JSON.stringify(json);
    try {
      const received = await send(new URL(basePath + url, tenant.url), { method, headers, body, time });
      const { status } = received;
      const limits = readRateLimits(received.headers, now());
      const came = { status, limits, body: readJson(await received.text()) };
      onCall(name, status);
      return came;
    } catch {
      onCall(name, 0);
      return undefined;
    }
  }

  return async call => {
    const end = now() + CALL_TIMEOUT;
    /** An earlier try got no answer, or a failure, and may still take effect. */
    let late = false;

    /** The call's answer, or the milliseconds until it may be tried again. */
    async function attempt(tries: number): Promise<TrackerAnswer | number> {
      const asked = quota.ask(tenant.id, call, cause);
      if (!asked.granted) {
        const { wait } = asked;
        if (tries < TRIES && now() + wait < end) return wait;
        throw new TrackerDeferred(`${call.name}: has to wait`, wait);
      }
      const came = await once(call, Math.max(1, Math.min(TRY_TIMEOUT, end - now())));
      if (came) asked.answered(came);
      if (came && came.status !== 429 && came.status < 500) {
        return { status: came.status, body: came.body };
      }
      if (came?.status !== 429) late = true;
      const time = came && askedTime(came.status, came.limits, now());
      const delay = retryDelay(tries, time, now());
      const harmless = !call.once || came?.status === 429;
      if (!harmless || tries === TRIES || now() + delay >= end) {
        const retryAfter = time === undefined ? undefined : delay;
        throw new TrackerUnavailable(`${call.name}: ${came?.status ?? 'no answer'}`, retryAfter);
      }
      return delay;
    }

    try {
      for (let tries = 1; ; tries += 1) {
        const came = await attempt(tries);
        if (typeof came !== 'number') return came;
        await sleep(came);
      }
    } catch (error) {
      // An earlier try may have taken effect: then it is not so that nothing was done.
      if (!late || !(error instanceof TrackerDeferred)) throw error;
      throw new TrackerUnavailable(error.message, error.retryAfter);
    }
  };
}
