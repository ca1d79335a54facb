const FIRST = 200;
const MOST = 2_000;
/** Longer than any limit of the tracker lasts; nobody is left alone for ever by a number. */
const MOST_ASKED = 3_600_000;

/**
 * Milliseconds until the next try: as long as the tracker asks for (`Retry-After`, in seconds or as a date), else
 * twice as long each time, with some chance in it so that many do not come back at once.
 */
export function retryDelay(tries: number, retryAfter: string | null, now: number): number {
  if (retryAfter) {
    const asked = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
    if (asked >= 0) return Math.min(asked, MOST_ASKED);
  }
  return Math.min(MOST, FIRST * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
}
