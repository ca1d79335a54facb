import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Notify } from '../notify.ts';
import { required } from './required.ts';

/**
 * The cache of what the server says, fetched when it is first asked for: the issue panel shows its rows without it. A
 * fetch that fails is done anew by the next who asks.
 */
export type Queries = () => Promise<QueryClient>;

export function lazyQueries(notify: Notify): Queries {
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

const Context = createContext<Queries | undefined>(undefined);

export const QueriesProvider = Context.Provider;

export const useQueries = (): Queries =>
  required(useContext(Context), 'useQueries must be used within a QueriesProvider');
