const FIRST = 200;
const MOST = 2_000;

/**
 * Milliseconds until the next try: until the time that the tracker asks for, if any, else twice as long each time, with
 * some chance in it so that many do not come back at once.
 */
export function retryDelay(tries: number, asked: number | undefined, now: number): number {
  if (asked !== undefined) return Math.max(0, asked - now);
  return Math.min(MOST, FIRST * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
}
