import { beforeAll, expect, test, vi } from 'vitest';
import { perMinute } from '../../../../src/server/quota/limits.ts';
import { forgeOf, newSite } from '../../support/forge.ts';
import { provokes } from '../../support/left-behind.ts';
import { onStore } from '../../support/stores.ts';

const SECRET = 'a secret of a decent length';

onStore(use => {
  const app = forgeOf(use, { FORGE_PROBE: SECRET });
  const site = newSite();
  beforeAll(async () => {
    expect((await app.signIn(site)).statusCode).toBe(200);
  });

  const ask = async (url: string, token: string, remoteAddress: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return app.it.app.inject({ method: 'POST', url, remoteAddress, headers, payload: {} });
  };
  /** A token of nothing, and one of a site whose claims are not signed. */
  const wrong = (number: number) => `wrong.${number}.token`;
  const unsigned = (token: string, number: number) => `${token.slice(0, token.lastIndexOf('.'))}.${number}AAA`;

  test.each([
    ['events', '/forge/events', '203.0.113.1'],
    ['sign-in', '/api/forge/session', '203.0.113.2'],
  ])('700 wrong tokens of one address are refused, and known installations go on: %s', async (name, url, from) => {
    provokes({ answers: [503] });
    const about = name === 'events' ? {} : { account: 'alice', context: {} };
    const genuine = await app.forge.invocation(site, about);
    const usual = (await ask(url, genuine, from)).statusCode;
    expect([200, 204, 400]).toContain(usual);
    const statuses: number[] = [];
    for (let count = 0; count < 700; count += 1) {
      const token = count % 2 === 0 ? wrong(count) : unsigned(genuine, count);
      statuses.push((await ask(url, token, from)).statusCode);
    }
    expect(statuses.filter(status => status === 401)).toHaveLength(perMinute.forged);
    expect(statuses.slice(perMinute.forged).every(status => status === 429)).toBe(true);
    const refused = await ask(url, wrong(0), from);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask(url, genuine, from)).statusCode).toBe(usual);
    // An installation that calls for the first time waits for the minute, or for another address.
    const other = await app.forge.invocation(newSite(), about);
    expect((await ask(url, other, from)).statusCode).toBe(429);
    expect((await ask(url, other, '203.0.113.9')).statusCode).not.toBe(429);
  });

  test('guesses of the probe’s secret are limited', async () => {
    const probe = (secret: string) =>
      app.it.app.inject({
        url: '/forge/probe?issue=1',
        remoteAddress: '203.0.113.3',
        headers: { authorization: `Bearer ${secret}` },
      });
    const statuses = [];
    for (let count = 0; count < perMinute.invalid + 2; count += 1) statuses.push((await probe(`${count}`)).statusCode);
    expect(statuses.filter(status => status === 401)).toHaveLength(perMinute.invalid);
    expect((await probe(SECRET)).statusCode).toBe(429);
    app.it.elapse(60_000);
    expect((await probe(SECRET)).statusCode).toBe(400);
  });

  test('tokens that have expired do not count', async () => {
    const count = vi.spyOn(app.it.rates, 'count');
    const expired = await app.forge.invocation(site, {}, { issuedAt: Math.floor(Date.now() / 1000) - 90 });
    expect((await ask('/forge/events', expired, '203.0.113.4')).statusCode).toBe(401);
    expect(count.mock.calls.filter(([{ key }]) => key.startsWith('forged'))).toEqual([]);
    count.mockRestore();
  });
});
