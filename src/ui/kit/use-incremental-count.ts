import { startTransition, useEffect, useState } from 'react';

/** Rows that fill a screen. */
const FIRST = 40;
/** Rows that come at once after those: as many as are painted before anybody notices that he waits. */
const PIECE = 50;

/** How many of so many rows to render: those of a screen at once, the others piece by piece, so that nobody's key waits for them. */
export function useIncrementalCount(count: number): number {
  const [ready, setReady] = useState(FIRST);
  // Rows that have gone are made anew when they are back: by pieces, too.
  const most = Math.max(FIRST, Math.min(ready, count));
  if (most !== ready) setReady(most);
  useEffect(() => {
    if (ready < count) startTransition(() => setReady(Math.min(count, ready + PIECE)));
  }, [ready, count]);
  return Math.min(count, most);
}
