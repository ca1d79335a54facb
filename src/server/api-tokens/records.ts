import { sql } from 'kysely';
import * as v from 'valibot';
import { tokenScopes } from '../../domain/api/operations.ts';
import { readEach } from '../../domain/shape.ts';
import type { Installed } from '../access/installed.ts';
import { statement } from '../store/statement.ts';
import type { Tx } from '../store/tables.ts';
import type { ApiToken } from './types.ts';

const COLUMNS = ['id', 'name', 'scope', 'projects', 'account', 'created', 'until', 'used'] as const;

const tokenShape = v.object({
  id: v.string(),
  name: v.string(),
  scope: v.picklist(tokenScopes),
  projects: v.array(v.string()),
  account: v.string(),
  created: v.date(),
  until: v.nullable(v.date()),
  used: v.nullable(v.date()),
});

/** Tokens of an installation that are not revoked, also expired ones, by name. */
export async function loadTokens(tx: Tx, { id: tenant, epoch }: Installed): Promise<ApiToken[]> {
  const rows = await tx
    .selectFrom('api_token')
    .select(COLUMNS)
    .where('tenant', '=', tenant)
    .where('epoch', '=', epoch)
    .where('revoked', 'is', null)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
  return readEach(tokenShape, rows);
}

export async function addToken(
  tx: Tx,
  { tenant, epoch, hash }: { tenant: string; epoch: string; hash: string },
  { id, name, scope, projects, account, until }: Omit<ApiToken, 'created' | 'used'>,
): Promise<void> {
  await tx.insertInto('api_token').values({ tenant, epoch, hash, id, name, scope, projects, account, until }).execute();
}

/** Resolves with whether there was such a token. */
export async function revokeToken(tx: Tx, tenant: string, id: string): Promise<boolean> {
  const revoked = await tx
    .updateTable('api_token')
    .set({ revoked: sql<Date>`now()` })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('revoked', 'is', null)
    .returning('id')
    .execute();
  return revoked.length > 0;
}

interface ByHash {
  tenant: string;
  hash: string;
}

/** The token of a hash, and what makes it invalid. */
export const findToken = statement((db, { tenant, hash }: ByHash) =>
  db
    .selectFrom('api_token')
    .select([
      ...(['id', 'epoch', 'scope', 'projects'] as const),
      sql<boolean>`revoked is not null`.as('isRevoked'),
      sql<boolean>`coalesce(until <= now(), false)`.as('isExpired'),
    ])
    .where('tenant', '=', tenant)
    .where('hash', '=', hash),
);

export const foundShape = v.object({
  id: v.string(),
  epoch: v.string(),
  scope: v.picklist(tokenScopes),
  projects: v.array(v.string()),
  isRevoked: v.boolean(),
  isExpired: v.boolean(),
});

/** Records the use of a valid token, at most once a minute. */
export const noteUse = statement((db, { tenant, hash }: ByHash) =>
  db
    .updateTable('api_token')
    .set({ used: sql<Date>`now()` })
    .where('tenant', '=', tenant)
    .where('hash', '=', hash)
    .where('revoked', 'is', null)
    .where(sql<boolean>`coalesce(until > now(), true) and coalesce(used < now() - interval '1 minute', true)`),
);

/** Applies to idempotency keys. */
const KEY_RETENTION_DAYS = 7;

interface KeyedRequest {
  tenant: string;
  token: string;
  key: string;
  fingerprint: string;
}

/** Stores a request, or returns the fingerprint of the earlier one with its key. */
export const noteRequest = statement<KeyedRequest, { fingerprint: string }>((db, { tenant, token, key, fingerprint }) =>
  db
    .insertInto('api_request')
    .values({ tenant, token, key, fingerprint })
    .onConflict(conflict => conflict.columns(['tenant', 'token', 'key']).doUpdateSet({ key }))
    .returning('fingerprint'),
);

/** Drops old requests of a tenant. */
export const dropRequests = statement((db, { tenant }: { tenant: string }) =>
  db
    .deleteFrom('api_request')
    .where('tenant', '=', tenant)
    .where('created', '<', sql<Date>`now() - make_interval(days => ${sql.lit(KEY_RETENTION_DAYS)})`),
);
