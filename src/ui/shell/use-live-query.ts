import { type QueryKey, useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { LiveEvent } from '../../client/live/events.ts';
import { useLive } from './use-live.ts';

/**
 * Reads what is shown under that key anew when the server tells that somebody has changed it. `kind` is of what it
 * tells. Answers whether changes are told.
 */
export function useLiveQuery(kind: LiveEvent['kind'], queryKey: QueryKey): boolean {
  const client = useQueryClient();
  const [stale, setStale] = useState(false);
  // What is being changed here shows at once; an answer that does not know of it yet would take it back.
  const due = useIsMutating() === 0 && stale;
  const read = useEffectEvent(() => {
    setStale(false);
    void client.invalidateQueries({ queryKey });
  });
  useEffect(() => {
    if (due) read();
  }, [due]);
  return useLive({}, event => {
    if (event.kind === kind || event.kind === 'open' || event.kind === 'gap') setStale(true);
  });
}
