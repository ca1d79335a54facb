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
  test('shows each tenant its own rows, also to a query that names no tenant', async () => {
    const { store } = use();
    await store.tenant('one', add('one'));
    await store.tenant('two', add('two'));

    expect(await store.tenant('one', names)).toEqual([{ tenant: 'one' }]);
    expect(await store.tenant('three', names)).toEqual([]);
    expect(await store.tenants()).toEqual(expect.arrayContaining(['one', 'two']));
  });

  test("refuses to write another tenant's rows, and does not reach them", async () => {
    const { store, raw } = use();
    await store.tenant('victim', add('victim'));

    await expect(store.tenant('attacker', add('victim-too'))).rejects.toThrow(/row-level security/);
    const all = (tx: Tx) => tx.updateTable('tenant').set({ enabled: false }).executeTakeFirst();
    expect(await store.tenant('attacker', all)).toMatchObject({ numUpdatedRows: 0n });
    await store.tenant('attacker', tx => tx.deleteFrom('tenant').execute());

    expect(await raw("select enabled from tenant where tenant = 'victim'")).toEqual([{ enabled: true }]);
  });

  test('the restricted role sees nothing where no tenant was set', async () => {
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

  test('undoes a transaction whose work fails, and goes on', async () => {
    const { store } = use();
    const failing = store.tenant('undone', async tx => {
      await add('undone')(tx);
      throw new Error('half-way');
    });
    await expect(failing).rejects.toThrow('half-way');
    expect(await store.tenant('undone', names)).toEqual([]);
  });

  test('work that goes on after a statement that failed is not taken for done', async () => {
    const { store } = use();
    const failing = store.tenant('on', async tx => {
      await add('on')(tx);
      await add('not-ours')(tx).catch(() => {});
      return 'done';
    });
    await expect(failing).rejects.toThrow(/row-level security/);
    expect(await store.tenant('on', names)).toEqual([]);
  });

  test('a connection that breaks says that it is to be tried again; the next one works', async () => {
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

  test('a database that only reads for now says that it is to be tried again', async () => {
    const { store } = use();
    const refused = store.tenant('reading', async tx => {
      await sql`set transaction read only`.execute(tx);
      await add('reading')(tx);
    });
    await expect(refused).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test('a statement that comes after the end of its transaction is not run', async () => {
    const { store } = use();
    let late = Promise.resolve<unknown>(undefined);
    const failing = store.tenant('late', async tx => {
      const slow = names(tx).then(() => add('late')(tx));
      late = slow.catch((error: unknown) => error);
      await Promise.all([slow, Promise.reject(new Error('half-way'))]);
    });
    await expect(failing).rejects.toThrow('half-way');
    expect(await late).toBeInstanceOf(Error);
    expect(await store.tenant('late', names)).toEqual([]);
  });

  test('statements that are called together are one transaction', async () => {
    const { store } = use();
    const together = store.tenant('all', tx => Promise.all([add('all')(tx), names(tx), add('not-ours')(tx)]));
    await expect(together).rejects.toThrow(/row-level security/);
    expect(await store.tenant('all', names)).toEqual([]);
    expect(await store.tenant('all', tx => Promise.all([add('all')(tx), names(tx)]))).toHaveLength(2);
    expect(await store.tenant('all', names)).toEqual([{ tenant: 'all' }]);
  });

  test('refuses a transaction inside a transaction instead of waiting for itself', async () => {
    const { store } = use();
    await expect(store.tenant('a', () => store.tenant('b', names))).rejects.toThrow('open already');
    await expect(store.tenant('a', () => store.tenants())).rejects.toThrow('open already');
  });

  test('keeps transactions that run at once apart', async () => {
    const { store } = use();
    const ids = Array.from({ length: 20 }, (_, index) => `parallel-${index}`);
    await Promise.all(ids.map(id => store.tenant(id, add(id))));
    const seen = await Promise.all(ids.map(id => store.tenant(id, names)));
    expect(seen).toEqual(ids.map(tenant => [{ tenant }]));
  });

  test('migrations run once, also when processes start at once', async () => {
    const { raw, second } = use();
    const runs = () => raw('select name, run from migration order by name');
    const first = await runs();
    expect(first).not.toEqual([]);
    if (second) await Promise.all([second(), second(), second()]);
    expect(await runs()).toEqual(first);
  });
});
