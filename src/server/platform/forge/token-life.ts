import { decodeJwt } from 'jose';

/** A new token is valid for at least `MIN_LIFE_MS` (Forge, "Calling product APIs"). */
const MIN_LIFE_MS = 115 * 60_000;
const MAX_LIFE_MS = 4 * 3_600_000;

/** When a token of the platform expires, in milliseconds since the epoch: by its claim, or else at the earliest. */
export function endOf(token: string, now: number): number {
  let exp: number | undefined;
  try {
    ({ exp } = decodeJwt(token));
  } catch {
    // Opaque.
  }
  return exp === undefined ? now + MIN_LIFE_MS : Math.min(exp * 1000, now + MAX_LIFE_MS);
}

/** Each sign-in may bring a token. It replaces the stored token only if it is valid for this much longer. */
const MIN_GAIN_MS = 10 * 60_000;

/** A token that is valid until a time in milliseconds since the epoch. */
export interface LastingToken {
  value: string;
  until: number;
}

/** The received token with its expiry; `undefined` if the known one is as good. */
export function betterThan(storedToken: LastingToken | undefined, received: string | undefined, now: number) {
  if (received === undefined || storedToken?.value === received) return undefined;
  const until = endOf(received, now);
  return storedToken && storedToken.until + MIN_GAIN_MS > until ? undefined : { value: received, until };
}
