import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Session, SessionStore } from '../../../client/session.ts';
import { required } from './required.ts';

const Store = createContext<SessionStore | undefined>(undefined);

export const SessionProvider = Store.Provider;

export const useSessionStore = (): SessionStore =>
  required(useContext(Store), 'useSession must be used within a SessionProvider');

/** How far we are with our own server: status, token, payload. */
export function useSession(): Session {
  const { subscribe, get } = useSessionStore();
  return useSyncExternalStore(subscribe, get);
}
