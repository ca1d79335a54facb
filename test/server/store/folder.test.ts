import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FolderInUse, lockFolder } from '../../../src/server/store/folder.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checklist-folder-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = () => join(folder, 'process.pid');

test('a folder is held by one at a time, and free again afterwards', async () => {
  const release = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUse);
  await release();
  await (await lockFolder(folder))();
});

test('refuses while the other process lives, and takes over when it is gone', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(other, 'spawn');
  await writeFile(file(), String(other.pid));
  await expect(lockFolder(folder)).rejects.toThrow(`Process ${other.pid} works in ${folder}.`);

  const gone = once(other, 'exit');
  other.kill('SIGKILL');
  await gone;
  const release = await lockFolder(folder);
  expect(await readFile(file(), 'utf8')).toBe(String(process.pid));
  await release();
});

test('takes over its own number, left behind by a container that was killed', async () => {
  await writeFile(file(), String(process.pid));
  await (await lockFolder(folder))();
});

test('takes over a file that a power cut left empty', async () => {
  await writeFile(file(), '');
  await (await lockFolder(folder))();
});

test('of several that start at once, one gets the folder', async () => {
  const started = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
  expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
