import * as v from 'valibot';
import { readAs, readJson } from '../../../domain/shape.ts';
import { NoAsker, TrackerDeferred } from '../../errors/tracker.ts';
import { createCache } from '../../store/cached.ts';
import { askerName } from '../../store/sealed.ts';
import type { Store } from '../../store/store.ts';
import type { Vault } from '../../store/vault.ts';
import type { Askers } from '../tracker/client.ts';
import { type CallTarget, endpointOf } from '../tracker/endpoint.ts';
import { type Send, send as sendOver } from '../tracker/send.ts';
import { betterThan, type LastingToken } from './token-life.ts';

export interface AskersOptions {
  store: Store;
  vault: Vault;
  /** Base URL of the platform's API. */
  gateway: string;
  send?: Send | undefined;
  now?(): number;
}

/** Users' tokens: from their last sign-in, or from the platform by offline impersonation. */
export interface AskerStore extends Askers {
  /** Stores the token of a sign-in, unless the known one is as good. */
  keep(tenant: CallTarget, account: string, token: string): Promise<void>;
  /** Drops expired tokens. */
  prune(): Promise<void>;
}

/** A token is not used in the last minute before its expiry, as a call takes some time. */
const EXPIRY_MARGIN_MS = 60_000;
const REFUSAL_PAUSE_MS = 5 * 60_000;
const CALL_TIMEOUT_MS = 4_000;
const MINUTE_MS = 60_000;
/** For each process. The platform's limit is 1,000 tokens per minute and app (Forge, "Invocation limits"). */
const MAX_REQUESTS_PER_MINUTE = 200;
const MAX_CACHED_TOKENS = 10_000;

const QUERY = `mutation forge_remote_offlineUserAuthToken($input: OfflineUserAuthTokenInput!) {
  offlineUserAuthToken(input: $input) { success errors { message } authToken { token ttl } }
}`;
const answerShape = v.object({
  data: v.object({
    offlineUserAuthToken: v.object({
      success: v.boolean(),
      authToken: v.nullish(v.object({ token: v.pipe(v.string(), v.minLength(1)), ttl: v.number() })),
    }),
  }),
});

export function createAskers({ store, vault, gateway, send = sendOver, now = Date.now }: AskersOptions): AskerStore {
  const cachedTokens = createCache<LastingToken>(MAX_CACHED_TOKENS);
  const refused = createCache<number>(MAX_CACHED_TOKENS);
  const pending = new Map<string, Promise<string>>();
  let minute = { begin: 0, asked: 0 };
  const keyOf = ({ id }: CallTarget, account: string) => JSON.stringify([id, account]);
  const sealOf = ({ id }: CallTarget, account: string) => askerName(id, account);

  function remember(key: string, token: LastingToken): void {
    cachedTokens.set(key, token);
  }

  async function stored(tenant: CallTarget, account: string): Promise<LastingToken | undefined> {
    const row = await store.tenant(tenant.id, tx =>
      tx
        .selectFrom('forge_asker')
        .select(['token', 'until'])
        .where('tenant', '=', tenant.id)
        .where('account', '=', account)
        .executeTakeFirst(),
    );
    return row && { value: vault.open(sealOf(tenant, account), row.token), until: row.until.getTime() };
  }

  async function loaded(tenant: CallTarget, account: string): Promise<LastingToken | undefined> {
    const key = keyOf(tenant, account);
    const cachedToken = cachedTokens.get(key);
    if (cachedToken && cachedToken.until - EXPIRY_MARGIN_MS > now()) return cachedToken;
    const storedToken = await stored(tenant, account);
    if (storedToken) remember(key, storedToken);
    return storedToken;
  }

  async function put(tenant: CallTarget, account: string, { value, until }: LastingToken): Promise<void> {
    const key = keyOf(tenant, account);
    remember(key, { value, until });
    refused.delete(key);
    const values = { token: vault.seal(sealOf(tenant, account), value), until: new Date(until) };
    await store.tenant(tenant.id, tx =>
      tx
        .insertInto('forge_asker')
        .values({ tenant: tenant.id, account, ...values })
        .onConflict(conflict => conflict.columns(['tenant', 'account']).doUpdateSet(values))
        .execute(),
    );
  }

  /** Counts a request. Throws if the limit of this process is reached. */
  function count(): void {
    if (now() - minute.begin >= MINUTE_MS) minute = { begin: now(), asked: 0 };
    if (minute.asked >= MAX_REQUESTS_PER_MINUTE) throw new TrackerDeferred('offlineUserAuthToken: too many', MINUTE_MS);
    minute.asked += 1;
  }

  /** Requests a token for a user without one (Forge, "Offline user impersonation"). */
  async function impersonate(tenant: CallTarget, account: string): Promise<string> {
    const endpoint = endpointOf(tenant, now());
    if (endpoint?.kind !== 'gateway' || !tenant.forge)
      throw new TrackerDeferred('offlineUserAuthToken: no token', REFUSAL_PAUSE_MS);
    count();
    const input = { contextIds: [`ari:cloud:jira::site/${tenant.forge.cloudId}`], userId: account };
    const received = await send(new URL(`${gateway}/graphql`), {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${endpoint.token}`,
      },
      body: JSON.stringify({ query: QUERY, variables: { input } }),
      time: CALL_TIMEOUT_MS,
    }).catch(() => undefined);
    if (received?.status !== 200)
      throw new TrackerDeferred(`offlineUserAuthToken: ${received?.status ?? 0}`, MINUTE_MS);
    const answer = readAs(answerShape, readJson(await received.text()));
    if (!answer) throw new TrackerDeferred('offlineUserAuthToken: unclear', MINUTE_MS);
    const issuedToken = answer.data.offlineUserAuthToken.authToken;
    if (!issuedToken) {
      refused.set(keyOf(tenant, account), now() + REFUSAL_PAUSE_MS);
      throw new NoAsker('offlineUserAuthToken: refused', REFUSAL_PAUSE_MS);
    }
    await put(tenant, account, { value: issuedToken.token, until: now() + issuedToken.ttl * 1000 });
    return issuedToken.token;
  }

  async function find(tenant: CallTarget, account: string): Promise<string> {
    const loadedToken = await loaded(tenant, account);
    if (loadedToken && loadedToken.until - EXPIRY_MARGIN_MS > now()) return loadedToken.value;
    const until = refused.get(keyOf(tenant, account)) ?? 0;
    if (until > now()) throw new NoAsker('offlineUserAuthToken: refused', until - now());
    return impersonate(tenant, account);
  }

  return {
    tokenOf(tenant, account) {
      const key = keyOf(tenant, account);
      const pendingToken = pending.get(key) ?? find(tenant, account).finally(() => pending.delete(key));
      pending.set(key, pendingToken);
      return pendingToken;
    },
    async keep(tenant, account, token) {
      const better = betterThan(await loaded(tenant, account), token, now());
      if (better) await put(tenant, account, better);
    },
    async drop(tenant, account, token) {
      if ((await loaded(tenant, account))?.value !== token) return;
      cachedTokens.delete(keyOf(tenant, account));
      await store.tenant(tenant.id, tx =>
        tx.deleteFrom('forge_asker').where('tenant', '=', tenant.id).where('account', '=', account).execute(),
      );
    },
    async prune() {
      await store.sweep(tx => tx.deleteFrom('forge_asker').where('until', '<', new Date(now())).execute());
    },
  };
}
