import type { TokenScope } from '../../domain/api/operations.ts';
import { apiAccount } from '../../domain/person.ts';
import { readEach } from '../../domain/shape.ts';
import { Unauthorized } from '../errors/request.ts';
import type { Tenant, Tenants } from '../platform/tenants.ts';
import { createCache } from '../store/cached.ts';
import type { Store } from '../store/store.ts';
import { findToken, foundShape, noteUse } from './records.ts';
import { hashSecret, tenantIn } from './secret.ts';

/** The authenticated API token of a request, which acts as the app. */
export interface ApiCaller {
  tenant: Tenant;
  /** Id of the token. */
  token: string;
  scope: TokenScope;
  /** Ids of the projects that it is restricted to; `undefined` for the whole site. */
  projects: ReadonlySet<string> | undefined;
  /** The author of its changes. */
  account: string;
}

export interface ApiTokenVerifier {
  /** Verifies a token. Rejects with `Unauthorized`, whose message does not quote it. */
  verify(secret: string | undefined): Promise<ApiCaller>;
  /** Whether the token was valid when it was last verified by this process, which proves nothing now. */
  wasValid(secret: string | undefined): boolean;
}

/**
 * The last answer about each token is cached. An unknown token is refused for a minute without reading the database.
 */
const MAX_CACHED_TOKENS = 10_000;
const REFUSED_TOKEN_MS = 60_000;

/** Each request asks the database about a valid token, so that a revoked one ends at once in every process. */
export function createApiTokenVerifier({
  store,
  tenants,
}: {
  store: Store;
  tenants: Pick<Tenants, 'find'>;
}): ApiTokenVerifier {
  const valid = createCache<true>(MAX_CACHED_TOKENS);
  const refused = createCache<string>(MAX_CACHED_TOKENS, REFUSED_TOKEN_MS);

  async function ask(secret: string, id: string): Promise<ApiCaller> {
    const tenant = await tenants.find(id);
    if (!tenant) throw new Unauthorized('unknown tenant');
    const place = { tenant: id, hash: hashSecret(secret) };
    const [found] = await store.batch(id, [findToken(place), noteUse(place)]);
    const [token] = readEach(foundShape, found.rows);
    if (!token || token.epoch !== tenant.epoch) throw new Unauthorized('unknown API token');
    if (token.isRevoked) throw new Unauthorized('revoked API token');
    if (token.isExpired) throw new Unauthorized('expired API token');
    const projects = token.projects.length > 0 ? new Set(token.projects) : undefined;
    return { tenant, token: token.id, scope: token.scope, projects, account: apiAccount(token.id) };
  }

  return {
    async verify(secret) {
      if (!secret) throw new Unauthorized('no API token', true);
      const id = tenantIn(secret);
      if (id === undefined) throw new Unauthorized('not an API token');
      const hash = hashSecret(secret);
      const reason = refused.get(hash);
      if (reason !== undefined) throw new Unauthorized(reason);
      try {
        const caller = await ask(secret, id);
        valid.set(hash, true);
        return caller;
      } catch (error) {
        valid.delete(hash);
        if (error instanceof Unauthorized) refused.set(hash, error.message);
        throw error;
      }
    },
    wasValid: secret => secret !== undefined && valid.has(hashSecret(secret)),
  };
}

/** The token of an `Authorization: Bearer {token}` header. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
