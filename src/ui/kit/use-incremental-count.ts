import { startTransition, useEffect, useState } from 'react';

/** Rows of the first render: a screen of them. */
const FIRST = 40;
/** Rows of each further render: as many as render without a noticeable delay. */
const BATCH = 50;

/**
 * Returns how many of `count` rows to render: a screen of them at once, the others in transitions, so that input stays
 * responsive.
 */
export function useIncrementalCount(count: number): number {
  const [ready, setReady] = useState(FIRST);
  // Rows that return after a filter are rendered in chunks again.
  const most = Math.max(FIRST, Math.min(ready, count));
  if (most !== ready) setReady(most);
  useEffect(() => {
    if (ready < count) startTransition(() => setReady(Math.min(count, ready + BATCH)));
  }, [ready, count]);
  return Math.min(count, most);
}
