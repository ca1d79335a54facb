import { decodeJwt } from 'jose';

/** Milliseconds for which a token surely is good that was just given to us (Forge, "Calling product APIs"), and at most. */
const SURELY = 115 * 60_000;
const MOST = 4 * 3_600_000;

/** When a token of the platform's ends, in milliseconds since the epoch: as it says, or at the least. */
export function endOf(token: string, now: number): number {
  let exp: number | undefined;
  try {
    ({ exp } = decodeJwt(token));
  } catch {
    // It says nothing to us.
  }
  return exp === undefined ? now + SURELY : Math.min(exp * 1000, now + MOST);
}

/** Milliseconds by which a token has to last longer for being kept in another's place: each sign-in may bring one. */
const GAIN = 10 * 60_000;

/** A token, until a time in milliseconds since the epoch. */
export interface LastingToken {
  value: string;
  until: number;
}

/** What is to be kept of a token that came: nothing where the known one is as good. */
export function betterThan(known: LastingToken | undefined, came: string | undefined, now: number) {
  if (came === undefined || known?.value === came) return undefined;
  const until = endOf(came, now);
  return known && known.until + GAIN > until ? undefined : { value: came, until };
}
