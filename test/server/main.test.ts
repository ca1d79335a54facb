import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { holdFolder } from '../../src/server/store/folder.ts';
import { programOf } from '../run/built.ts';
import { spawnNode } from '../run/spawn.ts';

const KEY = Buffer.alloc(32).toString('base64');
const PATIENCE = 30_000;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checklist-main-'));
});
afterAll(() => rm(folder, { recursive: true }));

function launch(env: Record<string, string>) {
  const child = spawnNode(programOf('server/main'), { PATH: process.env.PATH, ...env });
  const exit = once(child, 'exit').then(([code]) => code);
  let printed = '';
  child.stderr?.on('data', chunk => (printed += chunk));
  const listening = new Promise<string>(resolve => {
    let log = '';
    child.stdout?.on('data', chunk => {
      log += chunk;
      const address = /listening at (http:\S+?)"/.exec(log)?.[1];
      if (address) resolve(address);
    });
  });
  return { child, exit, listening, printed: () => printed };
}

test('a configuration that cannot work ends it with 78 and words', { timeout: PATIENCE }, async () => {
  const { exit, printed } = launch({ PORT: 'http' });
  expect(await exit).toBe(78);
  expect(printed()).toContain('PORT');
  expect(printed()).not.toContain('    at ');
});

test('a data folder that another process works in ends it with 78', { timeout: PATIENCE }, async () => {
  const release = await holdFolder(folder);
  const { exit, printed } = launch({ DATA_DIR: folder, PORT: '0' });
  expect(await exit).toBe(78);
  expect(printed()).toContain(`works in ${folder}`);
  await release();
});

test('a port that another program has ends it with 78', { timeout: PATIENCE }, async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';
  const { exit, printed } = launch({ PORT: port, DATABASE_URL: `${inject('postgres')}/postgres`, ENCRYPTION_KEY: KEY });
  expect(await exit).toBe(78);
  expect(printed()).toContain('EADDRINUSE');
  expect(printed()).not.toContain('    at ');
  other.close();
});

test('it serves, and ends in peace when it is told to', { timeout: PATIENCE }, async () => {
  const { child, exit, listening } = launch({
    PORT: '0',
    DATABASE_URL: `${inject('postgres')}/postgres`,
    ENCRYPTION_KEY: KEY,
    DATA_DIR: folder,
  });
  const address = await listening;
  expect((await fetch(`${address}/health/ready`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
});
