import { type FastifyRequest, fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createApiLimits, registerLimits } from '../../../src/server/common/limits.ts';

const header = ({ headers }: FastifyRequest, name: string) => String(headers[name]);

test('tokens have a limit each, and those of a site another one together', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  await registerLimits(app);
  const limits = createApiLimits(app, request => ({
    token: header(request, 'token'),
    tenant: header(request, 'tenant'),
  }));
  app.get('/token', limits.token);
  app.get('/site', limits.site);
  const ask = async (url: string, token: string, tenant: string) =>
    (await app.inject({ url, headers: { token, tenant } })).json();
  const { max } = await ask('/token', 'a', 'one');
  for (let count = 1; count < max; count += 1) await ask('/token', 'a', 'one');
  expect(await ask('/token', 'a', 'one')).toMatchObject({ remaining: 0, isExceeded: true });
  expect(await ask('/token', 'b', 'one')).toMatchObject({ remaining: max - 1, isExceeded: false });

  const site = await ask('/site', 'a', 'one');
  expect(site.max).toBeGreaterThan(max);
  for (let count = 1; count < site.max; count += 1) await ask('/site', `token ${count}`, 'one');
  expect(await ask('/site', 'new', 'one')).toMatchObject({ isExceeded: true });
  expect(await ask('/site', 'a', 'two')).toMatchObject({ isExceeded: false });
});
