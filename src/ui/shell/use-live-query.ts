import { type QueryKey, useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { LiveEvent } from '../../client/live/events.ts';
import { useLive } from './use-live.ts';

/** Invalidates a query on live events of `kind` from other clients. Returns whether live events are connected. */
export function useLiveQuery(kind: LiveEvent['kind'], queryKey: QueryKey): boolean {
  const client = useQueryClient();
  const [stale, setStale] = useState(false);
  // Waits for own mutations: an answer without their optimistic values would revert them for a moment.
  const due = useIsMutating() === 0 && stale;
  const refetch = useEffectEvent(() => {
    setStale(false);
    void client.invalidateQueries({ queryKey });
  });
  useEffect(() => {
    if (due) refetch();
  }, [due]);
  return useLive({}, event => {
    if (event.kind === kind || event.kind === 'open' || event.kind === 'gap') setStale(true);
  });
}
