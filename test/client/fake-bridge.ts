import type { HostBridge, HostRequest, HostResponse, Json } from '../../src/bridge/bridge.ts';

export type Answer = HostResponse | object | Promise<HostResponse | object>;
export type Handler = (path: string, init: HostRequest) => Answer;

export interface FakeBridge extends HostBridge {
  /** Answers the tracker's REST API and our server; an object is sent as JSON with status 200. */
  tracker: Handler;
  server: Handler;
  readonly calls: { to: 'tracker' | 'server'; path: string; init: HostRequest }[];
  readonly emitted: { event: string; data: Json }[];
  /** Publishes an event of another frame. */
  publish(event: string, data: Json): void;
}

/** The path of a sign-in in `calls`. */
export const SIGN_IN = 'sign-in';

export const status = (code: number, text = ''): HostResponse => ({ status: code, text });

const isResponse = (answer: object): answer is HostResponse => 'status' in answer && 'text' in answer;

export function fakeBridge(
  parts: { tracker?: Handler; server?: Handler } & Partial<Pick<HostBridge, 'owner'>> = {},
): FakeBridge {
  const calls: FakeBridge['calls'] = [];
  const emitted: FakeBridge['emitted'] = [];
  const listeners = new Map<string, Set<(data: Json) => void>>();
  const answer = async (to: 'tracker' | 'server', handler: Handler, path: string, init: HostRequest = {}) => {
    calls.push({ to, path, init });
    const given = await handler(path, init);
    return isResponse(given) ? given : { status: 200, text: JSON.stringify(given) };
  };
  const bridge: FakeBridge = {
    kind: 'connect',
    tracker: parts.tracker ?? (() => status(404, 'No such thing.')),
    server: parts.server ?? (() => status(404, 'No such thing.')),
    calls,
    emitted,
    context: async () => ({ surface: 'issue-context', issueKey: 'ABC-1', issueId: '10001', projectKey: 'ABC' }),
    request: (path, init) => answer('tracker', bridge.tracker, path, init),
    backend: (path, init) => answer('server', bridge.server, path, init),
    signIn: () => answer('server', bridge.server, SIGN_IN, {}),
    owner: parts.owner ?? (async () => ({ tenant: 'tenant', account: 'account' })),
    openDialog: async () => undefined,
    closeDialog: () => undefined,
    flag: () => undefined,
    emit: (event, data) => emitted.push({ event, data }),
    on: (event, listener) => {
      const subscribed = listeners.get(event) ?? new Set();
      listeners.set(event, subscribed.add(listener));
      return () => subscribed.delete(listener);
    },
    publish: (event, data) => {
      for (const listener of listeners.get(event) ?? []) listener(data);
    },
    resize: () => undefined,
    preferences: { get: async () => undefined, set: async () => undefined },
    navigate: () => undefined,
    openSettings: () => undefined,
    openAssigned: () => undefined,
    reload: () => undefined,
    hostUrl: async path => `https://site.example${path}`,
  };
  return bridge;
}

/** An unsigned session token of our server. */
export function sessionToken(name: string, { analytics = true } = {}): string {
  const payload = {
    iss: name,
    aud: 'tenant',
    sub: 'account',
    iat: 0,
    exp: Math.floor(Date.now() / 1000) + 3_600,
    site: 'https://site.example',
    settings: {
      getting_started_template_id: null,
      has_checklist: true,
      manage_permissions_enabled: false,
      view_permissions_enabled: true,
      analytics_enabled: analytics,
    },
  };
  return `head.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.signature`;
}
