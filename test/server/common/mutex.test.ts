import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns, MOST_WAITING } from '../../../src/server/common/mutex.ts';

test('long work of a tenant runs one at a time, and of one account after that of its colleagues', async () => {
  const inTurn = createTurns();
  const log: string[] = [];
  const run = (tenant: string, account: string, name: string) =>
    inTurn({ tenant: { id: tenant }, account }, async () => {
      log.push(name);
      for (let slice = 0; slice < 5; slice += 1) await turn();
      log.push(`${name} ends`);
      return name;
    });
  const done = await Promise.all([
    run('site', 'loud', '1'),
    run('site', 'loud', '2'),
    run('site', 'loud', '3'),
    run('site', 'quiet', 'quiet'),
    run('other', 'loud', 'other'),
  ]);
  expect(done).toEqual(['1', '2', '3', 'quiet', 'other']);
  const order = log.filter(entry => !entry.startsWith('other'));
  expect(order).toEqual(['1', '1 ends', 'quiet', 'quiet ends', '2', '2 ends', '3', '3 ends']);
  // Another tenant does not wait.
  expect(log.indexOf('other')).toBeLessThan(log.indexOf('1 ends'));
});

test('work that fails lets the next one run', async () => {
  const inTurn = createTurns();
  const owner = { tenant: { id: 'site' }, account: 'ana' };
  const failed = inTurn(owner, () => Promise.reject(new Error('failed')));
  const next = inTurn(owner, async () => 'next');
  await expect(failed).rejects.toThrow('failed');
  expect(await next).toBe('next');
});

test('after long work its tenant rests for as long, which delays no result', async () => {
  const inTurn = createTurns();
  const log: string[] = [];
  const owner = { tenant: { id: 'site' }, account: 'ana' };
  const first = inTurn(owner, () => new Promise<void>(resolve => setTimeout(resolve, 200)));
  const next = inTurn({ ...owner, account: 'ben' }, async () => log.push('next'));
  await first;
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(log).toEqual([]);
  await next;
  expect(log).toEqual(['next']);
});

test('works beyond those that may wait are refused with a time, and others go on', async () => {
  const inTurn = createTurns();
  let end = () => {};
  const held = new Promise<void>(resolve => (end = resolve));
  const run = (tenant: string, account: string) => inTurn({ tenant: { id: tenant }, account }, () => held);
  const refused = { name: 'TooManyRequests', reset: expect.any(Number) };
  const waiting = Array.from({ length: MOST_WAITING.account }, () => run('site', 'loud'));
  await expect(run('site', 'loud')).rejects.toMatchObject(refused);
  for (let account = 0; waiting.length < MOST_WAITING.tenant; account += 1) waiting.push(run('site', `${account}`));
  await expect(run('site', 'quiet')).rejects.toMatchObject(refused);
  const other = run('other', 'loud');
  end();
  await other;
});

test('work that waits elsewhere before its turn is counted once, with all others', async () => {
  const inTurn = createTurns();
  const owner = { tenant: { id: 'site' }, account: 'loud' };
  let end = () => {};
  const held = new Promise<void>(resolve => (end = resolve));
  const changes = Array.from({ length: MOST_WAITING.account - 1 }, () =>
    inTurn.waiting(owner, async () => {
      await held;
      return inTurn.waited(owner, async () => 'changed');
    }),
  );
  const history = inTurn(owner, () => held);
  await expect(inTurn(owner, () => held)).rejects.toMatchObject({ name: 'TooManyRequests' });
  await expect(inTurn.waiting(owner, () => held)).rejects.toMatchObject({ name: 'TooManyRequests' });
  end();
  await history;
  expect(new Set(await Promise.all(changes))).toEqual(new Set(['changed']));
  expect(await inTurn(owner, async () => 'again')).toBe('again');
});
