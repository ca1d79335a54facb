import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { onBothStores } from '../support/stores.ts';

/** More than a store has connections. */
const MANY = 40;

const select = (value: number) => CompiledQuery.raw('select $1::int as value', [value]) as CompiledQuery<Value>;
interface Value {
  value: number;
}
const insert = (tenant: string) =>
  CompiledQuery.raw('insert into tenant (tenant, url, secret, epoch, enabled) values ($1, $2, $3, $4, true)', [
    ...[tenant, 'https://site.example.net', new Uint8Array([1, 2]), 'e'],
  ]);
const names = CompiledQuery.raw('select "tenant" from "tenant"', []) as CompiledQuery<{ tenant: string }>;
const fails = CompiledQuery.raw('select 1 / $1::int', [0]);

onBothStores(use => {
  const namesOf = async (tenant: string) => (await use().store.batch(tenant, [names]))[0].rows;

  test('the last statements use the results of the first, in one transaction', async () => {
    const { store } = use();
    const seen = await store.exchange('whole', [select(1), insert('whole'), names], ([one, , all]) => ({
      statements: [
        CompiledQuery.raw('update tenant set epoch = $1 where tenant = $2', [
          `${one.rows[0]?.value} ${all.rows.length}`,
          'whole',
        ]),
      ],
      value: [one.rows, all.rows],
    }));
    expect(seen).toEqual([[{ value: 1 }], [{ tenant: 'whole' }]]);
    const epoch = CompiledQuery.raw('select epoch from tenant where tenant = $1', ['whole']);
    const [{ rows }] = await store.batch('whole', [epoch]);
    expect(rows).toEqual([{ epoch: '1 1' }]);
  });

  test('without statements it only reads, and row-level security applies', async () => {
    const { store } = use();
    await store.batch('seen', [insert('seen')]);
    const read = (tenant: string) => store.exchange(tenant, [names], ([{ rows }]) => ({ statements: [], value: rows }));
    expect(await read('seen')).toEqual([{ tenant: 'seen' }]);
    expect(await read('unseen')).toEqual([]);
    const foreign = store.exchange('unseen', [], () => ({ statements: [insert('another')], value: undefined }));
    await expect(foreign).rejects.toThrow(/row-level security/);
    expect(await namesOf('another')).toEqual([]);
  });

  test.each<[string, (tenant: string) => Promise<unknown>]>([
    ['a first statement', tenant => use().store.exchange(tenant, [insert(tenant), fails], () => expect.unreachable())],
    [
      'the callback',
      tenant =>
        use().store.exchange(tenant, [insert(tenant)], () => {
          throw new Error('division by zero in the callback');
        }),
    ],
    [
      'a last statement',
      tenant =>
        use().store.exchange(tenant, [insert(tenant)], () => ({ statements: [fails, select(1)], value: 'done' })),
    ],
    [
      'the very last statement',
      tenant =>
        use().store.exchange(tenant, [select(1)], () => ({ statements: [insert(tenant), fails], value: 'done' })),
    ],
  ])('when %s fails, everything is rolled back, and the connection stays usable', async (name, exchange) => {
    const tenant = `failing ${name}`;
    for (let index = 0; index < MANY; index += 1) await expect(exchange(tenant)).rejects.toThrow('division by zero');
    expect(await namesOf(tenant)).toEqual([]);
    const { store } = use();
    await store.exchange(tenant, [select(1)], () => ({ statements: [insert(tenant)], value: undefined }));
    expect(await namesOf(tenant)).toEqual([{ tenant }]);
  });

  test('more exchanges than connections wait and succeed', async () => {
    const { store } = use();
    const ids = Array.from({ length: MANY }, (_, index) => `exchanged ${index}`);
    const make = (id: string) => () => ({ statements: [insert(id)], value: id });
    expect(await Promise.all(ids.map(id => store.exchange(id, [select(1)], make(id))))).toEqual(ids);
    for (const id of ids) expect(await namesOf(id)).toEqual([{ tenant: id }]);
  });

  test('an exchange inside an open transaction is refused', async () => {
    const { store } = use();
    const nested = store.tenant('outer', () => store.exchange('outer', [], () => ({ statements: [], value: 1 })));
    await expect(nested).rejects.toThrow('open already');
  });

  test('it takes two round trips', async ({ skip }) => {
    const { store, url } = use();
    if (!url) return skip('the embedded database has none');
    await store.batch('trips', [names]);
    const query = pg.Client.prototype.query as (...given: unknown[]) => Promise<unknown>;
    let [open, trips, sent] = [0, 0, 0];
    const counted = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => counted.mockRestore());
    counted.mockImplementation(function (this: pg.Client, ...given: unknown[]) {
      if (open === 0) trips += 1;
      open += 1;
      sent += 1;
      return query.apply(this, given).finally(() => {
        open -= 1;
      });
    } as never);
    const value = await store.exchange('trips', [select(1), select(2)], ([one, two]) => ({
      statements: [insert('trips'), names],
      value: Number(one.rows[0]?.value) + Number(two.rows[0]?.value),
    }));
    expect({ value, trips, sent }).toEqual({ value: 3, trips: 2, sent: 7 });
  });
});
