import { type Cache, createCache } from '../store/cached.ts';

/** Whose requests are counted as one. */
export interface Subject {
  /** Empty for subjects of no tenant. */
  tenant: string;
  key: string;
}

/** The remaining requests of a minute. */
export interface RateStatus {
  max: number;
  remaining: number;
  /** Seconds until the minute ends. */
  reset: number;
  isExceeded: boolean;
}

/** Requests of this process by subject and minute. Behind N processes a subject has at most N times a limit. */
export interface Rates {
  /** Counts a request, which weighs as many as `weight`. */
  count(subject: Subject, max: number, weight?: number): RateStatus;
  /** Reads the remaining requests without counting a request. */
  look(subject: Subject, max: number): RateStatus;
}

const MINUTE_MS = 60_000;
/** Counted in one minute. Beyond it, the least recently seen subjects are forgotten. */
const MAX_SUBJECTS = 100_000;

export function createRates(now: () => number = Date.now): Rates {
  let [minute, counts] = [0, createCache<number>(MAX_SUBJECTS)];

  /** The counts of this minute. */
  function current(): Cache<number> {
    const time = Math.floor(now() / MINUTE_MS);
    if (time !== minute) [minute, counts] = [time, createCache<number>(MAX_SUBJECTS)];
    return counts;
  }

  function add({ tenant, key }: Subject, max: number, weight: number): RateStatus {
    const id = `${tenant} ${key}`;
    const used = (current().get(id) ?? 0) + weight;
    if (weight > 0) counts.set(id, used);
    const reset = Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - now()) / 1000));
    return { max, remaining: Math.max(0, max - used), reset, isExceeded: used > max };
  }

  return {
    count: (subject, max, weight = 1) => add(subject, max, weight),
    look: (subject, max) => add(subject, max, 0),
  };
}
