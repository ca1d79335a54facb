import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { HostBridge, HostContext, HostFlag } from '../../../bridge/bridge.ts';
import type { EventProperties } from '../../../client/analytics.ts';
import type { GraphqlClient } from '../../../client/graphql.ts';
import type { Session, SessionStore } from '../../../client/session.ts';
import type { AnalyticsEvent } from '../../../domain/events.ts';
import type { User } from '../../../domain/user.ts';
import type { Navigation } from '../navigation/navigation.ts';

/**
 * Loads the cache of the server's answers at first use: the issue panel shows its rows without it. A failed load is
 * retried at the next call.
 */
export type Queries = () => Promise<QueryClient>;

export function lazyQueries(bridge: HostBridge): Queries {
  const notify = notifierOf(bridge);
  let client: Promise<QueryClient> | undefined;
  return () => {
    client ??= import('./query-client.tsx').then(
      ({ createQueryClient }) => createQueryClient(notify),
      (error: unknown) => {
        client = undefined;
        throw error;
      },
    );
    return client;
  };
}

/** Returns the page's single value of a factory function, created at first use. */
export type Once = <Value>(create: (bridge: HostBridge) => Value) => Value;

export function createOnce(bridge: HostBridge): Once {
  const instances = new Map<unknown, unknown>();
  return <Value>(create: (bridge: HostBridge) => Value) => {
    if (!instances.has(create)) instances.set(create, create(bridge));
    return instances.get(create) as Value;
  };
}

/** The services that every screen uses. */
export interface Services {
  /** The bridge to the tracker. */
  bridge: HostBridge;
  session: SessionStore;
  /** The client for the app server's operations; sends the session token. */
  graphql: GraphqlClient;
  queries: Queries;
  navigation: Navigation;
  once: Once;
  /** The frame's surface, issue and project. */
  host: HostContext;
}

const Context = createContext<Services | undefined>(undefined);

export const ServicesProvider = Context.Provider;

export function useServices(): Services {
  const services = useContext(Context);
  if (!services) throw new Error('No ServicesProvider');
  return services;
}

export const useBridge = (): HostBridge => useServices().bridge;

export const useGraphql = (): GraphqlClient => useServices().graphql;

export const useHostContext = (): HostContext => useServices().host;

export const useSessionStore = (): SessionStore => useServices().session;

/** The connection to the app's server: status, token, payload. */
export function useSession(): Session {
  const { subscribe, get } = useSessionStore();
  return useSyncExternalStore(subscribe, get);
}

/**
 * A context of its own, since the user changes after the first paint, and permissions differ between the issues of the
 * hierarchy: users of the services do not rerender.
 */
const CurrentUser = createContext<User | undefined>(undefined);

export const UserProvider = CurrentUser.Provider;

/**
 * The user and their permissions. In the issue panel, which does not wait, first an anonymous user with read permission
 * only; everywhere else the user is loaded before a screen is shown.
 */
export function useUser(): User {
  const user = useContext(CurrentUser);
  if (!user) throw new Error('No UserProvider');
  return user;
}

export type Notify = (message: string, type?: NonNullable<HostFlag['type']>) => void;

/** Shows a flag on the tracker's page that closes automatically; of type success by default. */
export const notifierOf =
  (bridge: HostBridge): Notify =>
  (title, type = 'success') =>
    bridge.flag({ title, type });

export function useNotify(): Notify {
  const bridge = useBridge();
  return useMemo(() => notifierOf(bridge), [bridge]);
}

/** Runs a function with the analytics module, which is loaded lazily; failures are ignored. */
export const withAnalytics = (use: (analytics: typeof import('../../../client/analytics.ts')) => void): void =>
  void import('../../../client/analytics.ts').then(use).catch(() => undefined);

/**
 * Reloads the page when a file of its build is gone (`newer-build.ts`). Listens once: if the module for that is gone,
 * too, the error that follows remains.
 */
export const watchFiles = (navigation: Navigation): void =>
  addEventListener(
    'vite:preloadError',
    () =>
      void import('./newer-build.ts').then(({ reloadForFiles }) => reloadForFiles(navigation)).catch(() => undefined),
    { once: true },
  );

/** Returns the function that tracks a user action. */
export const trackerOf =
  ({ bridge, session }: Pick<Services, 'bridge' | 'session'>) =>
  (event: AnalyticsEvent, properties?: EventProperties): void =>
    withAnalytics(({ track }) => track({ bridge, session }, event, properties));

export function useTrack(): ReturnType<typeof trackerOf> {
  const services = useServices();
  return useMemo(() => trackerOf(services), [services]);
}

/** Tracks an event once when a component is mounted. */
export function useTracked(event: AnalyticsEvent): void {
  const track = useTrack();
  const tracked = useRef<AnalyticsEvent>(undefined);
  useEffect(() => {
    if (tracked.current !== event) track(event);
    tracked.current = event;
  }, [track, event]);
}
