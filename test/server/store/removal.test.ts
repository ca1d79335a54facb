import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { removeTenant } from '../../../src/server/store/removal.ts';
import { onBothStores, type TestStore } from '../support/stores.ts';

/** Values for columns that need one, by the database's name of their type. */
const values: Readonly<Record<string, string>> = {
  text: 'md5(random()::text)',
  integer: '1',
  smallint: '1',
  bigint: '1',
  'double precision': '1',
  boolean: 'true',
  bytea: "'\\x00'",
  jsonb: "'[]'",
  uuid: 'gen_random_uuid()',
  date: 'now()',
  'timestamp with time zone': 'now()',
  ARRAY: "'{}'",
};

/** Tables with a tenant, as the database lists them: a new one is not forgotten. */
async function tables({ raw }: TestStore): Promise<string[]> {
  const rows = await raw(`select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'tenant' and t.table_type = 'BASE TABLE' order by 1`);
  return rows.map(({ name }) => String(name));
}

/** Adds a row of a tenant to a table. */
async function addRow({ raw }: TestStore, table: string, tenant: string): Promise<void> {
  const columns = await raw(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null
       and is_generated = 'NEVER' and column_name <> 'tenant'`,
    [table],
  );
  const names = ['tenant', ...columns.map(({ name }) => `"${name}"`)];
  const given = ['$1', ...columns.map(({ type }) => values[String(type)] ?? `no value for ${type}`)];
  await raw(`insert into ${table} (${names.join(', ')}) values (${given.join(', ')})`, [tenant]);
}

onBothStores(use => {
  const rowsOf = async (tenant: string) => {
    const counts: Record<string, number> = {};
    for (const name of await tables(use())) {
      const [row] = await use().raw(`select count(*)::int as count from ${name} where tenant = $1`, [tenant]);
      counts[name] = Number(row?.count);
    }
    return counts;
  };

  test('the removal of a tenant leaves no row of it in any table of the schema, and all of others', async () => {
    const [gone, stays] = [randomUUID(), randomUUID()];
    const names = await tables(use());
    expect(names.length).toBeGreaterThan(30);
    for (const name of names) for (const tenant of [gone, stays]) await addRow(use(), name, tenant);
    const before = await rowsOf(gone);
    // That of processes belongs to no tenant.
    const { watch, ...own } = before;
    expect(watch).toBe(1);
    expect(new Set(Object.values(own))).toEqual(new Set([1]));
    const removed = await use().store.tenant(gone, tx => removeTenant(tx, gone));
    expect(removed).toBe(names.length);
    expect(new Set(Object.values(await rowsOf(gone)))).toEqual(new Set([0]));
    expect(await rowsOf(stays)).toEqual(before);
  });

  test('more rows than one statement deletes are removed', async () => {
    const tenant = randomUUID();
    await use().raw(
      `insert into status_use (tenant, issue, slug, items) select $1, n::text, 'a', 1 from generate_series(1, 12000) n`,
      [tenant],
    );
    expect(await use().store.tenant(tenant, tx => removeTenant(tx, tenant))).toBe(12_000);
  });
});
