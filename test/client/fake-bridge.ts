import type { HostBridge, HostRequest, HostResponse, Json } from '../../src/bridge/bridge.ts';

export type Answer = HostResponse | object | Promise<HostResponse | object>;
export type Handler = (path: string, init: HostRequest) => Answer;

export interface FakeBridge extends HostBridge {
  /** Answers the tracker's REST API and our server; an object is sent as JSON with status 200. */
  tracker: Handler;
  server: Handler;
  readonly calls: { to: 'tracker' | 'server'; path: string; init: HostRequest }[];
  readonly told: { event: string; data: Json }[];
  /** As another frame would tell it. */
  tell(event: string, data: Json): void;
}

/** How a sign-in shows among the calls. */
export const SIGN_IN = 'sign-in';

export const status = (code: number, text = ''): HostResponse => ({ status: code, text });

const isResponse = (answer: object): answer is HostResponse => 'status' in answer && 'text' in answer;

export function fakeBridge(
  parts: { tracker?: Handler; server?: Handler } & Partial<Pick<HostBridge, 'owner'>> = {},
): FakeBridge {
  const calls: FakeBridge['calls'] = [];
  const told: FakeBridge['told'] = [];
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
    told,
    context: async () => ({ surface: 'issue-context', issueKey: 'ABC-1', issueId: '10001', projectKey: 'ABC' }),
    request: (path, init) => answer('tracker', bridge.tracker, path, init),
    backend: (path, init) => answer('server', bridge.server, path, init),
    signIn: () => answer('server', bridge.server, SIGN_IN, {}),
    owner: parts.owner ?? (async () => ({ tenant: 'tenant', account: 'account' })),
    openDialog: async () => undefined,
    closeDialog: () => undefined,
    flag: () => undefined,
    emit: (event, data) => told.push({ event, data }),
    on: (event, listener) => {
      const heard = listeners.get(event) ?? new Set();
      listeners.set(event, heard.add(listener));
      return () => heard.delete(listener);
    },
    tell: (event, data) => {
      for (const listener of listeners.get(event) ?? []) listener(data);
    },
    resize: () => undefined,
    preferences: { get: async () => undefined, set: async () => undefined },
    navigate: () => undefined,
    openSettings: () => undefined,
    reload: () => undefined,
    hostUrl: async path => `https://site.example${path}`,
  };
  return bridge;
}

/** A session token as our server makes them, unsigned. */
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
