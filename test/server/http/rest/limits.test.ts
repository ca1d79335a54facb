import { expect, test } from 'vitest';
import { newSecret } from '../../../../src/server/api-tokens/secret.ts';
import { usualLimits } from '../../../../src/server/store/open.ts';
import type { Store } from '../../../../src/server/store/store.ts';
import { callApi, createToken } from '../../support/api.ts';
import { appKey, startApp, type TestApp } from '../../support/app.ts';
import { onStore } from '../../support/stores.ts';

onStore(use => {
  test('requests of a token are limited, and the answer says how long to wait', async () => {
    const it = await startApp(use().store);
    const other = await startApp(use().store);
    const reader = (of: TestApp) => createToken(use().store, of, { scope: 'READ' });
    const one = await reader(it);
    // Refused after the limits, before any work: the database sees the token only.
    const ask = (secret: string, at = it) => callApi(at, secret, '/issues/1/checklist/changes', { body: {} });
    const first = await ask(one.secret);
    const most = Number(first.headers['ratelimit-limit']);
    expect(Number(first.headers['ratelimit-remaining'])).toBe(most - 1);
    expect(Number(first.headers['ratelimit-reset'])).toBeGreaterThan(0);
    // As many at once as there are connections: on a busy machine a longer queue would wait too long for one, and a request
    // whose token the database could not tell does not count.
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    while (answers.length < most) {
      const some = Math.min(usualLimits.connections, most - answers.length);
      answers.push(...(await Promise.all(Array.from({ length: some }, () => ask(one.secret)))));
    }
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.json()).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused[0]?.headers['ratelimit-remaining']).toBe('0');
    // All operations of a token count together.
    expect((await callApi(it, one.secret, '/checklists')).status).toBe(429);
    // Another token of the site goes on, and so does another site.
    expect((await ask((await reader(it)).secret)).status).toBe(403);
    expect((await ask((await reader(other)).secret, other)).status).toBe(403);
    await it.app.close();
    await other.app.close();
  });

  test('an address that sends invalid tokens is refused for a while, another one is not', async () => {
    const it = await startApp(use().store);
    const ask = (from: string) => callApi(it, 'scl_nonsense', '/templates', { from });
    const statuses = new Set<number>();
    for (let count = 0; count < 100; count += 1) statuses.add((await ask('10.1.1.1')).status);
    expect([...statuses]).toEqual([401, 429]);
    expect(Number((await ask('10.1.1.1')).headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask('10.1.1.2')).status).toBe(401);
    // Users behind that address sign in.
    const office = { remoteAddress: '10.1.1.1' };
    const authorization = `JWT ${it.contextToken('ana')}`;
    expect(
      await it.app.inject({ ...office, url: '/api/jira/auth', headers: { ...appKey, authorization } }),
    ).toMatchObject({
      statusCode: 200,
    });
    await it.app.close();
  });

  test('invalid tokens cost no look-up once their address is refused, or once they are known to be invalid', async () => {
    let asked = 0;
    const { store } = use();
    const counting: Store = {
      ...store,
      batch: (tenant, statements) => {
        asked += 1;
        return store.batch(tenant, statements);
      },
    };
    const it = await startApp(counting);
    const [valid, unused] = [await createToken(store, it), await createToken(store, it)];
    const ask = async (secret: string, from: string) => (await callApi(it, secret, '/templates', { from })).status;
    const forged = newSecret(it.tenant.id);
    expect(await ask(valid.secret, '10.1.2.1')).toBe(200);
    asked = 0;
    expect(await ask(forged, '10.1.2.2')).toBe(401);
    const once = asked;
    asked = 0;
    expect(await ask(forged, '10.1.2.2')).toBe(401);
    expect(asked).toBe(0);

    for (let count = 0; count < 100; count += 1) await ask(newSecret(it.tenant.id), '10.1.2.1');
    // As often as the limit permits, and once more.
    expect(asked).toBe(61 * once);
    asked = 0;
    for (let count = 0; count < 20; count += 1) expect(await ask(newSecret(it.tenant.id), '10.1.2.1')).toBe(429);
    const refused = await callApi(it, unused.secret, '/templates', { from: '10.1.2.1' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(asked).toBe(0);
    // Programs behind the same address go on, until their token ends.
    expect(await ask(valid.secret, '10.1.2.1')).toBe(200);
    expect(await ask(unused.secret, '10.1.2.3')).toBe(200);
    await use().raw('update api_token set revoked = now() where id = $1', [valid.id]);
    expect(await ask(valid.secret, '10.1.2.3')).toBe(401);
    await it.app.close();
  });
});
