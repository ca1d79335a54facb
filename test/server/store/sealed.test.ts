import { expect, test } from 'vitest';
import { createTenants } from '../../../src/server/platform/tenants.ts';
import { askerName, assertKey, checkTenantKeys, sealedColumns, WrongKey } from '../../../src/server/store/sealed.ts';
import { createVault } from '../../../src/server/store/vault.ts';
import { onBothStores } from '../support/stores.ts';

const [first, second, third] = [1, 2, 3].map(byte => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const site = { id: 'client-1', url: 'https://site.example.net', secret: 'shared' };

onBothStores(use => {
  test('every binary column is known as sealed', async () => {
    const rows = await use().raw(`
      select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea'`);
    const names = (list: readonly Record<string, unknown>[]) => list.map(each => `${each.table}.${each.column}`).sort();
    expect(names(sealedColumns.map(({ table, column }) => ({ table, column })))).toEqual(names(rows));
  });

  test('keys are rotated: values of the old key are sealed anew, each for its own name', async () => {
    const { store } = use();
    const old = createVault(first);
    await createTenants(store, old).install(site);
    await store.tenant(site.id, tx =>
      tx
        .insertInto('forge_asker')
        .values({
          tenant: site.id,
          account: 'mia',
          token: old.seal(askerName(site.id, 'mia'), 'token'),
          until: new Date(Date.now() + 60_000),
        })
        .execute(),
    );
    await expect(assertKey(store, createVault(third))).rejects.toThrow(WrongKey);
    const rotated = createVault(second, [first]);
    await assertKey(store, rotated);
    expect(await checkTenantKeys(store, rotated, site.id)).toEqual({ newest: 0, old: 2, unknown: 0 });
    await checkTenantKeys(store, rotated, site.id, true);
    const rotatedOnly = createVault(second);
    expect(await checkTenantKeys(store, rotatedOnly, site.id)).toEqual({ newest: 2, old: 0, unknown: 0 });
    expect((await createTenants(store, rotatedOnly).find(site.id))?.secret).toBe('shared');
  });
});
