import type { QueryClient } from '@tanstack/react-query';
import type { HostBridge } from '../../../bridge/bridge.ts';
import type { Notify } from '../notify.ts';

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
