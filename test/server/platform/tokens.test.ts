import { SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { edition } from '../../../src/domain/edition.ts';
import { decodeSession } from '../../../src/domain/token.ts';
import { Unauthorized } from '../../../src/server/errors/request.ts';
import { appKey, appOf, SITE, signed, startApp } from '../support/app.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';

const URL_OF_PAGE = '/checklist?issueKey=A-1&surface=issue-content';
const seconds = () => Math.floor(Date.now() / 1000);

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  const auth = (token: string, headers: Record<string, string> = appKey) =>
    it.app.inject({ url: '/api/jira/auth', headers: { ...headers, authorization: `JWT ${token}` } });

  test('a context token is exchanged for a session with the settings', async () => {
    const response = await auth(it.contextToken('alice'));
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    const session = decodeSession(response.json().token);
    expect(session).toMatchObject({
      iss: edition.key,
      aud: it.tenant.id,
      sub: 'alice',
      site: 'https://site.example.net',
      settings: {
        getting_started_template_id: null,
        has_checklist: false,
        manage_permissions_enabled: false,
        view_permissions_enabled: false,
        analytics_enabled: true,
      },
    });
    expect(session.exp - session.iat).toBe(3_600);
    expect(await it.tokens.session(response.json().token)).toMatchObject({ account: 'alice' });
  });

  test('a token without an account is anonymous', async () => {
    const response = await auth(it.contextToken('alice', { sub: undefined }));
    expect(decodeSession(response.json().token).sub).toBe('anonymous');
  });

  test('a request token is bound to its request', async () => {
    const token = it.requestToken('GET', URL_OF_PAGE);
    expect(await it.tokens.request(token, 'GET', `${URL_OF_PAGE}&jwt=${token}`)).toMatchObject({ account: 'alice' });
    await expect(it.tokens.request(token, 'GET', '/checklist?issueKey=A-2')).rejects.toThrow(Unauthorized);
    await expect(it.tokens.request(token, 'POST', URL_OF_PAGE)).rejects.toThrow(Unauthorized);
  });

  describe('the kinds of token are not interchangeable', () => {
    test('a context token is no request token and no session', async () => {
      await expect(it.tokens.request(it.contextToken(), 'GET', URL_OF_PAGE)).rejects.toThrow(Unauthorized);
      await expect(it.tokens.session(it.contextToken())).rejects.toThrow(Unauthorized);
    });

    test('a request token is no context token and no session', async () => {
      const token = it.requestToken('GET', URL_OF_PAGE);
      await expect(it.tokens.context(token)).rejects.toThrow(Unauthorized);
      await expect(it.tokens.session(token)).rejects.toThrow(Unauthorized);
    });

    test('a session is neither', async () => {
      const token = await it.session('alice');
      await expect(it.tokens.context(token)).rejects.toThrow(Unauthorized);
      await expect(it.tokens.request(token, 'GET', URL_OF_PAGE)).rejects.toThrow(Unauthorized);
    });

    test('claims of a session, signed with the shared secret, are no session', async () => {
      const real = decodeSession(await it.session('alice'));
      await expect(it.tokens.session(signed({ ...real }, it.tenant.secret))).rejects.toThrow(Unauthorized);
    });
  });

  describe('is refused', () => {
    const forged = (claims: Record<string, unknown>, secret: string, alg = 'HS256') =>
      new SignJWT({ qsh: 'context-qsh', ...claims })
        .setProtectedHeader({ alg })
        .setIssuer(it.tenant.id)
        .setSubject('alice')
        .sign(new TextEncoder().encode(secret));

    test.each<[string, () => Promise<string> | string]>([
      ['no token', () => ''],
      ['no token at all', () => 'a.b.c'],
      ['another secret', () => forged({ exp: seconds() + 60 }, 'another secret that is long enough')],
      ['expired', () => it.contextToken('alice', { iat: seconds() - 300, exp: seconds() - 40 })],
      ['no expiry', () => forged({}, it.tenant.secret)],
      ['issued in the future', () => it.contextToken('alice', { iat: seconds() + 120, exp: seconds() + 300 })],
      ['good for longer than an hour', () => it.contextToken('alice', { iat: seconds(), exp: seconds() + 3_660 })],
      ['good for longer than an hour, issued at no time', () => forged({ exp: seconds() + 3_700 }, it.tenant.secret)],
      ['not valid yet', () => it.contextToken('alice', { nbf: seconds() + 60 })],
      ['another algorithm', () => forged({ exp: seconds() + 60 }, it.tenant.secret, 'HS384')],
      ['an unknown tenant', () => it.contextToken('alice', { iss: 'client-unknown' })],
      ['a tenant that is no string', () => it.contextToken('alice', { iss: 7 })],
      ['a tenant with odd characters', () => it.contextToken('alice', { iss: "x' or '1'='1" })],
      ['an account with odd characters', () => it.contextToken('a\u0000b')],
      ['no hash', () => it.contextToken('alice', { qsh: undefined })],
      [
        'unsigned',
        () => new UnsecuredJWT({ qsh: 'context-qsh' }).setIssuer(it.tenant.id).setExpirationTime('1h').encode(),
      ],
    ])('%s', async (_name, make) => {
      const response = await auth(await make());
      expect(response.statusCode).toBe(401);
      expect(response.json()).toEqual({ error: 'Unauthorized.' });
    });

    test('another app key, and another scheme', async () => {
      expect((await auth(it.contextToken(), { 'app-key': 'other' })).statusCode).toBe(401);
      expect((await auth(it.contextToken(), {})).statusCode).toBe(401);
      const headers = { ...appKey, authorization: `Bearer ${it.contextToken()}` };
      expect((await it.app.inject({ url: '/api/jira/auth', headers })).statusCode).toBe(401);
    });

    test('a changed signature', async () => {
      const token = await it.session('alice');
      const [head, body, signature = ''] = token.split('.');
      const other = signature.startsWith('A') ? 'B' : 'A';
      await expect(it.tokens.session(`${head}.${body}.${other}${signature.slice(1)}`)).rejects.toThrow(Unauthorized);
    });
  });

  test('a session can be used repeatedly, until it expires or its site uninstalls', async () => {
    const token = await it.session('alice');
    for (let time = 0; time < 3; time++) expect((await it.tokens.session(token)).account).toBe('alice');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
    try {
      await expect(it.tokens.session(token)).rejects.toThrow(Unauthorized);
    } finally {
      vi.useRealTimers();
    }
    expect((await it.tokens.session(token)).account).toBe('alice');
    await it.tenants.uninstall(it.tenant.id);
    await expect(it.tokens.session(token)).rejects.toThrow(Unauthorized);
    // Another installation, in which earlier sessions are invalid.
    await it.tenants.install({ ...it.tenant, url: SITE });
    await expect(it.tokens.session(token)).rejects.toThrow(Unauthorized);
  });

  test('clock differences of thirty seconds are tolerated', async () => {
    expect((await auth(it.contextToken('alice', { exp: seconds() - 10 }))).statusCode).toBe(200);
  });

  test('no token is logged', async () => {
    // The folder of the pages is empty.
    provokes({ errors: /index\.html/, answers: [500] });
    const token = it.requestToken('GET', URL_OF_PAGE);
    await it.app.inject(`${URL_OF_PAGE}&jwt=${token}`);
    await auth(token);
    expect(it.logged.join('')).not.toContain(token.split('.')[2]);
    expect(it.logged.join('')).toContain('"path":"/checklist"');
  });
});
