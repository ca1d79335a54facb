import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Store } from '../store.ts';

/** Holder of a token at the gateway. */
const grantShape = z.object({
  cloudId: z.string(),
  /** The installation that it was issued for: both end together. */
  installation: z.string(),
  /** The impersonated user; without one the app itself. */
  account: z.string().optional(),
  /** The user was absent: only scopes that allow impersonation. */
  offline: z.boolean().default(false),
});
export type Grant = z.infer<typeof grantShape>;

/** The opaque tokens with which remotes call the gateway. */
export interface Tokens {
  /** A token with at least half of its life left. */
  issue(grant: Grant): Promise<{ token: string; seconds: number }>;
  /** The grant of a valid token. */
  grantOf(token: string): Grant | undefined;
}

const storedShape = z.object({ ...grantShape.shape, issued: z.number() });

/** `life` gives a token's lifetime in seconds, also for existing ones. */
export function openTokens(store: Store, life: () => number, now: () => number): Tokens {
  const issued = store.collection('forge-token', storedShape);
  /** Milliseconds that are left. */
  const left = (token: z.infer<typeof storedShape>) => token.issued + life() * 1_000 - now();
  const isFor = (token: Grant, grant: Grant) =>
    token.cloudId === grant.cloudId &&
    token.installation === grant.installation &&
    token.account === grant.account &&
    token.offline === grant.offline;
  return {
    async issue(grant) {
      const all = issued.list();
      const known = all.find(({ value }) => isFor(value, grant) && left(value) > life() * 500);
      if (known) return { token: known.id, seconds: Math.floor(left(known.value) / 1_000) };
      for (const { id, value } of all) if (left(value) <= 0) await issued.delete(id);
      const token = randomBytes(48).toString('base64url');
      await issued.put(token, { ...grant, issued: now() });
      return { token, seconds: life() };
    },
    grantOf(token) {
      const found = issued.get(token);
      return found && left(found) > 0 ? grantShape.parse(found) : undefined;
    },
  };
}
