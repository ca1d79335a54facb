import { expect, test } from 'vitest';
import { addressOf, createLimits, perMinute } from '../../../src/server/quota/limits.ts';
import { createRates } from '../../../src/server/quota/rates.ts';

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
  const limits = createLimits(createRates(now));
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
