import { request } from 'node:http';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { onStore } from '../support/stores.ts';

onStore(use => {
  test.each([15_000, 45_000])('a request with a token of %i characters is read', async length => {
    const { app } = await startApp(use().store);
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const headers = { authorization: `Bearer ${'x'.repeat(length)}` };
    const status = await new Promise((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', path: '/api/export', headers }, answer => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.on('error', reject).end();
    });
    // As for any other wrong token, not 431.
    expect(status).toBe(401);
    await app.close();
  });
});
