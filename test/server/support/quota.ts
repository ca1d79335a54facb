import type { Quota } from '../../../src/server/quota/quota.ts';

/** A quota that is never used up. */
export const unlimited: Quota = { ask: () => ({ granted: true, answered: () => {} }) };

/** A time in the middle of an hour. */
export const HALF_PAST = Date.parse('2026-11-23T12:30:00Z');

/** A clock that advances only on demand. */
export function createClock(start: number) {
  let time = start;
  return {
    now: () => time,
    elapse(delay: number) {
      time += delay;
    },
  };
}
