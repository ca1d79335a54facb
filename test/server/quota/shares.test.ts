import { describe, expect, test } from 'vitest';
import { hasShare, shareOf } from '../../../src/server/quota/shares.ts';

describe('shares of what is left of 1000 points, at half of them', () => {
  test.each([
    // people in all, of the site → points of the site, of an account
    { weight: 1, people: 1, site: 500, account: 500 },
    { weight: 1, people: 0, site: 500, account: 500 },
    { weight: 10, people: 5, site: 250, account: 100 },
    { weight: 101, people: 100, site: (500 * 100) / 101, account: (500 * 5) / 101 },
    { weight: 101, people: 1, site: 500 / 101, account: 500 / 101 },
    { weight: 100, people: 40, site: 200, account: 10 },
    { weight: 100, people: 20, site: 100, account: 10 },
    // A site that is not counted yet.
    { weight: 0, people: 3, site: 500, account: 1000 / 3 },
  ])('$people of $weight people', ({ weight, people, site, account }) => {
    const share = shareOf({ limit: 1_000, weight, people });
    expect(share.site).toBeCloseTo(site);
    expect(share.account).toBeCloseTo(account);
  });
});

test('the shares of all sites add up to what is left', () => {
  const people = [1, 2, 3, 50, 400];
  const weight = people.reduce((sum, each) => sum + each, 0);
  const shares = people.map(each => shareOf({ limit: 65_000, weight, people: each }).site);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(32_500);
});

describe('admission', () => {
  const figures = {
    limit: 1_000,
    spent: 600,
    weight: 10,
    site: { people: 5, contended: 0 },
    account: { contended: 0 },
  };
  test.each([
    ['before half of the points', { spent: 499, site: { people: 5, contended: 9_999 } }, true],
    ['a site that used nothing since', {}, true],
    ['a site within its share', { site: { people: 5, contended: 249 } }, true],
    ['a site beyond its share', { site: { people: 5, contended: 250 } }, false],
    ['an account within its share', { account: { contended: 99 } }, true],
    ['an account beyond its share', { account: { contended: 100 } }, false],
    ['work of the site itself', { account: undefined, site: { people: 5, contended: 249 } }, true],
    ['the only site', { weight: 5, site: { people: 5, contended: 499 } }, true],
  ])('%s', (_name, other, expected) => {
    expect(hasShare({ ...figures, ...other }, 1)).toBe(expected);
  });

  test.each([
    [0.7, 99, true],
    [0.7, 100, false],
    [0.9, 199, true],
    [0.9, 200, false],
  ])('work until %d of the pool, with %d of 250 points used', (until, contended, expected) => {
    expect(hasShare({ ...figures, site: { people: 5, contended }, account: undefined }, until)).toBe(expected);
  });
});
