import { useDeferredValue } from 'react';

/** Rows that fill a screen. */
const FIRST = 40;

/** How many of so many rows to render: those of a screen at once, the others piece by piece, so that nobody's key waits for them. */
export function useGradually(count: number): number {
  return Math.min(count, Math.max(FIRST, useDeferredValue(count, FIRST)));
}
