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

const TOO_MANY = 429;
const BUSY = 503;
/** Milliseconds: the first backoff where the tracker names no delay, and the longest accepted wait. */
const FIRST = 1_000;
const LONGEST = 60_000;
/** Maximum attempts per call. */
const TRIES = 5;

const headersShape = v.record(v.string(), v.unknown());

/** The delay requested by an answer, in milliseconds, from seconds or a date; `undefined` without one. */
export function askedWait({ headers }: HostResponse, now: number): number | undefined {
  const all = Object.entries(readAs(headersShape, headers) ?? {});
  const value = all.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
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
    const asked = askedWait(answer, now());
    if (status !== TOO_MANY && (status !== BUSY || asked === undefined)) throw new TrackerError(status, text);
    const wait = asked ?? backoff(tries, FIRST, LONGEST);
    if (wait > LONGEST || tries + 1 >= TRIES) throw new TooManyCalls(answer, wait);
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
