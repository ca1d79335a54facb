import * as v from 'valibot';
import type { HostBridge, HostRequest, HostResponse } from '../../bridge/bridge.ts';
import { readAs } from '../../domain/shape.ts';
import { backoff, sleep } from '../../domain/timing.ts';
import { TrackerError } from '../errors.ts';
import { parseJson } from './call.ts';

/** The tracker is throttling. */
export class TooManyCalls extends TrackerError {
  /** Milliseconds until the next call is accepted. */
  readonly wait: number;
  constructor({ status, text }: HostResponse, wait: number) {
    super(status, text);
    this.wait = wait;
  }
}

/** Tracker calls that respect throttling. */
export interface Throttled {
  call(path: string, init?: HostRequest): Promise<unknown>;
}

export interface ThrottleOptions {
  signal: AbortSignal | undefined;
  /** Called with the end of a pause in milliseconds since the epoch, and with `undefined` when it is over. */
  onWait(until: number | undefined): void;
  now?: () => number;
}

const TOO_MANY_STATUS = 429;
const UNAVAILABLE_STATUS = 503;
/** The first backoff if the tracker names no delay, and the longest accepted wait. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const MAX_TRIES = 5;

const headersShape = v.record(v.string(), v.unknown());

/** The delay requested by an answer, in milliseconds, from seconds or a date; `undefined` without one. */
export function retryAfterOf({ headers }: HostResponse, now: number): number | undefined {
  const headerEntries = Object.entries(readAs(headersShape, headers) ?? {});
  const value = headerEntries.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
  if (typeof value !== 'string' || value === '') return undefined;
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return wait >= 0 ? wait : undefined;
}

/**
 * Calls the tracker as the user, one call after the other. When throttled, it waits for the requested delay, else with
 * backoff; a wait beyond the longest is `TooManyCalls`.
 */
export function throttled(bridge: HostBridge, { signal, onWait, now = Date.now }: ThrottleOptions): Throttled {
  const attempt = async (path: string, init: HostRequest | undefined, tries: number): Promise<unknown> => {
    const answer = await bridge.request(path, { ...init, ...(signal && { signal }) });
    const { status, text } = answer;
    if (status >= 200 && status <= 299) return parseJson(text);
    const requestedWait = retryAfterOf(answer, now());
    if (status !== TOO_MANY_STATUS && (status !== UNAVAILABLE_STATUS || requestedWait === undefined))
      throw new TrackerError(status, text);
    const wait = requestedWait ?? backoff(tries, FIRST_PAUSE_MS, MAX_PAUSE_MS);
    if (wait > MAX_PAUSE_MS || tries + 1 >= MAX_TRIES) throw new TooManyCalls(answer, wait);
    onWait(now() + wait);
    try {
      await sleep(wait, signal);
    } finally {
      onWait(undefined);
    }
    return attempt(path, init, tries + 1);
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    call: (path, init) => {
      const next = last.then(() => attempt(path, init, 0));
      last = next.catch(() => undefined);
      return next;
    },
  };
}
