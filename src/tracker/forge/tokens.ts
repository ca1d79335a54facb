import { randomBytes, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import type { Store } from '../store.ts';

/** Holder of a token at the gateway. */
const grantShape = v.object({
  cloudId: v.string(),
  /** The installation that it was issued for: both end together. */
  installation: v.string(),
  /** The impersonated user; without one the app itself. */
  account: v.optional(v.string()),
  /** The user was absent: only scopes that allow impersonation. */
  offline: v.optional(v.boolean(), false),
});
export type Grant = v.InferOutput<typeof grantShape>;

/** The tokens with which remotes call the gateway: JWTs, of about the size of the vendor's. */
export interface Tokens {
  /** A token with at least half of its life left. */
  issue(grant: Grant): Promise<{ token: string; seconds: number }>;
  /** The grant of a valid token. */
  grantOf(token: string): Grant | undefined;
}

const storedShape = v.object({ ...grantShape.entries, issued: v.number() });

/** Claims of this length fill a token to the usual size of the platform's tokens. */
const FILL_CHARS = 900;

/** `life` gives a token's lifetime in seconds, also for existing ones: the gateway does not ask their claims. */
export function openTokens(store: Store, life: () => number, now: () => number): Tokens {
  const secret = randomBytes(32);
  const write = ({ cloudId, account, offline }: Grant) => {
    const seconds = Math.floor(now() / 1_000);
    return new SignJWT({ cloudId, context: 'x'.repeat(FILL_CHARS), ...(offline && { offline }) })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setAudience('api.atlassian.com')
      .setSubject(account ?? 'app')
      .setJti(randomUUID())
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + life())
      .sign(secret);
  };
  const issued = store.collection('forge-token', storedShape);
  /** Milliseconds that are left. */
  const remainingMs = (token: v.InferOutput<typeof storedShape>) => token.issued + life() * 1_000 - now();
  const isFor = (token: Grant, grant: Grant) =>
    token.cloudId === grant.cloudId &&
    token.installation === grant.installation &&
    token.account === grant.account &&
    token.offline === grant.offline;
  return {
    async issue(grant) {
      const issuedTokens = issued.list();
      const usableToken = issuedTokens.find(({ value }) => isFor(value, grant) && remainingMs(value) > life() * 500);
      if (usableToken) return { token: usableToken.id, seconds: Math.floor(remainingMs(usableToken.value) / 1_000) };
      for (const { id, value } of issuedTokens) if (remainingMs(value) <= 0) await issued.delete(id);
      const token = await write(grant);
      await issued.put(token, { ...grant, issued: now() });
      return { token, seconds: life() };
    },
    grantOf(token) {
      const storedToken = issued.get(token);
      return storedToken && remainingMs(storedToken) > 0 ? parseAs(grantShape, storedToken) : undefined;
    },
  };
}
