import { failures, unreachable } from '../domain/messages.ts';
import { asRefusal } from './errors/refusal.ts';
import { TrackerUnavailable } from './platform/tracker/client.ts';
import { Refused } from './errors/refused.ts';

/** Runs it for somebody who waits: `failure` are the words for what did not work and has none of its own. */
export type Refusing = <T>(work: Promise<T>, failure?: string) => Promise<T>;

/** Turns what was to be expected into refusals, and what was not into one with the words for it. */
export const createRefusing =
  (onError: (error: unknown) => void): Refusing =>
  async (work, failure) => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof TrackerUnavailable) throw new Refused('TRACKER_UNAVAILABLE', failure ?? unreachable.tracker);
      const refusal = asRefusal(error);
      if (refusal instanceof Refused) throw refusal;
      onError(error);
      throw new Refused('UNKNOWN', failure ?? failures.unknown);
    }
  };
