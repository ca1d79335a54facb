import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { onStore } from '../support/stores.ts';

onStore(use => {
  /** How many requests are left of an address's, as a call of the tracker is told that comes over these. */
  async function left(trust: string, calls: { from: string; forwarded?: string }[]): Promise<number[]> {
    const { app } = await startApp(use().store, { TRUST_PROXY: trust });
    const found: number[] = [];
    for (const { from, forwarded } of calls) {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
      const answer = await app.inject({ method: 'POST', url: '/installed', remoteAddress: from, headers, payload: {} });
      found.push(Number(answer.headers['x-ratelimit-remaining']));
    }
    await app.close();
    return found;
  }

  const two = ['203.0.113.1', '203.0.113.2', '203.0.113.1'];

  test('behind a proxy that is trusted each caller has a limit of his own', async () => {
    const calls = two.map(forwarded => ({ from: '10.0.0.7', forwarded }));
    const [first, other, again] = await left('10.0.0.0/8', calls);
    expect([other, again]).toEqual([first, (first ?? 0) - 1]);
  });

  test.each([
    ['where no proxy is set', ''],
    ['but those of a proxy that is trusted', '10.0.0.0/8'],
  ])('nobody makes addresses up, %s', async (_, trust) => {
    const calls = two.map(forwarded => ({ from: '198.51.100.9', forwarded }));
    const [first = 0, ...rest] = await left(trust, calls);
    expect(rest).toEqual([first - 1, first - 2]);
  });

  test('nor by a header of his own that the proxy passes on', async () => {
    const calls = two.map(made => ({ from: '127.0.0.1', forwarded: `${made}, 198.51.100.9` }));
    const [first = 0, ...rest] = await left('loopback', calls);
    expect(rest).toEqual([first - 1, first - 2]);
  });
});
