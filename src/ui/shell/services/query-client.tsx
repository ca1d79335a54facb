import {
  MutationCache,
  notifyManager,
  type Query,
  QueryCache,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import { type ComponentType, type ReactNode, use, useEffect, useState } from 'react';
import { failureMessage, retryQuery } from '../../../client/errors.ts';
import { showFocusAfterKeys } from '../../kit/key-focus.ts';
import { retryInterval } from './retry-interval.ts';
import { type Notify, useServices } from './services.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `silent`: errors are not shown; the screen shows them itself, or they are unimportant. */
    queryMeta: { failure?: string; silent?: true };
    mutationMeta: { success?: string; failure?: string; silent?: true };
  }
}

/** By default data that a key press set is rendered in a later task, and the next key press acts on what stood before. */
notifyManager.setScheduler(queueMicrotask);

// Here, since every frame loads this module directly after its first paint.
showFocusAfterKeys();

/**
 * The cache of the server's and the tracker's answers. Shows flags for results with the operation's own messages, for
 * errors with `meta.failure` if an operation has none. A query that keeps failing is reported once.
 */
export function createQueryClient(notify: Notify): QueryClient {
  const failing = new WeakSet<Query<unknown, unknown, unknown>>();
  return new QueryClient({
    defaultOptions: { queries: { retry: retryQuery, refetchInterval: retryInterval } },
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.silent || failing.has(query)) return;
        failing.add(query);
        notify(failureMessage(error, query.meta?.failure), 'error');
      },
      onSuccess: (_data, query) => void failing.delete(query),
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, { meta }) => {
        if (!meta?.silent) notify(failureMessage(error, meta?.failure), 'error');
      },
      onSuccess: (_data, _variables, _result, { meta }) => {
        if (meta?.success) notify(meta.success);
      },
    }),
  });
}

/** Wraps a screen in the query cache's provider. */
export function withQueries(Screen: ComponentType): ComponentType {
  return function Cached() {
    return (
      <QueryClientProvider client={use(useServices().queries())}>
        <Screen />
      </QueryClientProvider>
    );
  };
}

/** Renders with the query cache, which the panel's first load lacks; `without` until it is loaded, or if it fails. */
export function Cached({ without, children }: { without: ReactNode; children: ReactNode }) {
  const { queries } = useServices();
  const [client, setClient] = useState<QueryClient | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    queries().then(
      loaded => isCurrent && setClient(loaded),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [queries]);
  return client ? <QueryClientProvider client={client}>{children}</QueryClientProvider> : without;
}
