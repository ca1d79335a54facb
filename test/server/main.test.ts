import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { lockFolder } from '../../src/server/store/folder.ts';
import { programOf } from '../run/built.ts';
import { runNode } from '../run/spawn.ts';

const KEY = Buffer.alloc(32).toString('base64');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checklist-main-'));
});
afterAll(() => rm(folder, { recursive: true }));

function launch(env: Record<string, string>) {
  const running = runNode(programOf('server/main'), { PATH: process.env.PATH, ...env });
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

test('it serves requests, and ends cleanly on SIGTERM', async () => {
  const { child, ended, printed, prints } = launch({
    PORT: '0',
    DATABASE_URL: `${inject('postgres')}/postgres`,
    ENCRYPTION_KEY: KEY,
    DATA_DIR: folder,
  });
  const [, address] = await prints(/listening at (http:\S+?)"/);
  expect((await fetch(`${address}/health/ready`)).status).toBe(200);
  child.kill('SIGTERM');
  const code = await ended;
  expect(code, printed()).toBe(0);
});
