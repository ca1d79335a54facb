import { sleep as pause } from '../../domain/timing.ts';
import type { Tracker } from '../platform/tracker/client.ts';

/** Limits the calls of a job to one tenant's tracker: users' calls have priority. */
const CALLS_PER_SECOND = 10;

/** Waits until `calls` more calls are permitted. */
export type Pace = (calls: number) => Promise<void>;

export function createPace(sleep: (delay: number) => Promise<void> = pause, now: () => number = Date.now): Pace {
  let next = 0;
  return async calls => {
    const start = Math.max(now(), next);
    next = start + (calls * 1000) / CALLS_PER_SECOND;
    const wait = start - now();
    if (wait > 0) await sleep(wait);
  };
}

/** Throttles the calls of a tracker. */
export const pacedTracker =
  (tracker: Tracker, pace: Pace): Tracker =>
  async call => {
    await pace(1);
    return tracker(call);
  };
