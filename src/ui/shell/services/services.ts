import type { QueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { HostBridge, HostContext, HostFlag } from '../../../bridge/bridge.ts';
import type { GraphqlClient } from '../../../client/graphql.ts';
import type { Session, SessionStore } from '../../../client/session.ts';
import type { User } from '../../../domain/user.ts';
import type { Navigation } from '../navigation/navigation.ts';

/**
 * The cache of what the server says, fetched when it is first asked for: the issue panel shows its rows without it. A
 * fetch that fails is done anew by the next who asks.
 */
export type Queries = () => Promise<QueryClient>;

export function lazyQueries(bridge: HostBridge): Queries {
  const notify: Notify = (title, type = 'success') => bridge.flag({ title, type });
  let client: Promise<QueryClient> | undefined;
  return () => {
    client ??= import('./query-client.ts').then(
      ({ createQueryClient }) => createQueryClient(notify),
      (error: unknown) => {
        client = undefined;
        throw error;
      },
    );
    return client;
  };
}

/** The value of a page that a function makes, at its first use; the same function gives the same value. */
export type Once = <Value>(create: (bridge: HostBridge) => Value) => Value;

export function createOnce(bridge: HostBridge): Once {
  const made = new Map<unknown, unknown>();
  return <Value>(create: (bridge: HostBridge) => Value) => {
    if (!made.has(create)) made.set(create, create(bridge));
    return made.get(create) as Value;
  };
}

/** What every screen stands on. */
export interface Services {
  /** The tracker around this frame. */
  bridge: HostBridge;
  session: SessionStore;
  /** The client for our own server's operations; it sends the session's token. */
  graphql: GraphqlClient;
  queries: Queries;
  navigation: Navigation;
  once: Once;
  /** Where this frame stands, and the issue and project that it is about. */
  host: HostContext;
}

const Context = createContext<Services | undefined>(undefined);

export const ServicesProvider = Context.Provider;

export function useServices(): Services {
  const services = useContext(Context);
  if (!services) throw new Error('useServices must be used within a ServicesProvider');
  return services;
}

export const useBridge = (): HostBridge => useServices().bridge;

export const useGraphql = (): GraphqlClient => useServices().graphql;

export const useHostContext = (): HostContext => useServices().host;

export const useSessionStore = (): SessionStore => useServices().session;

/** The connection to our own server: status, token, payload. */
export function useSession(): Session {
  const { subscribe, get } = useSessionStore();
  return useSyncExternalStore(subscribe, get);
}

/** Apart from the services, since the user changes after the first paint: what needs services only is not rendered again. */
const CurrentUser = createContext<User | undefined>(undefined);

export const UserProvider = CurrentUser.Provider;

/**
 * The user and their permissions. In the issue panel, which does not wait, this is first an anonymous user who may only
 * read; everywhere else the user is loaded before a screen is shown.
 */
export function useUser(): User {
  const user = useContext(CurrentUser);
  if (!user) throw new Error('useUser must be used within a UserProvider');
  return user;
}

export type Notify = (message: string, type?: NonNullable<HostFlag['type']>) => void;

/** Says something to the user with a flag on the tracker's page that closes by itself; a success unless told. */
export function useNotify(): Notify {
  const bridge = useBridge();
  return useCallback((title, type = 'success') => bridge.flag({ title, type }), [bridge]);
}
