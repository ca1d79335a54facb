import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, use } from 'react';
import { useQueries } from './queries-context.ts';

/** A screen with the cache around it. */
export function withQueries(Screen: ComponentType): ComponentType {
  return function Cached() {
    return (
      <QueryClientProvider client={use(useQueries()())}>
        <Screen />
      </QueryClientProvider>
    );
  };
}
