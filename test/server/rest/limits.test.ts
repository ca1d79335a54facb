import { expect, test } from 'vitest';
import { callApi, createToken } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { onStore } from '../support/stores.ts';

onStore(use => {
  test('requests are limited by token and by site, and the answer says how long to wait', async () => {
    const it = await startApp(use().store);
    const other = await startApp(use().store);
    const one = await createToken(use().store, it);
    const ask = (secret: string, at = it) => callApi(at, secret, '/templates');
    const first = await ask(one.secret);
    const most = Number(first.headers['ratelimit-limit']);
    expect(Number(first.headers['ratelimit-remaining'])).toBe(most - 1);
    expect(Number(first.headers['ratelimit-reset'])).toBeGreaterThan(0);
    for (let count = 1; count < most; count += 1) expect((await ask(one.secret)).status).toBe(200);
    const refused = await ask(one.secret);
    expect(refused.json()).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['ratelimit-remaining']).toBe('0');
    // All operations of a token count together.
    expect((await callApi(it, one.secret, '/checklists')).status).toBe(429);

    // Another token of the site goes on until the site's limit, another site beyond it.
    let used = 0;
    for (let tokens = 0; tokens < 10; tokens += 1) {
      const { secret } = await createToken(use().store, it);
      let answer = await ask(secret);
      if (answer.status === 429) break;
      for (; answer.status === 200; answer = await ask(secret)) used += 1;
    }
    expect(used).toBeGreaterThan(most);
    expect((await ask((await createToken(use().store, it)).secret)).status).toBe(429);
    const elsewhere = await createToken(use().store, other);
    expect((await ask(elsewhere.secret, other)).status).toBe(200);
    await it.app.close();
    await other.app.close();
  });

  test('an address that sends invalid tokens is refused for a while, another one is not', async () => {
    const it = await startApp(use().store);
    const ask = (from: string) => callApi(it, 'scl_nonsense', '/templates', { from });
    const statuses = new Set<number>();
    for (let count = 0; count < 100; count += 1) statuses.add((await ask('10.1.1.1')).status);
    expect([...statuses]).toEqual([401, 429]);
    expect((await ask('10.1.1.2')).status).toBe(401);
    await it.app.close();
  });
});
