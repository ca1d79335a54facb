import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns, MAX_WAITING } from '../../../src/server/text-workers/turns.ts';

const ownerOf = (tenant: string, account = 'ana') => ({ tenant: { id: tenant }, account });

/** Takes turns of some owners at once, and records how they begin and end. */
async function taken(slots: number, owners: readonly (readonly [tenant: string, account: string])[]) {
  const { take } = createTurns(slots);
  const log: string[] = [];
  const done = owners.map(([tenant, account]) =>
    take(ownerOf(tenant, account), async () => {
      log.push(`${tenant} ${account}`);
      for (let step = 0; step < 5; step += 1) await turn();
      log.push('end');
    }),
  );
  await Promise.all(done);
  return log;
}

test('tenants take turns, and so do the accounts of a tenant', async () => {
  const loud = Array.from({ length: 3 }, () => ['site', 'loud'] as const);
  const log = await taken(1, [...loud, ['site', 'quiet'], ['other', 'ana'], ['other', 'ana']]);
  expect(log.filter(entry => entry !== 'end')).toEqual([
    ...['site loud', 'site loud', 'other ana', 'site quiet', 'other ana', 'site loud'],
  ]);
});

test.each([1, 2])('with %i slots, as many works run at a time', async slots => {
  const log = await taken(
    slots,
    Array.from({ length: 6 }, (_, index) => ['site', `${index}`] as const),
  );
  let [running, most] = [0, 0];
  for (const entry of log) {
    running += entry === 'end' ? -1 : 1;
    most = Math.max(most, running);
  }
  expect(most).toBe(slots);
});

test('work that fails lets the next one run', async () => {
  const { take } = createTurns(1);
  const failed = take(ownerOf('site'), () => Promise.reject(new Error('failed')));
  const next = take(ownerOf('site'), async () => 'next');
  await expect(failed).rejects.toThrow('failed');
  expect(await next).toBe('next');
});

test('works beyond those that may wait are refused with a time, and others go on', async () => {
  const { count } = createTurns(1);
  let end = () => {};
  const ended = new Promise<void>(resolve => (end = resolve));
  const run = (tenant: string, account: string) => count(ownerOf(tenant, account), () => ended);
  const refused = { name: 'Overloaded', reset: expect.any(Number), isUntried: true };
  const waiting = Array.from({ length: MAX_WAITING.account }, () => run('site', 'loud'));
  await expect(run('site', 'loud')).rejects.toMatchObject(refused);
  for (let account = 0; waiting.length < MAX_WAITING.tenant; account += 1) waiting.push(run('site', `${account}`));
  await expect(run('site', 'quiet')).rejects.toMatchObject(refused);
  const other = run('other', 'loud');
  end();
  await Promise.all([...waiting, other]);
  await run('site', 'loud');
});
