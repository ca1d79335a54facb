import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { perMinute } from '../../../src/server/quota/limits.ts';
import { appKey, appOf, signed, startApp, type TestApp } from '../support/app.ts';
import { onStore } from '../support/stores.ts';

const MINUTE = 60_000;

onStore(use => {
  let clientDir: string;
  beforeAll(async () => {
    clientDir = await mkdtemp(join(tmpdir(), 'checklist-client-'));
    await writeFile(join(clientDir, 'index.html'), '<!doctype html>');
    return () => rm(clientDir, { recursive: true });
  });
  const it = appOf(beforeEach, () => startApp(use().store, { CLIENT_DIR: clientDir }));

  const ask = (token: string, { from = '192.0.2.1', url = '/graphql?query={featureFlags}', at = it } = {}) =>
    at.app.inject({ url, remoteAddress: from, headers: { ...appKey, authorization: `JWT ${token}` } });
  let made = 0;
  /** Another wrong token each time: signed with a wrong secret, for the tenant. */
  const wrong = (at = it) => {
    made += 1;
    const claims = { iss: at.tenant.id, aud: at.tenant.id, sub: `a${made}`, qsh: 'context-qsh', exp: 4_000_000_000 };
    return signed(claims, 'a secret that is wrong and long enough');
  };

  test('700 different wrong tokens of one address, for sessions, frames and exports, are refused before they are read', async () => {
    const doors = ['/graphql?query={featureFlags}', '/api/jira/auth', '/api/export'];
    const known = await it.session('ana');
    expect((await ask(known)).statusCode).toBe(200);
    const statuses: number[] = [];
    for (let count = 0; count < 700; count += 1) {
      const url = doors[count % doors.length];
      statuses.push((await ask(wrong(), { url })).statusCode);
    }
    expect(statuses.filter(status => status === 401)).toHaveLength(perMinute.invalid);
    expect(statuses.slice(perMinute.invalid).every(status => status === 429)).toBe(true);
    const refused = await Promise.all(doors.map(url => ask(wrong(), { url })));
    for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    // Sites that are known go on behind the same address, and so does every other address.
    expect((await ask(known)).statusCode).toBe(200);
    expect((await ask(await it.session('new'))).statusCode).toBe(200);
    const other = await startApp(use().store);
    const unknown = await other.session('new');
    expect((await ask(unknown)).statusCode).toBe(429);
    expect((await ask(unknown, { from: '192.0.2.2' })).statusCode).toBe(200);
    await other.app.close();
    it.elapse(MINUTE);
    expect((await ask(await it.session('new'))).statusCode).toBe(200);
  });

  test('behind an address that sent wrong tokens, users of known sites sign in; of others nothing is looked up', async () => {
    const from = '192.0.2.9';
    const page = (at: TestApp) => {
      const url = '/panel?issueId=1';
      return it.app.inject({ url: `${url}&jwt=${at.requestToken('GET', url)}`, remoteAddress: from });
    };
    const signIn = (at: TestApp) => ask(at.contextToken('ana'), { from, url: '/api/jira/auth' });
    const unnamed = () => ask(`${made++}.wrong.token`, { from });
    expect((await ask(it.contextToken('bob'), { url: '/api/jira/auth' })).statusCode).toBe(200);
    for (let count = 0; count < perMinute.invalid; count += 1) expect((await unnamed()).statusCode).toBe(401);
    expect((await unnamed()).statusCode).toBe(429);
    expect((await signIn(it)).statusCode).toBe(200);
    expect((await page(it)).statusCode).toBe(200);
    expect((await ask(await it.session('ana'), { from })).statusCode).toBe(200);
    const other = await startApp(use().store);
    const find = vi.spyOn(it.tenants, 'find');
    for (const answer of [await signIn(other), await page(other), await ask(await other.session('a'), { from })]) {
      expect(answer.statusCode).toBe(429);
    }
    // A session names its site elsewhere than the tracker's tokens do.
    const mixed = { iss: `unknown-${made++}`, aud: it.tenant.id, qsh: 'context-qsh', exp: 4_000_000_000 };
    const token = signed(mixed, it.tenant.secret);
    expect((await ask(token, { from, url: '/api/jira/auth' })).statusCode).toBe(429);
    expect(find).not.toHaveBeenCalled();
    find.mockRestore();
    await other.app.close();
  });

  test('wrong tokens in the address of a page, and unsigned installations, are limited', async () => {
    const statuses = new Set<number>();
    for (let count = 0; count < 100; count += 1) {
      const page = await it.app.inject({ url: `/?jwt=${wrong()}`, remoteAddress: '192.0.2.3' });
      statuses.add(page.statusCode);
    }
    expect([...statuses]).toEqual([401, 429]);
  });

  test('sessions that have expired do not block their address', async () => {
    const expired = await it.tokens.session(await it.session('ana')).then(async () => {
      const claims = { iss: it.tenant.id, sub: 'ana', qsh: 'context-qsh', iat: 1_000_000_000, exp: 1_000_000_100 };
      return signed(claims, it.tenant.secret);
    });
    for (let count = 0; count < 100; count += 1) {
      expect((await ask(expired, { url: '/api/jira/auth' })).statusCode).toBe(401);
    }
    expect((await ask(await it.session('new'))).statusCode).toBe(200);
  });

  test('an account has one limit for all of its tokens, and the answer says what is left', async () => {
    const first = await ask(await it.session('ana'));
    expect(first.headers).toMatchObject({
      'ratelimit-limit': String(perMinute.token),
      'ratelimit-remaining': String(perMinute.token - 1),
    });
    expect(Number(first.headers['ratelimit-reset'])).toBeGreaterThan(0);
    // As if other frames had sent most of the minute's requests.
    const account = { tenant: it.tenant.id, key: 'account ana' };
    for (let count = 0; count < perMinute.account - 100; count += 1) it.rates.count(account, perMinute.account);
    const tokens = [await it.session('ana'), it.contextToken('ana', { jti: 'one' }), it.contextToken('ana')];
    const urls = [undefined, '/api/jira/auth', '/api/jira/auth'];
    for (let count = 1; count < 100; count += 1) {
      const [token = '', url] = [tokens[count % 3], urls[count % 3]];
      expect((await ask(token, url === undefined ? {} : { url })).statusCode).toBe(200);
    }
    const refused = await ask(await it.session('ana'));
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['ratelimit-remaining']).toBe('0');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.json()).toHaveProperty('error');
    expect((await ask(await it.session('bob'))).statusCode).toBe(200);
  }, 60_000);

  test('forged webhooks of the tracker count for their address; sites whose webhooks are known go on', async () => {
    const path = '/webhooks/issue-updated?issueId=1';
    const from = { remoteAddress: '203.0.113.7' };
    const send = (token: string, { remoteAddress } = from) =>
      it.app.inject({
        method: 'POST',
        url: path,
        remoteAddress,
        payload: {},
        headers: { authorization: `JWT ${token}` },
      });
    const forged = () => {
      made += 1;
      return signed(
        { iss: `unknown-${made}`, qsh: 'x', exp: 4_000_000_000 },
        'a secret that is made up and long enough',
      );
    };
    const genuine = () => it.requestToken('POST', path);
    expect((await send(genuine())).statusCode).toBe(204);
    // As if most of the minute's forged ones had come already.
    const subject = { tenant: '', key: 'forged 203.0.113.7' };
    for (let count = 0; count < perMinute.forged - 2; count += 1) it.rates.count(subject, perMinute.forged);
    const find = vi.spyOn(it.tenants, 'find');
    const statuses = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await send(forged())).statusCode);
    expect(statuses).toEqual([401, 401, 429, 429, 429]);
    // The last ones were not even looked up.
    expect(find).toHaveBeenCalledTimes(3);
    find.mockRestore();
    expect((await send(genuine())).statusCode).toBe(204);
    expect((await send(forged(), { remoteAddress: '203.0.113.8' })).statusCode).toBe(401);
    // Wrong tokens elsewhere have a limit of their own: installations come from the tracker's addresses, too.
    expect((await ask(wrong(), { from: '203.0.113.7', url: '/api/jira/auth' })).statusCode).toBe(401);
  });

  test('the tracker’s own calls have no limit of their address', async () => {
    const path = '/webhooks/issue-updated?issueId=1';
    const call = () =>
      it.app.inject({
        ...{ method: 'POST', url: path, remoteAddress: '203.0.113.9', payload: {} },
        headers: { authorization: `JWT ${it.requestToken('POST', path)}` },
      });
    const { headers, statusCode } = await call();
    expect(statusCode).toBe(204);
    expect(headers['ratelimit-limit']).toBeUndefined();
  });
});
