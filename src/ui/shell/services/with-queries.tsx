import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, use } from 'react';
import { useServices } from './services.ts';

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
