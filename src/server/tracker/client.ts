import { readJson } from '../../domain/json.ts';
import { pathOf, queryStringHash } from '../connect/qsh.ts';
import type { Tenant } from '../connect/tenants.ts';
import { retryDelay } from './retry.ts';
import { type Send, send as sendOver } from './send.ts';
import { signRequest } from './sign.ts';

/** A call to a tracker's REST API. It can be repeated without harm, unless it says otherwise. */
export interface TrackerCall {
  /** For the metrics. */
  name: string;
  method: 'GET' | 'PUT' | 'POST';
  /** From the product's root; parts that come from elsewhere are encoded. */
  path: string;
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  /** Only repeated when it surely took no effect: the tracker was too busy for it. */
  once?: boolean;
  /** Asked before each further try, since time has passed: whether it is still to be made. */
  again?(): Promise<boolean>;
}

/** Any answer but 429 and 5xx. `body` is `undefined` where it is no JSON. */
export interface TrackerAnswer {
  status: number;
  body: unknown;
  /** An earlier try got no answer, or a failure, and may still take effect. */
  late?: true;
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

/** The call is not to be tried again: it should start from what stands there now. */
export class TrackerOvertaken extends TrackerUnavailable {
  override readonly name = 'TrackerOvertaken';
}

/** What came of one try. */
interface Came {
  status: number;
  retryAfter: string | null;
  text: string;
}

/** Calls one tenant's tracker as the add-on. */
export type Tracker = (call: TrackerCall) => Promise<TrackerAnswer>;

export interface TrackerOptions {
  /** Told of every try: the call's name and the status, 0 for none. */
  onCall(name: string, status: number): void;
  send?: Send;
  /** Waits so many milliseconds. */
  sleep?(delay: number): Promise<void>;
}

/** Milliseconds for one try, and for all tries of a call with the pauses between. */
const TRY_TIMEOUT = 4_000;
export const CALL_TIMEOUT = 8_000;
const TRIES = 4;

const pause = (delay: number) => new Promise<void>(resolve => setTimeout(resolve, delay));

/** Calls signed for each request (Connect, "Authentication for apps"), tried again where that can help. */
export function createTracker(tenant: Tenant, { onCall, send = sendOver, sleep = pause }: TrackerOptions): Tracker {
  const basePath = pathOf(tenant.url);

  /** One try: the answer with its whole body, nothing where it did not come or broke off. */
  async function once({ name, method, path, query, json }: TrackerCall, time: number): Promise<Came | undefined> {
    const search = new URLSearchParams(query).toString();
    const url = search ? `${path}?${search}` : path;
    const token = signRequest(tenant.secret, queryStringHash(method, url), tenant.id);
    const headers = {
      accept: 'application/json',
      authorization: `JWT ${token}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
    };
    const body = json === undefined ? null : JSON.stringify(json);
    try {
      const received = await send(new URL(basePath + url, tenant.url), { method, headers, body, time });
      const { status } = received;
      const came = { status, retryAfter: received.headers.get('retry-after'), text: await received.text() };
      onCall(name, status);
      return came;
    } catch {
      onCall(name, 0);
      return undefined;
    }
  }

  return async call => {
    const end = Date.now() + CALL_TIMEOUT;
    let late: true | undefined;
    for (let tries = 1; ; tries += 1) {
      const came = await once(call, Math.max(1, Math.min(TRY_TIMEOUT, end - Date.now())));
      if (came && came.status !== 429 && came.status < 500) {
        return { status: came.status, body: readJson(came.text), ...(late && { late }) };
      }
      if (came?.status !== 429) late = true;
      const asked = came?.retryAfter ?? null;
      const delay = retryDelay(tries, asked, Date.now());
      const harmless = !call.once || came?.status === 429;
      if (!harmless || tries === TRIES || Date.now() + delay >= end) {
        throw new TrackerUnavailable(`${call.name}: ${came?.status ?? 'no answer'}`, asked ? delay : undefined);
      }
      await sleep(delay);
      if (call.again && !(await call.again())) throw new TrackerOvertaken(`${call.name}: overtaken`);
    }
  };
}
