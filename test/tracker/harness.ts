import { createTracker, type Tracker } from '../../src/tracker/app.ts';
import { type Role, roles } from '../../src/tracker/site/model.ts';
import { people } from '../../src/tracker/site/people.ts';
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

/** A tracker in memory with the fake add-on installed, called without a network. */
export interface TestTracker {
  tracker: Tracker;
  addon: FakeAddon;
  /** Further ones, by the keys that were asked for. */
  others: readonly FakeAddon[];
  /** Calls as somebody with that role. */
  as(role: Role): Ask;
  anonymous: Ask;
  close(): Promise<void>;
}

export async function startTracker({
  install = true,
  data,
  others: keys = [],
}: {
  install?: boolean;
  data?: string;
  others?: readonly string[];
} = {}): Promise<TestTracker> {
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
  });
  if (install) for (const each of tracker.addons) await each.check();
  return {
    tracker,
    addon,
    others,
    anonymous: asking(tracker, {}),
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

function asking({ app }: Tracker, identity: Record<string, string>): Ask {
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
