import { createQueryStringHash, encodeSymmetric, fromMethodAndUrl } from 'atlassian-jwt';
import { createTracker, type Tracker, type TrackerOptions, type TrackerSite } from '../../src/tracker/app.ts';
import { type Role, roles } from '../../src/tracker/site/model.ts';
import { people } from '../../src/tracker/site/people.ts';
import { recordCall } from '../run/vendor-calls.ts';
import { type FakeAddon, startFakeAddon } from './addon.ts';

export const PORT = 2990;

export interface Answer {
  status: number;
  /** Parsed where it is JSON, else the text. */
  body: unknown;
  headers: Record<string, unknown>;
}

export type Ask = (
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  url: string,
  options?: { json?: unknown; raw?: string; headers?: Record<string, string> },
) => Promise<Answer>;

/** For a tracker's `sleep`: delays of faults last until a test ends them. */
export function heldSleep() {
  const waiting: (() => void)[] = [];
  return {
    sleep: () => new Promise<void>(resolve => waiting.push(resolve)),
    waiting: () => waiting.length,
    end() {
      for (const wake of waiting.splice(0)) wake();
    },
  };
}

/** A tracker in memory with the fake add-on installed, called without a network. */
export interface TestTracker {
  tracker: Tracker;
  addon: FakeAddon;
  /** Further ones, by their keys. */
  others: readonly FakeAddon[];
  /** Calls as the user with that role. */
  as(role: Role): Ask;
  anonymous: Ask;
  /** Calls as the server of an add-on, by default of the first one at the first site. */
  asAddon(at?: TrackerSite, number?: number): Ask;
  close(): Promise<void>;
}

export async function startTracker({
  install = true,
  data,
  others: keys = [],
  ...options
}: {
  install?: boolean;
  data?: string;
  others?: readonly string[];
} & Pick<
  TrackerOptions,
  'secondPort' | 'quota' | 'now' | 'sleep' | 'forge' | 'eventPauses'
> = {}): Promise<TestTracker> {
  const addon = await startFakeAddon();
  const others = await Promise.all(keys.map(key => startFakeAddon(key)));
  const tracker = await createTracker({
    port: PORT,
    data,
    addonUrls: [addon, ...others].map(({ url }) => url),
    pageDir: '/nowhere',
    logLevel: 'silent',
    webhookPauses: [0, 0],
    taskPause: 0,
    onServed: recordCall,
    ...options,
  });
  const { second } = tracker;
  if (install) {
    for (const each of [...tracker.addons, ...(second?.addons ?? [])]) await each.check();
    for (const site of [tracker, second]) await site?.forge?.app.check();
  }
  return {
    tracker,
    addon,
    others,
    anonymous: asking(tracker, {}),
    asAddon:
      (at = tracker, number = 0) =>
      (method, url, asked) =>
        asking(at, { authorization: `JWT ${tokenFor(at, number, method, url)}` })(method, url, asked),
    as: role => asking(tracker, { cookie: `tracker.account=${encodeURIComponent(accountOf(role))}` }),
    async close() {
      await tracker.app.close();
      await Promise.all([addon, ...others].map(each => each.close()));
    },
  };
}

export function accountOf(role: Role): string {
  return people[roles.indexOf(role)]?.accountId ?? '';
}

function tokenFor({ addons }: TrackerSite, number: number, method: string, url: string): string {
  const shared = addons[number]?.installed()?.shared;
  if (!shared) throw new Error('The add-on is not installed.');
  const iat = Math.floor(Date.now() / 1000);
  const qsh = createQueryStringHash(fromMethodAndUrl(method, url), false);
  return encodeSymmetric({ iss: shared.addonKey, iat, exp: iat + 180, qsh }, shared.sharedSecret);
}

function asking({ app }: TrackerSite, identity: Record<string, string>): Ask {
  return async (method, url, { json, raw, headers = {} } = {}) => {
    const payload = raw ?? (json === undefined ? undefined : JSON.stringify(json));
    const answer = await app.inject({
      method,
      url,
      headers: { ...identity, ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(payload !== undefined && { payload }),
    });
    return { status: answer.statusCode, body: parsed(answer.body), headers: answer.headers };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
