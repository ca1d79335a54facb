import type { Work } from './work.ts';

/** Most pieces of work that are remembered. */
const MOST = 10_000;

/** Work of this process that was told to wait. */
export interface Waiting {
  add(work: Work, subject: string, until: number): void;
  /** It goes on. */
  remove(work: Work, subject: string): void;
  /** How many pieces of work of a class wait at this time. */
  count(work: Work, now: number): number;
}

export function createWaiting(): Waiting {
  const waiting = new Map<string, { work: Work; until: number }>();
  const keyOf = (work: Work, subject: string) => `${work} ${subject}`;
  return {
    add(work, subject, until) {
      if (waiting.size >= MOST) waiting.clear();
      waiting.set(keyOf(work, subject), { work, until });
    },
    remove(work, subject) {
      if (waiting.size > 0) waiting.delete(keyOf(work, subject));
    },
    count(work, now) {
      for (const [key, { until }] of waiting) if (until <= now) waiting.delete(key);
      return [...waiting.values()].filter(each => each.work === work).length;
    },
  };
}
