import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createQueryStringHash, fromMethodAndUrl } from 'atlassian-jwt';
import { type CryptoKey, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { edition } from '../../../../src/domain/edition.ts';
import { appKey, appOf, BASE_URL, SITE, startApp } from '../../support/app.ts';
import { provokes } from '../../support/left-behind.ts';
import { onStore } from '../../support/stores.ts';

/** Sends a key that does not end, as long as it is read. */
function endless(response: ServerResponse): void {
  const piece = 'A'.repeat(65_536);
  response.on('close', () => {
    provokes({ errors: /TooLong/, answers: [500] });
    sent = -1;
  });
  const more = () => {
    while (sent >= 0) {
      sent += piece.length;
      if (!response.write(piece)) return void response.once('drain', more);
    }
  };
  response.writeHead(200);
  more();
}
/** Bytes of that key; -1 once its reader has left. */
let sent = 0;

const KID = '0f1e2d3c-kid';
let keys: { privateKey: CryptoKey; publicKey: CryptoKey };
let server: Server;
let keyUrl = '';
const asked: string[] = [];

beforeAll(async () => {
  keys = await generateKeyPair('RS256');
  const pem = await exportSPKI(keys.publicKey);
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/endless') return void endless(response);
    response.writeHead(request.url === `/${KID}` ? 200 : 404).end(request.url === `/${KID}` ? pem : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  keyUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
});
afterAll(() => {
  server.close();
});

interface Signing {
  kid?: string;
  alg?: string;
  iss?: string;
  aud?: string;
  exp?: string;
  qsh?: string;
  iat?: string;
  key?: CryptoKey | Uint8Array;
}

const sign = (path: string, client: string, options: Signing = {}) =>
  new SignJWT({ qsh: options.qsh ?? createQueryStringHash(fromMethodAndUrl('POST', path)) })
    .setProtectedHeader({ alg: options.alg ?? 'RS256', kid: options.kid ?? KID })
    .setIssuer(options.iss ?? client)
    .setAudience(options.aud ?? BASE_URL)
    .setExpirationTime(options.exp ?? '3m')
    .setIssuedAt(options.iat ?? '0s')
    // Two of one second differ.
    .setJti(randomUUID())
    .sign(options.key ?? keys.privateKey);

const installation = (clientKey: string, more: Record<string, unknown> = {}) => ({
  key: edition.key,
  clientKey,
  sharedSecret: 'a secret of a decent length',
  baseUrl: SITE,
  productType: 'jira',
  eventType: 'installed',
  ...more,
});

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store, { INSTALL_KEYS_URL: keyUrl }));

  const post = async (path: string, body: unknown, token?: string) =>
    it.app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `JWT ${token}` }) },
      payload: JSON.stringify(body),
    });
  const install = async (client: string, options: Signing = {}, more = {}) =>
    post('/installed', installation(client, more), await sign('/installed', client, options));
  const uninstall = async (client: string) =>
    post('/uninstalled', installation(client, { eventType: 'uninstalled' }), await sign('/uninstalled', client));

  test('a signed installation is stored, with its secret encrypted', async () => {
    expect((await install('new-site')).statusCode).toBe(204);
    expect(await it.tenants.find('new-site')).toMatchObject({ url: SITE, secret: 'a secret of a decent length' });
    const [row] = await use().raw("select encode(secret, 'escape') as secret from tenant where tenant = 'new-site'");
    expect(row?.secret).not.toContain('decent');
  });

  test('reinstalling renews secret and address within the epoch; after an uninstallation an epoch begins', async () => {
    await install('again');
    const first = await it.tenants.find('again');
    await install('again', {}, { sharedSecret: 'another secret of a decent length' });
    const second = await it.tenants.find('again');
    expect(second).toMatchObject({ epoch: first?.epoch, secret: 'another secret of a decent length' });

    expect((await uninstall('again')).statusCode).toBe(204);
    expect(await it.tenants.find('again')).toBeUndefined();
    await install('again');
    expect((await it.tenants.find('again'))?.epoch).not.toBe(first?.epoch);
  });

  test('tokens and sessions of an uninstalled tenant are invalid at once, also after a new installation', async () => {
    const session = await it.session('alice');
    const query = () =>
      it.app.inject({ url: '/graphql?query={featureFlags}', headers: { authorization: `JWT ${session}` } });
    expect((await query()).statusCode).toBe(200);

    await uninstall(it.tenant.id);
    expect((await query()).statusCode).toBe(401);
    const auth = { ...appKey, authorization: `JWT ${it.contextToken()}` };
    expect((await it.app.inject({ url: '/api/jira/auth', headers: auth })).statusCode).toBe(401);

    await install(it.tenant.id, {}, { sharedSecret: it.tenant.secret });
    expect((await query()).statusCode).toBe(401);
    expect((await it.app.inject({ url: '/api/jira/auth', headers: auth })).statusCode).toBe(200);
  });

  test("the id of the app's Forge installation is stored, whatever its name, until another one is sent", async () => {
    const kept = async () =>
      (await use().raw("select installation from tenant where tenant = 'on-forge'"))[0]?.installation;
    await install('on-forge', {}, { installationId: 'ari:cloud:ecosystem::installation/one' });
    expect(await kept()).toBe('one');
    await install('on-forge');
    expect(await kept()).toBe('one');
    await install('on-forge', {}, { installationId: 'two' });
    expect(await kept()).toBe('two');
  });

  test('a token is good for one request, in every process, since it does not cover the body', async () => {
    const token = await sign('/installed', 'once');
    const refused = await post('/installed', installation('once', { baseUrl: 'https://elsewhere.example' }), token);
    expect(refused.statusCode).toBe(400);
    expect((await post('/installed', installation('once'), token)).statusCode).toBe(204);
    const stolen = installation('once', { sharedSecret: 'a secret that only a thief knows' });
    expect((await post('/installed', stolen, token)).statusCode).toBe(401);
    const other = await startApp(use().store, { INSTALL_KEYS_URL: keyUrl });
    const again = {
      method: 'POST',
      url: '/installed',
      headers: { authorization: `JWT ${token}` },
      payload: stolen,
    } as const;
    expect((await other.app.inject(again)).statusCode).toBe(401);
    await other.app.close();
    expect((await it.tenants.find('once'))?.secret).toBe('a secret of a decent length');

    const leaving = await sign('/uninstalled', 'once');
    const body = installation('once', { eventType: 'uninstalled' });
    expect((await post('/uninstalled', body, leaving)).statusCode).toBe(204);
    await install('once');
    expect((await post('/uninstalled', body, leaving)).statusCode).toBe(401);
    expect(await it.tenants.find('once')).toBeDefined();
  });

  /** Other spellings of a token: its signature's last character has four unused bits, and may be padded. */
  const respelled = (token: string): string[] => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const first = alphabet.indexOf(token.at(-1) ?? '') & ~15;
    const others = [...alphabet.slice(first, first + 16)].map(last => token.slice(0, -1) + last);
    return [...others.filter(other => other !== token), `${token}==`];
  };

  test('a used token is not good again where its signature is spelled in another way', async () => {
    const token = await sign('/installed', 'spelled');
    expect((await post('/installed', installation('spelled'), token)).statusCode).toBe(204);
    const spellings = respelled(token);
    expect(spellings).toHaveLength(16);
    const stolen = installation('spelled', { sharedSecret: 'a secret that only a thief knows' });
    for (const other of spellings) expect((await post('/installed', stolen, other)).statusCode).toBe(401);
    expect((await it.tenants.find('spelled'))?.secret).toBe('a secret of a decent length');
  });

  test('a used token is forgotten once it has expired', async () => {
    await install('tidy', { iat: '-3m', exp: '-20s' });
    expect(await use().raw("select 1 from used_token where tenant = 'tidy'")).toHaveLength(1);
    await use().raw("update used_token set until = now() - interval '1 second' where tenant = 'tidy'");
    await uninstall('tidy');
    expect(await use().raw("select 1 from used_token where tenant = 'tidy'")).toHaveLength(1);
  });

  test('a key that does not end is not read to its end', async () => {
    sent = 0;
    expect((await install('endless', { kid: 'endless' })).statusCode).toBe(500);
    await expect.poll(() => sent).toBe(-1);
    expect(await it.tenants.find('endless')).toBeUndefined();
  });

  test.each(['https://user@site.example.net', 'https://:password@site.example.net'])(
    'an address with a user or password is refused: %s',
    async baseUrl => {
      expect((await install('with-user', {}, { baseUrl })).statusCode).toBe(400);
      expect(await it.tenants.find('with-user')).toBeUndefined();
    },
  );

  test('uninstalling an unknown tenant is no error', async () => {
    expect((await uninstall('never-there')).statusCode).toBe(204);
  });

  test.each<[string, Signing]>([
    ['another issuer', { iss: 'another-issuer' }],
    ['another audience', { aud: 'https://other.example' }],
    ['an expired token', { exp: '-40s' }],
    ['a hash of another request', { qsh: createQueryStringHash(fromMethodAndUrl('POST', '/uninstalled')) }],
    ['a context hash', { qsh: 'context-qsh' }],
    ['an unknown key', { kid: 'unknown' }],
    ['a key id with a path', { kid: '../evil' }],
    ['a key id that is an address', { kid: 'https://evil.example/key' }],
    ['a shared secret instead of a key', { alg: 'HS256', key: new Uint8Array(32) }],
    ['a token of the future', { iat: '2m', exp: '5m' }],
    ['a token for longer than an hour', { exp: '61m' }],
  ])('%s is refused', async (_name, options) => {
    expect((await install('refused', options)).statusCode).toBe(401);
    expect(await it.tenants.find('refused')).toBeUndefined();
    expect(asked.every(path => /^\/[\w-]+$/.test(path))).toBe(true);
  });

  test('a token with the right key id and another signature is refused', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    expect((await install('refused', { key: privateKey })).statusCode).toBe(401);
  });

  test('a token is required; a tenant cannot install by its own secret', async () => {
    expect((await post('/installed', installation('refused'))).statusCode).toBe(401);
    const own = it.requestToken('POST', '/installed');
    expect((await post('/installed', installation(it.tenant.id), own)).statusCode).toBe(401);
  });

  test.each([
    ['a foreign host', { baseUrl: 'https://evil.example' }],
    ['an unencrypted address', { baseUrl: 'http://site.example.net' }],
    ['another add-on', { key: 'other' }],
    ['no secret', { sharedSecret: undefined }],
    ['a client key with odd characters', { clientKey: 'a b' }],
  ])('%s is a bad request', async (_name, more) => {
    expect((await install('refused', {}, more)).statusCode).toBe(400);
    expect(await it.tenants.find('refused')).toBeUndefined();
  });

  test('a key is fetched once', async () => {
    await install('fetch-1');
    await install('fetch-2');
    const fetched = asked.filter(path => path === `/${KID}`).length;
    await install('fetch-3');
    expect(asked.filter(path => path === `/${KID}`)).toHaveLength(fetched);
  });
});
