import { describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { forgeOf, newSite, startForge } from '../support/forge.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';

const FRAME = 'https://0a1b-c2.cdn.prod.atlassian-dev.net';
const called = ['/graphql', '/api/live', '/api/export', '/api/analytics'];
const others = ['/api/forge/session', '/api/jira/auth', '/forge/events', '/installed', '/metrics', '/health/live', '/'];

onStore(use => {
  const app = forgeOf(use);
  const preflight = (url: string, origin: string, it: TestApp = app.it) =>
    it.app.inject({
      ...{ method: 'OPTIONS', url },
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });

  test.each(called)('a frame of the vendor may call %s, with a token and without cookies', async url => {
    const { statusCode, headers } = await preflight(url, FRAME);
    expect(statusCode).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': FRAME,
      'access-control-allow-headers': 'authorization, content-type, app-key',
      'access-control-max-age': '7200',
      'access-control-allow-methods': 'GET, POST',
    });
    expect(headers.vary).toMatch(/origin/i);
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('responses are readable, refusals too', async () => {
    const { token } = (await app.signIn(newSite())).json();
    const url = '/graphql?query={featureFlags}';
    const headers = { origin: FRAME, authorization: `JWT ${token}` };
    const answer = await app.it.app.inject({ url, headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(FRAME);
    const refused = await app.it.app.inject({ url, headers: { origin: FRAME } });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBe(FRAME);
  });

  describe('no other page may call', () => {
    test.each(others)('%s', async url => {
      // The folder of the pages is empty.
      provokes({ errors: /index\.html/, answers: [500] });
      expect((await preflight(url, FRAME)).headers).not.toHaveProperty('access-control-allow-origin');
      const { headers } = await app.it.app.inject({ url, headers: { origin: FRAME } });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    });

    test.each([
      'https://evil.example',
      'http://0a1b-c2.cdn.prod.atlassian-dev.net',
      'https://a.b.cdn.prod.atlassian-dev.net',
      'https://cdn.prod.atlassian-dev.net.evil.example',
      'https://x.cdn.prod.atlassian-dev.net.evil.example',
      'https://x.cdn.prod.atlassian-dev.net:8443',
      'null',
    ])('the app from %s', async origin => {
      for (const url of called) {
        expect((await preflight(url, origin)).headers).not.toHaveProperty('access-control-allow-origin');
      }
    });
  });

  test('configured origins replace the default ones', async () => {
    const local = await startForge(use(), { FORGE_ORIGINS: 'http://localhost:4100 http://localhost:4200' });
    const { headers } = await preflight('/graphql', 'http://localhost:4200', local.it);
    expect(headers['access-control-allow-origin']).toBe('http://localhost:4200');
    expect((await preflight('/graphql', FRAME, local.it)).headers).not.toHaveProperty('access-control-allow-origin');
    await local.it.app.close();
  });

  test('without Forge, no origin is allowed', async () => {
    const it = await startApp(use().store);
    const { headers } = await preflight('/graphql', FRAME, it);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    await it.app.close();
  });
});
