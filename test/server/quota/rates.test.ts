import { expect, test } from 'vitest';
import { addressOf, createLimits, perMinute } from '../../../src/server/quota/limits.ts';
import { createRateRecords } from '../../../src/server/quota/rate-records.ts';
import { createRates, type MinuteCount } from '../../../src/server/quota/rates.ts';
import { onStore } from '../support/stores.ts';

const START = 60_000 * 29_000_000;

/** Counts requests until the limit refuses one; resolves with the number of permitted ones. */
function permitted(count: () => void): number {
  for (let number = 0; number < 100_000; number += 1) {
    try {
      count();
    } catch {
      return number;
    }
  }
  throw new Error('There is no limit.');
}

/** A reply whose headers are kept. */
function reply() {
  const kept: Record<string, number> = {};
  return { kept, headers: (more: Record<string, number>) => Object.assign(kept, more) };
}

function limitsOf(now = () => START) {
  const rates = createRates({ now });
  const limits = createLimits({ rates });
  const answer = reply();
  let tokens = 0;
  return {
    limits,
    kept: answer.kept,
    token: (token: string, tenant: string, headers = {}) =>
      limits.countToken({ tenant: { id: tenant }, token }, { headers } as never, answer as never),
    /** Each request with another token, unless one is given. */
    account: (account: string, tenant: string, { ip = '192.0.2.1', authorization = `JWT ${tokens++}` } = {}) =>
      limits.countCaller(
        { tenant: { id: tenant }, account },
        { ip, headers: { authorization } } as never,
        answer as never,
      ),
  };
}

test('API tokens have a limit each, and those of a site another one together', () => {
  const { token, kept } = limitsOf();
  expect(permitted(() => token('a', 'one'))).toBe(perMinute.apiToken);
  expect(kept).toMatchObject({ 'ratelimit-limit': perMinute.apiToken, 'ratelimit-remaining': 0 });
  expect(() => token('b', 'one')).not.toThrow();
  expect(kept).toMatchObject({ 'ratelimit-remaining': perMinute.apiToken - 1 });
  let [made, others] = [0, 0];
  expect(permitted(() => token(`token ${made++}`, 'two'))).toBe(perMinute.apiSite);
  expect(() => token(`token ${others++}`, 'three')).not.toThrow();
});

test('a large body weighs as many requests', () => {
  const { token, kept } = limitsOf();
  token('a', 'one', { 'content-length': '8192' });
  expect(kept).toMatchObject({ 'ratelimit-remaining': perMinute.apiToken - 1 });
  token('a', 'one', { 'content-length': '131072' });
  expect(kept).toMatchObject({ 'ratelimit-remaining': perMinute.apiToken - 17 });
  // A body of unknown length as the longest one.
  token('a', 'one', { 'transfer-encoding': 'chunked' });
  expect(kept).toMatchObject({ 'ratelimit-remaining': perMinute.apiToken - 81 });
});

test('accounts have a limit each on each site; users without an account share one by address', () => {
  const { account } = limitsOf();
  expect(permitted(() => account('ana', 'one'))).toBe(perMinute.account);
  expect(() => account('ana', 'two')).not.toThrow();
  expect(() => account('bob', 'one')).not.toThrow();
  expect(permitted(() => account('anonymous', 'one', { ip: '192.0.2.7' }))).toBe(perMinute.account);
  expect(() => account('anonymous', 'one', { ip: '192.0.2.8' })).not.toThrow();
});

test('a token of a frame has a limit, and another frame of the account goes on', () => {
  const { account, kept } = limitsOf();
  expect(permitted(() => account('ana', 'one', { authorization: 'JWT frame' }))).toBe(perMinute.token);
  expect(kept).toMatchObject({ 'ratelimit-limit': perMinute.token, 'ratelimit-remaining': 0 });
  expect(() => account('ana', 'one')).not.toThrow();
});

test('a site has a limit for all of its accounts, and another site goes on', () => {
  const { account } = limitsOf();
  let made = 0;
  expect(permitted(() => account(`account ${made++}`, 'one'))).toBe(perMinute.site);
  expect(() => account('ana', 'two')).not.toThrow();
});

test('a limit ends with its minute', () => {
  let time = START + 20_000;
  const { account, kept } = limitsOf(() => time);
  expect(permitted(() => account('ana', 'one'))).toBe(perMinute.account);
  expect(kept).toMatchObject({ 'ratelimit-reset': 40 });
  time += 40_000;
  expect(() => account('ana', 'one')).not.toThrow();
});

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002::1', '2001:db8:1:3::1'],
  ['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.2'],
])('%s and %s are one address, %s is another', (one, same, other) => {
  expect(addressOf(one)).toBe(addressOf(same));
  expect(addressOf(one)).not.toBe(addressOf(other));
});

onStore(use => {
  test('processes share the counts of subjects that are near a limit, and no others', async () => {
    const records = createRateRecords(use().store);
    const sent: MinuteCount[][] = [];
    const start = () =>
      createRates({
        now: () => START,
        exchange: async counts => {
          sent.push([...counts]);
          return records.exchange(counts);
        },
      });
    const [one, other] = [start(), start()];
    const [heavy, light] = [
      { tenant: 'site', key: 'account heavy' },
      { tenant: 'site', key: 'account light' },
    ];
    for (let count = 0; count < 60; count += 1) one.count(heavy, 100);
    for (let count = 0; count < 30; count += 1) other.count(heavy, 100);
    one.count(light, 100);
    await one.exchange();
    await other.exchange();
    expect(sent.map(counts => counts.length)).toEqual([1, 1]);
    // No names of accounts, no addresses.
    expect(JSON.stringify(sent)).not.toContain('heavy');
    expect(other.look(heavy, 100)).toMatchObject({ remaining: 10, isExceeded: false });
    // Nothing new, nothing to send.
    await other.exchange();
    expect(sent).toHaveLength(2);
    one.count(heavy, 100);
    await one.exchange();
    expect(one.look(heavy, 100).remaining).toBe(9);
    expect(one.look(light, 100).remaining).toBe(99);
    for (let count = 0; count < 11; count += 1) one.count(heavy, 100);
    expect(one.look(heavy, 100).isExceeded).toBe(true);
  });

  test('counts of an exchange that failed are part of the next one', async () => {
    const records = createRateRecords(use().store);
    const failures: unknown[] = [];
    const away = new Set(['database']);
    const rates = createRates({
      now: () => START + 60_000,
      onError: error => failures.push(error),
      exchange: counts => (away.size > 0 ? Promise.reject(new Error('away')) : records.exchange(counts)),
    });
    const subject = { tenant: '', key: 'address' };
    for (let count = 0; count < 50; count += 1) rates.count(subject, 100);
    await rates.exchange();
    expect(failures).toHaveLength(1);
    away.clear();
    await rates.exchange();
    expect(rates.look(subject, 100).remaining).toBe(50);
    const [row] = await use().raw('select count from rate_use where minute = $1', [START / 60_000 + 1]);
    expect(row).toEqual({ count: 50 });
    await records.prune();
    expect(await use().raw('select 1 from rate_use where minute = $1', [START / 60_000 + 1])).toEqual([]);
  });
});
