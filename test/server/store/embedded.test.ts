import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { createEntries } from '../../../src/server/queue/entries.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { embeddedFolder } from '../support/embedded-folder.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0).reverse()) await end();
});

test('the jobs of an ended process run again at once', async () => {
  const { folder, remove } = await embeddedFolder();
  ends.push(remove);
  const entry = { tenant: 't', key: '1', name: 'sync' };
  const options = { databaseUrl: undefined, folder, onError: () => {} };
  const before = await openStore(options);
  const jobs = createEntries(before);
  await jobs.add(entry, {}, 0);
  expect(await jobs.claim(['sync'], 1)).toMatchObject([entry]);
  await before.close();

  const after = await openStore(options);
  ends.push(after.close);
  expect(await createEntries(after).claim(['sync'], 1)).toMatchObject([entry]);
});

test('the embedded database analyzes and vacuums its tables in use', async () => {
  const { folder, remove } = await embeddedFolder();
  ends.push(remove);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const onError = vi.fn();
  const store = await openStore({ databaseUrl: undefined, folder, onError });
  ends.push(store.close);
  // -1 before the first analyze.
  const counted = async () => {
    const count = sql<{ rows: number }>`select reltuples as rows from pg_class where relname = 'revision'`;
    return store.sweep(async tx => (await count.execute(tx)).rows[0]?.rows);
  };
  expect(await counted()).toBe(-1);

  vi.advanceTimersByTime(600_000);
  expect(await counted()).toBe(0);
  expect(onError).not.toHaveBeenCalled();
});
