import { readJson } from '../../../domain/shape.ts';
import { backoff, jittered, sleep as pause } from '../../../domain/timing.ts';
import { TokenRefused, TrackerDeferred, TrackerUnavailable } from '../../errors/tracker.ts';
import type { NamedCall } from '../../quota/costs.ts';
import { type RateLimits, readRateLimits } from '../../quota/headers.ts';
import type { Quota } from '../../quota/quota.ts';
import { askedTime } from '../../quota/reaction.ts';
import type { Cause } from '../../quota/work.ts';
import { pathOf, queryStringHash, signRequest } from '../connect/qsh.ts';
import { type Called, type Endpoint, endpointOf } from './endpoint.ts';
import { type Send, send as sendOver } from './send.ts';

/** Milliseconds before the second try, and at most before another one. */
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 2_000;

/**
 * Milliseconds until the next try: twice as long each time, with some chance in it so that many do not come back at once,
 * and not before the time that the tracker asks for, if any.
 */
export function retryDelay(tries: number, asked: number | undefined, now: number): number {
  return Math.max(jittered(backoff(tries - 1, FIRST_PAUSE, LONGEST_PAUSE)), (asked ?? now) - now);
}

/** A call to a tracker's REST API. It can be repeated without harm, unless it says otherwise. */
export type TrackerCall = NamedCall & {
  /** From the product's root; parts that come from elsewhere are encoded. */
  path: string;
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  /**
   * A question about this account, in its own name where the platform wants that, else in the app's. Its body names the
   * account as `accountId` in any case: a user's token is what its visitor sent along, and may be another one's.
   */
  asker?: string;
  /** Only repeated when it surely took no effect: the tracker was too busy for it. */
  once?: boolean;
};

/** Any answer but 429 and 5xx. `body` is `undefined` where it is no JSON. */
export interface TrackerAnswer {
  status: number;
  body: unknown;
}

/** Tokens by which users' own questions are asked over the gateway. */
export interface Askers {
  /** Rejects with `TrackerDeferred` where there is none now, with `NoAsker` where the platform gives none. */
  tokenOf(tenant: Called, account: string): Promise<string>;
  /** The gateway refused that token. */
  drop(tenant: Called, account: string, token: string): Promise<void>;
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
  /** Without them the app asks for users. */
  askers?: Askers | undefined;
  /** Told of a call that waits for a token. */
  withoutToken?(whose: 'app' | 'asker'): void;
  /** The gateway refused the app's token. */
  refused?(tenant: Called, token: string): Promise<void>;
  send?: Send;
  /** Waits so many milliseconds. */
  sleep?(delay: number): Promise<void>;
  now?(): number;
}

/** Milliseconds for one try, and for all tries of a call with the pauses between. */
const TRY_TIMEOUT = 4_000;
export const CALL_TIMEOUT = 8_000;
const TRIES = 4;
/** Milliseconds until a call without a good token is tried again: each invocation may bring one, an hourly one at least. */
const NO_TOKEN = 5 * 60_000;

/** The gateway says that the token is good and its scopes do not include the call: no other token would do. */
const outOfScope = ({ body }: Came): boolean => JSON.stringify(body ?? '').includes('scope does not match');

/** How a call goes, and the account in whose name it does where that is not the app's. */
type Chosen = Endpoint & { asker?: string };

/** The body of a call as it goes. */
function bodyOf({ json, asker }: TrackerCall): string | null {
  if (json === undefined) return null;
  return JSON.stringify(asker !== undefined && typeof json === 'object' ? { accountId: asker, ...json } : json);
}

/**
 * Calls with a token of Forge's ("Forge Remote", "Calling product APIs") or signed for each request (Connect,
 * "Authentication for apps"), tried again where that can help.
 */
export function createTracker(tenant: Called, options: TrackerOptions): Tracker {
  const {
    onCall,
    quota,
    cause,
    askers,
    withoutToken,
    refused,
    send = sendOver,
    sleep = pause,
    now = Date.now,
  } = options;

  async function chosenFor({ name, asker }: TrackerCall): Promise<Chosen> {
    const endpoint = endpointOf(tenant, now());
    if (!endpoint) {
      withoutToken?.('app');
      throw new TrackerDeferred(`${name}: no token`, NO_TOKEN);
    }
    if (endpoint.kind === 'connect' || asker === undefined || !askers) return endpoint;
    try {
      return { ...endpoint, token: await askers.tokenOf(tenant, asker), asker };
    } catch (error) {
      if (!(error instanceof TrackerDeferred)) throw error;
      // On Connect the app asks for all users, also for those of its frames who have never signed in on Forge.
      const connect = endpointOf({ ...tenant, forge: undefined }, now());
      if (connect) return connect;
      withoutToken?.('asker');
      throw error;
    }
  }

  /** What came back is that the token is not good: the call had no effect. */
  async function dropToken(endpoint: Chosen & { kind: 'gateway' }): Promise<void> {
    if (endpoint.asker !== undefined) return askers?.drop(tenant, endpoint.asker, endpoint.token);
    withoutToken?.('app');
    await refused?.(tenant, endpoint.token);
  }

  /** One try: the answer with its whole body, nothing where it did not come or broke off. */
  async function once(call: TrackerCall, endpoint: Chosen, time: number): Promise<Came | undefined> {
    const { name, method, path, query } = call;
    const search = new URLSearchParams(query).toString();
    const url = search ? `${path}?${search}` : path;
    const authorization =
      endpoint.kind === 'gateway'
        ? `Bearer ${endpoint.token}`
        : `JWT ${signRequest(endpoint.secret, queryStringHash(method, url), tenant.id)}`;
    const body = bodyOf(call);
    const headers = {
      accept: 'application/json',
      authorization,
      // Only the local tracker counts calls by their cause; the vendor's is never reached without TLS.
      ...(new URL(endpoint.url).protocol === 'http:' && { 'x-cause': cause.work }),
      ...(body !== null && { 'content-type': 'application/json' }),
    };
    try {
      const received = await send(new URL(pathOf(endpoint.url) + url, endpoint.url), { method, headers, body, time });
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
      const endpoint = await chosenFor(call);
      const asked = quota.ask(tenant.id, call, cause);
      if (!asked.granted) {
        const { wait } = asked;
        if (tries < TRIES && now() + wait < end) return wait;
        throw new TrackerDeferred(`${call.name}: has to wait`, wait);
      }
      const came = await once(call, endpoint, Math.max(1, Math.min(TRY_TIMEOUT, end - now())));
      if (came) asked.answered(came);
      if (came?.status === 401 && endpoint.kind === 'gateway') {
        if (outOfScope(came)) return { status: 403, body: came.body };
        await dropToken(endpoint);
        // A user's next token is another one.
        if (endpoint.asker !== undefined && tries === 1) return 0;
        throw new TokenRefused(`${call.name}: 401`, NO_TOKEN);
      }
      if (came && came.status !== 429 && came.status < 500) {
        return { status: came.status, body: came.body };
      }
      if (came?.status !== 429) late = true;
      const time = came && askedTime(came.status, came.limits, now());
      const delay = retryDelay(tries, time, now());
      const harmless = !call.once || came?.status === 429;
      if (!harmless || tries === TRIES || now() + delay >= end) {
        const retryAfter = time === undefined ? undefined : delay;
        throw new TrackerUnavailable(`${call.name}: ${came?.status ?? 'no answer'}`, retryAfter, !late);
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
