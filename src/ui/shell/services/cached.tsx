import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useServices } from './services.ts';

/** Renders with the query cache, which the panel's first load lacks; `without` until it is loaded, or if it fails. */
export function Cached({ without, children }: { without: ReactNode; children: ReactNode }) {
  const { queries } = useServices();
  const [client, setClient] = useState<QueryClient | undefined>(undefined);
  useEffect(() => {
    let wanted = true;
    queries().then(
      loaded => wanted && setClient(loaded),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [queries]);
  return client ? <QueryClientProvider client={client}>{children}</QueryClientProvider> : without;
}
