import type { HostBridge, HostContext, HostFlag, HostRequest, HostResponse } from '../../src/bridge/bridge.ts';
import { noBridge } from '../../src/bridge/none.ts';
import { createGraphql } from '../../src/client/graphql.ts';
import type { Session, SessionStore } from '../../src/client/session.ts';
import { createStore } from '../../src/client/store.ts';
import { unreachable } from '../../src/domain/messages.ts';
import type { SessionPayload } from '../../src/domain/token.ts';
import type { AppServices } from '../../src/ui/app.tsx';
import { createNavigation } from '../../src/ui/shell/navigation/navigation.ts';
import type { Services } from '../../src/ui/shell/services/services.ts';
import { createOnce, lazyQueries } from '../../src/ui/shell/services/services.ts';

export const payload: SessionPayload = {
  iss: 'app.smart-checklist.pro',
  aud: 'tenant',
  sub: 'ana',
  iat: 0,
  exp: 4_000_000_000,
  site: 'https://site.example',
  settings: {
    getting_started_template_id: null,
    has_checklist: false,
    manage_permissions_enabled: false,
    view_permissions_enabled: false,
    analytics_enabled: true,
    licensed: true,
  },
};

const pending: Session = {
  status: 'pending',
  retrying: false,
  token: undefined,
  payload: undefined,
  unauthorized: false,
  why: undefined,
};

export const sessions = {
  pending,
  ok: { ...pending, status: 'ok', token: 'token', payload },
  fail: { ...pending, status: 'fail', why: unreachable.server },
  retrying: { ...pending, status: 'fail', retrying: true, why: unreachable.server },
  /** An established session that the server now refuses. */
  expired: { ...pending, status: 'fail', token: 'token', payload, unauthorized: true },
} as const satisfies Record<string, Session>;

export const json = (value: unknown, status = 200): HostResponse => ({ status, text: JSON.stringify(value) });

export interface Fakes {
  services: AppServices;
  /** Flags shown to the user. */
  flags: HostFlag[];
  /** Locations that the frame navigated to, and results that its dialog was closed with. */
  exits: unknown[];
  retries: () => number;
  setSession(session: Session): void;
}

interface Answers {
  path: string;
  context?: HostContext;
  granted?: readonly string[];
  session?: Session;
  tracker?: (path: string, init?: HostRequest) => Promise<HostResponse>;
  server?: (path: string, init?: HostRequest) => Promise<HostResponse>;
}

/** A session whose state the test sets. */
function fakeSession(first: Session = sessions.ok, retry: () => void = () => undefined) {
  const store = createStore(first);
  const session: SessionStore = {
    ...store,
    start: () => () => undefined,
    retry,
    token: () => Promise.resolve('token'),
    renew: () => Promise.resolve('token'),
  };
  return { store, session };
}

/** Services of which the test sets only some. */
export function servicesWith(some: Partial<Services>): Services {
  const { bridge = noBridge(''), navigation = createNavigation(window) } = some;
  const { session } = fakeSession();
  return {
    bridge,
    session,
    graphql: createGraphql(bridge, session),
    queries: lazyQueries(bridge),
    navigation,
    once: createOnce(bridge),
    host: { surface: 'page' },
    ...some,
  };
}

/** A tracker and a server that answer at once, and a session whose state the test sets. */
export function fakeServices(answers: Answers): Fakes {
  const { path, granted = [], context = { surface: 'page', projectKey: 'ABC' } } = answers;
  window.history.replaceState(null, '', path);
  const flags: HostFlag[] = [];
  const exits: unknown[] = [];
  let retries = 0;
  const tracker = (asked: string) =>
    Promise.resolve(
      asked.endsWith('/myself')
        ? json({ accountId: 'ana', displayName: 'Ana' })
        : json({ permissions: Object.fromEntries(granted.map(key => [key, { key, havePermission: true }])) }),
    );
  const bridge: HostBridge = {
    ...noBridge(''),
    kind: 'connect',
    request: answers.tracker ?? tracker,
    backend: answers.server ?? (() => Promise.resolve(json({ data: { featureFlags: {} } }))),
    hostUrl: to => Promise.resolve(`https://site.example${to}`),
    flag: flag => flags.push(flag),
    navigate: to => exits.push(to),
    closeDialog: result => exits.push(result),
  };
  const { store, session } = fakeSession(answers.session, () => {
    retries += 1;
  });
  return {
    services: {
      bridge,
      context: Promise.resolve(context),
      session,
      graphql: createGraphql(bridge, session),
      queries: lazyQueries(bridge),
      navigation: createNavigation(window),
      once: createOnce(bridge),
    },
    flags,
    exits,
    retries: () => retries,
    setSession: store.set,
  };
}
