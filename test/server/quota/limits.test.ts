import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { onStore } from '../support/stores.ts';

onStore(use => {
  /** Remaining requests after each call, by the rate limit header. */
  async function left(trust: string, calls: { from: string; forwarded?: string }[]): Promise<number[]> {
    const { app } = await startApp(use().store, { TRUST_PROXY: trust });
    const found: number[] = [];
    for (const { from, forwarded } of calls) {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
      const answer = await app.inject({ method: 'POST', url: '/installed', remoteAddress: from, headers, payload: {} });
      found.push(Number(answer.headers['ratelimit-remaining']));
    }
    await app.close();
    return found;
  }

  const two = ['203.0.113.1', '203.0.113.2', '203.0.113.1'];

  test('behind a trusted proxy, each caller has its own limit', async () => {
    const calls = two.map(forwarded => ({ from: '10.0.0.7', forwarded }));
    const [first, other, again] = await left('10.0.0.0/8', calls);
    expect([other, again]).toEqual([first, (first ?? 0) - 1]);
  });

  test.each([
    ['where no proxy is set', ''],
    ['except for those of a trusted proxy', '10.0.0.0/8'],
  ])('forwarded addresses are ignored, %s', async (_, trust) => {
    const calls = two.map(forwarded => ({ from: '198.51.100.9', forwarded }));
    const [first = 0, ...rest] = await left(trust, calls);
    expect(rest).toEqual([first - 1, first - 2]);
  });

  test("addresses that a proxy passes on from a caller's header are ignored", async () => {
    const calls = two.map(made => ({ from: '127.0.0.1', forwarded: `${made}, 198.51.100.9` }));
    const [first = 0, ...rest] = await left('loopback', calls);
    expect(rest).toEqual([first - 1, first - 2]);
  });
});
