import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { createTenants } from '../../src/server/platform/tenants.ts';
import { lockFolder } from '../../src/server/store/folder.ts';
import { openStore } from '../../src/server/store/open.ts';
import { createVault } from '../../src/server/store/vault.ts';
import { programOf } from '../run/built.ts';
import { freePort } from '../run/free-port.ts';
import { runNode } from '../run/spawn.ts';
import { createDatabase } from './support/postgres.ts';

const KEY = Buffer.alloc(32).toString('base64');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checklist-main-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
});
afterAll(() => rm(folder, { recursive: true }));

function launch(env: Record<string, string>) {
  // Nothing listens there: no test asks the vendor for its clock.
  const defaults = { PATH: process.env.PATH, CLIENT_DIR: folder, INSTALL_KEYS_URL: 'http://127.0.0.1:9' };
  const running = runNode(programOf('server/main'), { ...defaults, ...env });
  onTestFinished(() => void running.child.kill('SIGKILL'));
  return running;
}

test('an invalid configuration ends the process with 78 and a message', async () => {
  const { ended, printed } = launch({ PORT: 'http' });
  const code = await ended;
  expect(code, printed()).toBe(78);
  expect(printed()).toContain('PORT');
  expect(printed()).not.toContain('    at ');
});

test.each([
  ['a host that is no address of this machine', { HOST: 'not a host' }, 'HOST, PORT: '],
  ['a folder without built pages', { CLIENT_DIR: '/nowhere' }, 'CLIENT_DIR: there are no built pages'],
  [
    'a data folder that is a file',
    { DATA_DIR: import.meta.filename, DATABASE_URL: '' },
    'The database does not open: ',
  ],
  [
    'a data folder where none can be made',
    { DATA_DIR: '/proc/checklist', DATABASE_URL: '' },
    'The database does not open: the folder /proc/checklist cannot be made',
  ],
  ['a kind of connection that there is none of', { more: '?sslmode=nonsense' }, 'The database does not open: '],
])('%s ends it with 78 and a line that says why', async (_, { more = '', ...env }: Record<string, string>, says) => {
  const { ended, printed } = launch({
    ...{ PORT: '0', LOG_LEVEL: 'warn', DATABASE_URL: `${inject('postgres')}/postgres${more}`, ENCRYPTION_KEY: KEY },
    ...env,
  });
  expect(await ended, printed()).toBe(78);
  expect(printed().trim().split('\n')).toEqual([expect.stringContaining(says)]);
});

test('a data folder in use by another process ends it with 78', async () => {
  const release = await lockFolder(folder);
  const { ended, printed } = launch({ DATA_DIR: folder, PORT: '0' });
  const code = await ended;
  expect(code, printed()).toBe(78);
  expect(printed()).toContain(`works in ${folder}`);
  await release();
});

test('a port in use ends it with 78', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';
  const { ended, printed } = launch({
    PORT: port,
    DATABASE_URL: `${inject('postgres')}/postgres`,
    ENCRYPTION_KEY: KEY,
  });
  const code = await ended;
  expect(code, printed()).toBe(78);
  expect(printed()).toContain('EADDRINUSE');
  expect(printed()).not.toContain('    at ');
  other.close();
});

test('it serves requests and figures of its process, and ends cleanly on SIGTERM', async () => {
  const { child, ended, printed, prints } = launch({
    PORT: '0',
    DATABASE_URL: `${inject('postgres')}/postgres`,
    ENCRYPTION_KEY: KEY,
    DATA_DIR: folder,
  });
  const [, address] = await prints(/listening at (http:\S+?)"/);
  expect((await fetch(`${address}/health/ready`)).status).toBe(200);
  const metrics = await (await fetch(`${address}/metrics`)).text();
  expect(metrics).toMatch(/^process_cpu_user_seconds_total \d/m);
  expect(metrics).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  child.kill('SIGTERM');
  const code = await ended;
  expect(code, printed()).toBe(0);
});

test('a start without a database waits, says so, and goes on once it answers', async () => {
  const port = await freePort();
  const { child, ended, printed, prints } = launch({
    PORT: '0',
    DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres`,
    ENCRYPTION_KEY: KEY,
  });
  await prints(/"waiting for the database"/);
  const { port: real } = new URL(inject('postgres'));
  const proxy = createServer(socket => {
    const onward = connect(Number(real), '127.0.0.1');
    for (const end of [socket, onward]) end.on('error', () => {});
    socket.pipe(onward).pipe(socket);
  }).listen(port, '127.0.0.1');
  onTestFinished(() => void proxy.close());
  const [, address] = await prints(/listening at (http:\S+?)"/);
  expect((await fetch(`${address}/health/ready`)).status).toBe(200);
  expect(printed()).not.toContain('    at ');
  child.kill('SIGTERM');
  expect(await ended, printed()).toBe(0);
});

test('a start that waits for its database ends at once on SIGTERM', async () => {
  const { child, ended, printed, prints } = launch({
    PORT: '0',
    DATABASE_URL: `postgres://postgres@127.0.0.1:${await freePort()}/postgres`,
    ENCRYPTION_KEY: KEY,
  });
  await prints(/"waiting for the database"/);
  child.kill('SIGTERM');
  expect(await ended, printed()).toBe(0);
});

test('a start with a clock that is five minutes off waits, says so, and goes on once it is right', async () => {
  let shift = 0;
  const tracker = createHttpServer((_request, response) => {
    response.writeHead(404, { date: new Date(Date.now() + shift).toUTCString() }).end();
  }).listen(0, '127.0.0.1');
  await once(tracker, 'listening');
  onTestFinished(() => void tracker.close());
  const address = tracker.address();
  const { child, ended, printed, prints } = launch({
    PORT: '0',
    DATABASE_URL: `${inject('postgres')}/postgres`,
    ENCRYPTION_KEY: KEY,
    INSTALL_KEYS_URL: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : ''}`,
    NODE_OPTIONS: '--import "data:text/javascript,const right=Date.now;Date.now=()=>right()+300000"',
  });
  const [, said] = await prints(/"seconds":(\d+),"msg":"waiting for this machine's clock, which is ahead of/);
  expect(Number(said)).toBeGreaterThan(270);
  expect(printed()).not.toContain('listening');
  // As if the clock were set.
  shift = 300_000;
  await prints(/listening at (http:\S+?)"/);
  child.kill('SIGTERM');
  expect(await ended, printed()).toBe(0);
});

test.each([
  ['an unknown database', (url: URL) => Object.assign(url, { pathname: '/missing' }), 'missing'],
  ['an unknown user', (url: URL) => Object.assign(url, { username: 'stranger' }), 'stranger'],
])('%s ends it with 78 and what the database says', async (_, change, said) => {
  const { ended, printed } = launch({
    PORT: '0',
    DATABASE_URL: change(new URL(`${inject('postgres')}/postgres`)).href,
    ENCRYPTION_KEY: KEY,
  });
  expect(await ended, printed()).toBe(78);
  expect(printed()).toContain(said);
  expect(printed()).not.toContain('    at ');
});

test('a program goes on beside the database of a newer release, which only adds', async () => {
  const url = await createDatabase(inject('postgres'), { template: inject('template') });
  const client = new pg.Client(url);
  await client.connect();
  await client.query("insert into migration (name) values ('9999-of-a-later-release')");
  await client.query("alter table revision add column later text not null default ''");
  await client.query('create table later (tenant text primary key)');
  await client.end();
  const { child, ended, printed, prints } = launch({ PORT: '0', DATABASE_URL: url, ENCRYPTION_KEY: KEY });
  const [, address] = await prints(/listening at (http:\S+?)"/);
  expect((await fetch(`${address}/health/ready`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended, printed()).toBe(0);
});

test("another key than the database's ends it with 78, and an old key beside the new one works", async () => {
  const url = await createDatabase(inject('postgres'), { template: inject('template') });
  const store = await openStore({ databaseUrl: url, folder: '', onError: () => {} });
  await createTenants(store, createVault(Buffer.from(KEY, 'base64'))).install({
    id: 'client-1',
    url: 'https://site.example.net',
    secret: 'shared',
  });
  await store.close();
  const env = { PORT: '0', DATABASE_URL: url, ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') };
  const wrong = launch(env);
  expect(await wrong.ended, wrong.printed()).toBe(78);
  expect(wrong.printed()).toContain('ENCRYPTION_KEY is not the key of this database');
  const rotated = launch({ ...env, ENCRYPTION_KEYS_OLD: KEY });
  await rotated.prints(/listening at (http:\S+?)"/);
  rotated.child.kill('SIGTERM');
  expect(await rotated.ended, rotated.printed()).toBe(0);
});
