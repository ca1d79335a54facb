import { createServer, type RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { send } from '../../../../src/server/platform/tracker/send.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** Address of a server with this request handler. */
async function serving(answer: RequestListener): Promise<URL> {
  const server = createServer(answer);
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port.');
  return new URL(`http://127.0.0.1:${address.port}/path?a=1`);
}

const asked = { method: 'PUT', headers: { 'x-own': 'yes' }, body: '"größer als 𝄞"', time: 20_000 };

test('sends method, path, headers and body, and returns status, headers and text', async () => {
  const url = await serving(async (request, reply) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const { method, url, headers } = request;
    reply.writeHead(429, { 'retry-after': '7' });
    // In chunks, one of which ends within a character.
    const bytes = Buffer.from(JSON.stringify({ method, url, own: headers['x-own'], body }));
    const middle = bytes.indexOf('𝄞') + 2;
    reply.write(bytes.subarray(0, middle));
    setImmediate(() => reply.end(bytes.subarray(middle)));
  });
  const answer = await send(url, asked);
  expect(answer.status).toBe(429);
  expect(answer.headers.get('retry-after')).toBe('7');
  expect(answer.headers.get('location')).toBeNull();
  expect(JSON.parse(await answer.text())).toEqual({ method: 'PUT', url: '/path?a=1', own: 'yes', body: asked.body });
});

test('returns the answer that starts a task, without following the task', async () => {
  const location = 'https://example.com/rest/api/3/task/1';
  const begun = await serving((_, reply) => void reply.writeHead(303, { location }).end('{"id":"1"}'));
  const answer = await send(begun, asked);
  expect([answer.status, await answer.text()]).toEqual([303, '{"id":"1"}']);
});

test('rejects on a timeout, before or during the answer', async () => {
  const silent = await serving(() => {});
  await expect(send(silent, { ...asked, time: 50 })).rejects.toThrow('in time');
  const stuck = await serving((_, reply) => void reply.writeHead(200).write('{'));
  await expect(send(stuck, { ...asked, time: 50 })).rejects.toThrow();
});

test('rejects an answer beyond the limit, and reads no further', async () => {
  let isOpen = true;
  const url = await serving((_, reply) => {
    reply.on('close', () => {
      isOpen = false;
    });
    const more = () => {
      while (isOpen) if (!reply.write('x'.repeat(65_536))) return void reply.once('drain', more);
    };
    reply.writeHead(200);
    more();
  });
  await expect(send(url, { ...asked, most: 1_000_000 })).rejects.toThrow('longer');
  await expect.poll(() => isOpen).toBe(false);
  const fits = await serving((_, reply) => void reply.end('ä'.repeat(500_000)));
  expect(await (await send(fits, { ...asked, most: 1_000_000 })).text()).toBe('ä'.repeat(500_000));
});

test('rejects an interrupted answer, a redirect, and an unreachable server', async () => {
  const cut = await serving((_, reply) => {
    reply.writeHead(200, { 'content-length': 100 });
    reply.write('{', () => reply.destroy());
  });
  await expect(send(cut, asked)).rejects.toThrow();
  const elsewhere = await serving((_, reply) => void reply.writeHead(302, { location: 'https://example.com/' }).end());
  await expect(send(elsewhere, asked)).rejects.toThrow('elsewhere');
  const gone = await serving(() => {});
  for (const server of open.splice(0)) server.close();
  await expect(send(gone, asked)).rejects.toThrow();
});
