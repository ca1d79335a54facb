import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '../run/free-port.ts';
import { check, hasNginx, layOut, type NginxOptions, type Site, startNginx } from './nginx.ts';

/** Bytes that the server takes as headers of a request: a rule's configuration is in the platform's token. */
const SERVER_HEADER_BYTES = 65_536;

test("the proxy takes the platform's largest tokens, as the server does", async () => {
  const text = await readFile(join(import.meta.dirname, '../../deploy/nginx/conf.d/checklist.conf'), 'utf8');
  const [, kilobytes] = /^large_client_header_buffers \d+ (\d+)k;$/m.exec(text) ?? [];
  expect(Number(kilobytes) * 1_024).toBe(SERVER_HEADER_BYTES);
});

describe.skipIf(!hasNginx)('where the machine has nginx', () => {
  let folder = '';
  let closing: (() => unknown)[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'checklist-nginx-'));
    closing = [];
  });
  afterEach(async () => {
    for (const close of closing.reverse()) await close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A process with one build, and the headers of the requests that came to it. */
  async function program(build: string) {
    const port = await freePort();
    const asked: IncomingHttpHeaders[] = [];
    const server: Server = createServer(({ url = '', headers }, response) => {
      asked.push(headers);
      const isThere = !url.startsWith('/assets/') || url === `/assets/history-${build}.js`;
      if (url === '/slow-down') return void response.writeHead(429, { 'retry-after': '17' }).end();
      response.writeHead(isThere ? 200 : 404, { 'x-request-id': headers['x-request-id'] }).end(isThere ? build : '');
    }).listen(port, '127.0.0.1');
    const close = async () => {
      server.closeAllConnections();
      server.close();
    };
    closing.push(close);
    return { port, asked, close };
  }

  async function start(site: Site, replace: NginxOptions['replace'] = []) {
    const [older, newer, port] = [await program('v1'), await program('v2'), await freePort()];
    await layOut(folder, { site, processes: [older.port, newer.port], port, replace });
    closing.push(await startNginx(folder, port));
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { host: 'checklist.example.com', ...headers } });
    return { older, newer, ask };
  }

  /** The test asks from the loopback, in the place of the proxy in front. */
  const behindLoopback = ['set_real_ip_from 10.0.0.0/8', 'set_real_ip_from 127.0.0.1'] as const;
  const logs = async () =>
    Promise.all((await readdir(join(folder, 'logs'))).map(name => readFile(join(folder, 'logs', name), 'utf8')));
  const accessLog = () => readFile(join(folder, 'logs/checklist.access.log'), 'utf8');

  test.each<Site>(['checklist', 'checklist-behind-proxy'])('%s is a configuration that nginx accepts', async site => {
    await layOut(folder, { site, processes: [3001, 3002], port: 8443 });
    const { isRight, said } = check(folder);
    expect(isRight, said).toBe(true);
  });

  test('a file that one process lacks is asked of the other one, and one that none has is not found', async () => {
    const { ask } = await start('checklist-behind-proxy');
    for (let opening = 0; opening < 6; opening += 1) {
      for (const build of ['v1', 'v2']) {
        const answer = await ask(`/assets/history-${build}.js`);
        expect([answer.status, await answer.text()]).toEqual([200, build]);
      }
    }
    expect((await ask('/assets/history-v0.js')).status).toBe(404);
  });

  test("no log has the token of a page or of a page's file, also where no process answers", async () => {
    const { older, newer, ask } = await start('checklist-behind-proxy', [
      behindLoopback,
      ['rate=200r/s', 'rate=1r/s'],
      ['burst=400', 'burst=1'],
    ]);
    const page = '/checklist?issueKey=A-1&jwt=secret.to.kens';
    const headers = { referer: `https://checklist.example.com${page}` };
    expect((await ask(page, headers)).status).toBe(200);
    await Promise.all([older.close(), newer.close()]);
    const failed = await ask(page, headers);
    expect(failed.status).toBe(502);
    expect((await ask('/assets/history-v1.js', headers)).status).toBe(502);
    for (let more = 0; more < 5; more += 1) await ask(page, headers);
    const id = failed.headers.get('x-request-id') ?? 'none';
    await vi.waitFor(async () => expect(await accessLog()).toMatch(/ 429 /));
    const line = (await accessLog()).split('\n').find(each => each.includes(id));
    expect(line).toMatch(/ GET \/checklist 502 .*127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+ 502, 502 /);
    const all = (await logs()).join('');
    expect(all).not.toMatch(/secret|jwt|A-1/);
  });

  test('an answer has the id that the process received', async () => {
    const { older, newer, ask } = await start('checklist-behind-proxy');
    const answer = await ask('/checklist', { 'x-request-id': 'invented-by-a-caller' });
    const [received] = [...older.asked, ...newer.asked].map(headers => headers['x-request-id']);
    expect(received).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.headers.get('x-request-id')).toBe(received);
    await vi.waitFor(async () => expect(await accessLog()).toContain(String(received)));
    expect((await ask('/metrics')).status).toBe(403);
    expect((await ask('/health/ready')).status).toBe(403);
  });

  test('behind a second proxy limits count people, not that proxy', async () => {
    const { older, newer, ask } = await start('checklist-behind-proxy', [
      behindLoopback,
      ['rate=200r/s', 'rate=1r/s'],
      ['burst=400', 'burst=20'],
    ]);
    const from = async (address: string, requests: number) => {
      const statuses: number[] = [];
      for (let request = 0; request < requests; request += 1) {
        statuses.push((await ask('/graphql', { 'x-forwarded-for': `198.51.100.1, ${address}` })).status);
      }
      return statuses.filter(status => status === 429).length;
    };
    const people = Array.from({ length: 10 }, (_, index) => `203.0.113.${index}`);
    const refused = await Promise.all(people.map(address => from(address, 20)));
    expect(refused).toEqual(people.map(() => 0));
    // What a caller claims stands before that proxy's part, and does not count.
    const received = [...older.asked, ...newer.asked].map(headers => headers['x-forwarded-for']);
    expect([...new Set(received)].sort()).toEqual(people);
    expect(await from('203.0.113.77', 150)).toBeGreaterThan(0);
  });

  test('an answer beyond the limit says when to come again, by nginx or by the process that refused it', async () => {
    const { ask } = await start('checklist-behind-proxy', [
      ['rate=200r/s', 'rate=1r/s'],
      ['burst=400', 'burst=3'],
    ]);
    const first = await ask('/graphql');
    expect([first.status, first.headers.get('retry-after')]).toEqual([200, null]);
    // The program's own is passed on as it is.
    expect((await ask('/slow-down')).headers.get('retry-after')).toBe('17');
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/graphql')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).not.toEqual([]);
    expect(new Set(refused.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']));
  });

  test('a token of the platform passes with the largest configuration of a rule in it', async () => {
    const { ask } = await start('checklist-behind-proxy');
    const authorization = `Bearer ${'x'.repeat(45_000)}`;
    expect((await ask('/api/forge/session', { authorization })).status).not.toBe(400);
    expect((await ask('/', { authorization })).status).toBe(200);
  });

  test('a caller cannot invent an address where there is no second proxy', async () => {
    const { older, newer, ask } = await start('checklist-behind-proxy');
    await ask('/graphql', { 'x-forwarded-for': '203.0.113.7' });
    expect([...older.asked, ...newer.asked].map(headers => headers['x-forwarded-for'])).toEqual(['127.0.0.1']);
  });
});
