import { sql } from 'kysely';
import type { Store } from './store.ts';
import type { Tx } from './tables.ts';
import type { Vault } from './vault.ts';

/** The vault's name for the token of a user on Forge: it does not open for another account. */
export const askerName = (tenant: string, account: string): string => `${tenant} asker ${account}`;

interface SealedColumn {
  table: string;
  column: string;
  /** The column with the account that the value is sealed for, besides the tenant. */
  account?: string;
}

/** Every column with sealed values. What is missing here is lost when keys change; a test compares the schema. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'tenant', column: 'secret' },
  { table: 'forge_site', column: 'token' },
  { table: 'forge_asker', column: 'token', account: 'account' },
  { table: 'webhook', column: 'secret' },
  { table: 'webhook', column: 'token' },
];

interface SealedValue {
  column: SealedColumn;
  /** The name that it is sealed for. */
  name: string;
  value: Uint8Array;
}

async function* sealedValues(tx: Tx, tenant: string): AsyncGenerator<SealedValue> {
  for (const column of sealedColumns) {
    const value = sql.ref(column.column);
    const account = column.account ? sql.ref(column.account) : sql.lit('');
    const { rows } = await sql<{ value: Uint8Array; account: string }>`
      select ${value} as value, ${account} as account from ${sql.table(column.table)}
      where tenant = ${tenant} and ${value} is not null`.execute(tx);
    for (const row of rows) {
      yield { column, name: column.account ? askerName(tenant, row.account) : tenant, value: row.value };
    }
  }
}

/** Numbers of sealed values. */
export interface KeyUse {
  /** With the newest key. */
  newest: number;
  /** With an old key. */
  old: number;
  /** With a key that this server does not have. */
  unknown: number;
}

/**
 * Counts the sealed values of a tenant by their key; with `rewrite`, re-encrypts values of old keys with the newest
 * key.
 */
export async function checkTenantKeys(store: Store, vault: Vault, tenant: string, rewrite = false): Promise<KeyUse> {
  return store.tenant(tenant, async tx => {
    const use: KeyUse = { newest: 0, old: 0, unknown: 0 };
    for await (const { column, name, value } of sealedValues(tx, tenant)) {
      let sealed: Uint8Array | undefined;
      try {
        sealed = vault.reseal(name, value);
      } catch {
        use.unknown += 1;
        continue;
      }
      if (!sealed) {
        use.newest += 1;
        continue;
      }
      use.old += 1;
      // A value that was replaced meanwhile stays.
      if (rewrite)
        await sql`update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${sealed}
          where tenant = ${tenant} and ${sql.ref(column.column)} = ${value}`.execute(tx);
    }
    return use;
  });
}

/** Thrown if the server has none of the keys that the secrets in the database are sealed with. */
export class WrongKey extends Error {
  override readonly name = 'WrongKey';
  constructor() {
    super(
      'ENCRYPTION_KEY is not the key of this database: no secret in it opens. Start with the key it was used with.',
    );
  }
}

/** A key counts as wrong if it opens no secret of this many tenants. */
const MAX_CHECKED_TENANTS = 20;

/** Rejects with `WrongKey` if there are secrets and none of them opens. */
export async function assertKey(store: Store, vault: Vault): Promise<void> {
  let refused = 0;
  for (const tenant of await store.tenants()) {
    const { newest, old, unknown } = await checkTenantKeys(store, vault, tenant);
    if (newest + old > 0) return;
    if (unknown > 0) refused += 1;
    if (refused >= MAX_CHECKED_TENANTS) break;
  }
  if (refused > 0) throw new WrongKey();
}
