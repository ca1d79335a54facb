import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../../src/server/errors/unavailable.ts';
import type { Tx } from '../../../src/server/store/tables.ts';
import { onBothStores } from '../support/stores.ts';

const tenantRow = (tenant: string) => ({
  tenant,
  url: 'https://site.example.net',
  secret: new Uint8Array([1, 2]),
  epoch: 'e',
  enabled: true,
});

const add = (tenant: string) => (tx: Tx) => tx.insertInto('tenant').values(tenantRow(tenant)).execute();
const names = (tx: Tx) => tx.selectFrom('tenant').select('tenant').execute();

onBothStores(use => {
  test('each tenant sees its own rows only, also without a condition on the tenant', async () => {
    const { store } = use();
    await store.tenant('one', add('one'));
    await store.tenant('two', add('two'));

    expect(await store.tenant('one', names)).toEqual([{ tenant: 'one' }]);
    expect(await store.tenant('three', names)).toEqual([]);
    expect(await store.tenants()).toEqual(expect.arrayContaining(['one', 'two']));
  });

  test('rows of another tenant cannot be written or changed', async () => {
    const { store, raw } = use();
    await store.tenant('victim', add('victim'));

    await expect(store.tenant('attacker', add('victim-too'))).rejects.toThrow(/row-level security/);
    const all = (tx: Tx) => tx.updateTable('tenant').set({ enabled: false }).executeTakeFirst();
    expect(await store.tenant('attacker', all)).toMatchObject({ numUpdatedRows: 0n });
    await store.tenant('attacker', tx => tx.deleteFrom('tenant').execute());

    expect(await raw("select enabled from tenant where tenant = 'victim'")).toEqual([{ enabled: true }]);
  });

  test('the restricted role sees no rows without a tenant', async () => {
    const { store, raw } = use();
    await store.tenant('hidden', add('hidden'));
    await raw('set role checklist_app');
    try {
      for (const table of ['tenant', 'checklist', 'sync', 'watch', 'revision']) {
        expect(await raw(`select * from ${table}`)).toEqual([]);
      }
    } finally {
      await raw('reset role');
    }
  });

  test('a failed transaction is rolled back, and the connection stays usable', async () => {
    const { store } = use();
    const failing = store.tenant('undone', async tx => {
      await add('undone')(tx);
      throw new Error('half-way');
    });
    await expect(failing).rejects.toThrow('half-way');
    expect(await store.tenant('undone', names)).toEqual([]);
  });

  test('a transaction that continues after a failed statement is rejected', async () => {
    const { store } = use();
    const failing = store.tenant('on', async tx => {
      await add('on')(tx);
      await add('not-ours')(tx).catch(() => {});
      return 'done';
    });
    await expect(failing).rejects.toThrow(/row-level security/);
    expect(await store.tenant('on', names)).toEqual([]);
  });

  test('a broken connection rejects as unavailable; the next transaction works', async () => {
    const { store, raw, url } = use();
    // The embedded database has no connections.
    if (!url) return;
    const pidOf = async (tx: Tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      return rows[0]?.pid;
    };
    const broken = store.tenant('broken', async tx => {
      await raw('select pg_terminate_backend($1)', [await pidOf(tx)]);
      await Promise.all([add('broken')(tx), names(tx)]);
    });
    await expect(broken).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await store.tenant('broken', names)).toEqual([]);
  });

  test('a read-only database rejects as unavailable', async () => {
    const { store } = use();
    const refused = store.tenant('reading', async tx => {
      await sql`set transaction read only`.execute(tx);
      await add('reading')(tx);
    });
    await expect(refused).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test('a statement after the end of its transaction is not run', async () => {
    const { store } = use();
    let delayed = Promise.resolve<unknown>(undefined);
    const failing = store.tenant('delayed', async tx => {
      const slow = names(tx).then(() => add('delayed')(tx));
      delayed = slow.catch((error: unknown) => error);
      await Promise.all([slow, Promise.reject(new Error('half-way'))]);
    });
    await expect(failing).rejects.toThrow('half-way');
    expect(await delayed).toBeInstanceOf(Error);
    expect(await store.tenant('delayed', names)).toEqual([]);
  });

  test('concurrent statements of a transaction are committed or rolled back as one', async () => {
    const { store } = use();
    const transaction = store.tenant('all', tx => Promise.all([add('all')(tx), names(tx), add('not-ours')(tx)]));
    await expect(transaction).rejects.toThrow(/row-level security/);
    expect(await store.tenant('all', names)).toEqual([]);
    expect(await store.tenant('all', tx => Promise.all([add('all')(tx), names(tx)]))).toHaveLength(2);
    expect(await store.tenant('all', names)).toEqual([{ tenant: 'all' }]);
  });

  test('a transaction inside a transaction is refused, without a deadlock', async () => {
    const { store } = use();
    await expect(store.tenant('a', () => store.tenant('b', names))).rejects.toThrow('open already');
    await expect(store.tenant('a', () => store.tenants())).rejects.toThrow('open already');
  });

  test('concurrent transactions are isolated', async () => {
    const { store } = use();
    const ids = Array.from({ length: 20 }, (_, index) => `parallel-${index}`);
    await Promise.all(ids.map(id => store.tenant(id, add(id))));
    const seen = await Promise.all(ids.map(id => store.tenant(id, names)));
    expect(seen).toEqual(ids.map(tenant => [{ tenant }]));
  });

  test('migrations run once, also with concurrent starts', async () => {
    const { raw, second } = use();
    const runs = () => raw('select name, run from migration order by name');
    const first = await runs();
    expect(first).not.toEqual([]);
    if (second) await Promise.all([second(), second(), second()]);
    expect(await runs()).toEqual(first);
  });
});
