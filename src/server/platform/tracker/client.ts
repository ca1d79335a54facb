import { readJson } from '../../../domain/shape.ts';
import { backoff, jittered, sleep as pause } from '../../../domain/timing.ts';
import { TokenRefused, TrackerDeferred, TrackerUnavailable } from '../../errors/tracker.ts';
import type { NamedCall } from '../../quota/costs.ts';
import { readRateLimits } from '../../quota/headers.ts';
import type { Answered, Quota } from '../../quota/quota.ts';
import { retryTime } from '../../quota/reaction.ts';
import type { Cause } from '../../quota/work.ts';
import { pathOf, queryStringHash, signRequest } from '../connect/qsh.ts';
import { writeJson } from '../json.ts';
import { type CallTarget, type Endpoint, endpointOf, platformOf } from './endpoint.ts';
import { type Send, send as sendOver } from './send.ts';

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 2_000;

/**
 * Milliseconds until the next try: exponential backoff with jitter, and not before the time that the tracker asks for,
 * if any.
 */
export function retryDelay(tries: number, notBefore: number | undefined, now: number): number {
  return Math.max(jittered(backoff(tries - 1, FIRST_PAUSE_MS, MAX_PAUSE_MS)), (notBefore ?? now) - now);
}

/** A call to a tracker's REST API. Idempotent, unless `once`. */
export type TrackerCall = NamedCall & {
  /** From the product's root; variable parts are encoded. */
  path: string;
  /** A list repeats its parameter. */
  query?: Readonly<Record<string, string | readonly string[]>>;
  json?: unknown;
  /**
   * The call is a check for this account, with its token if the platform requires that, else with the app's. The
   * body names the account as `accountId` in both cases: a visitor may have sent another user's token.
   */
  asker?: string;
  /** The path is of the platform's API, not of the site's product behind it. A site of Connect has it at this path. */
  ofPlatform?: { connectPath: string };
  /** Repeated only after a response of 429, which excludes an effect. */
  once?: boolean;
};

/** Any response but 429 and 5xx. `body` is `undefined` if it is no JSON. */
export interface TrackerAnswer {
  status: number;
  body: unknown;
  /** An earlier try of the call got no response, and may still take effect. */
  isUnsettled?: boolean;
  /** A header of the platform's own response, by its name in small letters. */
  header?(name: string): string | null;
}

/** Users' tokens for calls over the gateway. */
export interface Askers {
  /** Rejects with `TrackerDeferred` if there is none now, with `NoAsker` if the platform refuses one. */
  tokenOf(tenant: CallTarget, account: string): Promise<string>;
  /** Deletes a token that the gateway refused. */
  drop(tenant: CallTarget, account: string, token: string): Promise<void>;
}

/** Calls one tenant's tracker as the app, for one cause. */
export type Tracker = (call: TrackerCall) => Promise<TrackerAnswer>;

export interface TrackerOptions {
  /** Called after every try with the call's name and the status, 0 for none. */
  onCall(name: string, status: number): void;
  /** Called with the tracker's time of an answer, in milliseconds since the epoch. */
  onTime?(time: number): void;
  /** Grants calls and counts their points. */
  quota: Quota;
  cause: Cause;
  /** Tokens of accounts. If absent, checks of an account's permissions use the app's token. */
  askers?: Askers | undefined;
  /** Called for each call without a token. */
  withoutToken?(whose: 'app' | 'asker'): void;
  /** Called after the gateway refused the app's token. */
  refused?(tenant: CallTarget, token: string): Promise<void>;
  send?: Send;
  /** Waits `delay` milliseconds. */
  sleep?(delay: number): Promise<void>;
  now?(): number;
}

/** `CALL_TIMEOUT_MS` includes all tries of a call and the pauses between them. */
const TRY_TIMEOUT_MS = 4_000;
export const CALL_TIMEOUT_MS = 8_000;
const MAX_TRIES = 4;
/** Each invocation may bring a new token, and one arrives at least every hour. */
const NO_TOKEN_PAUSE_MS = 5 * 60_000;

/** Whether the token is valid but its scopes do not include the call: no other token would help. */
const outOfScope = ({ body }: Answered): boolean => writeJson(body ?? '').includes('scope does not match');

/** The endpoint of a call, and the account whose token is used, if not the app's. */
type CallEndpoint = Endpoint & { asker?: string };

/** A complete response. */
type Complete = Answered & Required<Pick<TrackerAnswer, 'header'>>;

/** The body of a call as JSON. */
function bodyOf({ json, asker }: TrackerCall): string | null {
  if (json === undefined) return null;
  return writeJson(asker !== undefined && typeof json === 'object' ? { accountId: asker, ...json } : json);
}

/**
 * Calls with a token of Forge ("Forge Remote", "Calling product APIs") or a signature for each request (Connect,
 * "Authentication for apps"), with retries.
 */
export function createTracker(tenant: CallTarget, options: TrackerOptions): Tracker {
  const {
    onCall,
    onTime,
    quota,
    cause,
    askers,
    withoutToken,
    refused,
    send = sendOver,
    sleep = pause,
    now = Date.now,
  } = options;

  async function endpointFor({ name, asker }: TrackerCall): Promise<CallEndpoint> {
    const endpoint = endpointOf(tenant, now());
    if (!endpoint) {
      withoutToken?.('app');
      throw new TrackerDeferred(`${name}: no token`, NO_TOKEN_PAUSE_MS);
    }
    if (endpoint.kind === 'connect' || asker === undefined || !askers) return endpoint;
    try {
      return { ...endpoint, token: await askers.tokenOf(tenant, asker), asker };
    } catch (error) {
      if (!(error instanceof TrackerDeferred)) throw error;
      // On Connect the app checks permissions for all users, also for users who have never signed in on Forge.
      const connect = endpointOf({ ...tenant, forge: undefined }, now());
      if (connect) return connect;
      withoutToken?.('asker');
      throw error;
    }
  }

  /** Deletes a refused token. The call had no effect. */
  async function dropToken(endpoint: CallEndpoint & { kind: 'gateway' }): Promise<void> {
    if (endpoint.asker !== undefined) return askers?.drop(tenant, endpoint.asker, endpoint.token);
    withoutToken?.('app');
    await refused?.(tenant, endpoint.token);
  }

  /** One try: the complete response, `undefined` if it failed or broke off. */
  async function once(call: TrackerCall, endpoint: CallEndpoint, time: number): Promise<Complete | undefined> {
    const { name, method, query, ofPlatform } = call;
    const path = endpoint.kind === 'connect' && ofPlatform ? ofPlatform.connectPath : call.path;
    const search = new URLSearchParams(
      Object.entries(query ?? {}).flatMap(([key, value]) => [value].flat().map(each => [key, each])),
    ).toString();
    const url = search ? `${path}?${search}` : path;
    const authorization =
      endpoint.kind === 'gateway'
        ? `Bearer ${endpoint.token}`
        : `JWT ${signRequest(endpoint.secret, queryStringHash(method, url), tenant.id)}`;
    const body = bodyOf(call);
    const headers = {
      accept: 'application/json',
      authorization,
      // For the local tracker only, which counts calls by cause; the vendor's is never called without TLS.
      ...(new URL(endpoint.url).protocol === 'http:' && { 'x-cause': cause.work }),
      ...(body !== null && { 'content-type': 'application/json' }),
    };
    try {
      const root = endpoint.kind === 'gateway' && ofPlatform ? platformOf(endpoint.url) : endpoint.url;
      const received = await send(new URL(pathOf(root) + url, root), { method, headers, body, time });
      const { status } = received;
      const date = Date.parse(received.headers.get('date') ?? '');
      if (!Number.isNaN(date)) onTime?.(date);
      const limits = readRateLimits(received.headers, now());
      const text = await received.text();
      const value = readJson(text);
      // A page in place of an answer, such as one of a proxy, says nothing of the call.
      const isAnswer = status >= 300 || value !== undefined || text.trim() === '';
      onCall(name, isAnswer ? status : 0);
      const header = (headerName: string) => received.headers.get(headerName);
      return isAnswer ? { status, limits, body: value, header } : undefined;
    } catch {
      onCall(name, 0);
      return undefined;
    }
  }

  return async call => {
    const end = now() + CALL_TIMEOUT_MS;
    /** An earlier try failed or got no response, and may still take effect. */
    let mayTakeEffect = false;

    /** The call's response, or the milliseconds until the next try. */
    async function attempt(tries: number): Promise<TrackerAnswer | number> {
      const endpoint = await endpointFor(call);
      const quotaAnswer = quota.ask(tenant.id, call, cause);
      if (!quotaAnswer.granted) {
        const { wait } = quotaAnswer;
        if (tries < MAX_TRIES && now() + wait < end) return wait;
        throw new TrackerDeferred(`${call.name}: has to wait`, wait, true);
      }
      const answer = await once(call, endpoint, Math.max(1, Math.min(TRY_TIMEOUT_MS, end - now())));
      if (answer) quotaAnswer.answered(answer);
      if (answer?.status === 401 && endpoint.kind === 'gateway') {
        if (outOfScope(answer)) return { status: 403, body: answer.body };
        await dropToken(endpoint);
        // The second try uses another token of the user.
        if (endpoint.asker !== undefined && tries === 1) return 0;
        throw new TokenRefused(`${call.name}: 401`, NO_TOKEN_PAUSE_MS);
      }
      if (answer && answer.status !== 429 && answer.status < 500) {
        const { status, body, header } = answer;
        return { status, body, ...(mayTakeEffect && { isUnsettled: true }), ...(call.ofPlatform && { header }) };
      }
      if (answer?.status !== 429) mayTakeEffect = true;
      const time = answer && retryTime(answer.status, answer.limits, now());
      const delay = retryDelay(tries, time, now());
      const isRepeatable = !call.once || answer?.status === 429;
      if (!isRepeatable || tries === MAX_TRIES || now() + delay >= end) {
        const retryAfter = time === undefined ? undefined : delay;
        const reason = `${call.name}: ${answer?.status ?? 'no answer'}`;
        throw new TrackerUnavailable(reason, retryAfter, !mayTakeEffect, answer?.status === 429);
      }
      return delay;
    }

    try {
      for (let tries = 1; ; tries += 1) {
        const result = await attempt(tries);
        if (typeof result !== 'number') return result;
        await sleep(result);
      }
    } catch (error) {
      // `TrackerDeferred` means that nothing was done: not so if an earlier try may have taken effect.
      if (!mayTakeEffect || !(error instanceof TrackerDeferred)) throw error;
      throw new TrackerUnavailable(error.message, error.retryAfter, false, error.isLimited);
    }
  };
}
