const FIRST = 200;
const MOST = 2_000;

/**
 * Milliseconds until the next try: twice as long each time, with some chance in it so that many do not come back at once,
 * and not before the time that the tracker asks for, if any.
 */
export function retryDelay(tries: number, asked: number | undefined, now: number): number {
  const backoff = Math.min(MOST, FIRST * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
  return Math.max(backoff, (asked ?? now) - now);
}
