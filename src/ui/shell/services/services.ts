import { createContext, useContext, useSyncExternalStore } from 'react';
import type { HostBridge, HostContext } from '../../../bridge/bridge.ts';
import type { GraphqlClient } from '../../../client/graphql.ts';
import type { Session, SessionStore } from '../../../client/session.ts';
import type { Navigation } from '../navigation/navigation.ts';
import type { Queries } from './queries.ts';

/** What every screen stands on. */
export interface Services {
  /** The tracker around this frame. */
  bridge: HostBridge;
  session: SessionStore;
  /** The client for our own server's operations; it sends the session's token. */
  graphql: GraphqlClient;
  queries: Queries;
  navigation: Navigation;
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
