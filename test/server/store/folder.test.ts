import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FolderInUse, lockFolder, makeFolder } from '../../../src/server/store/folder.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checklist-folder-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = () => join(folder, 'process.pid');

test('a folder has one owner at a time, and is free after its release', async () => {
  const release = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUse);
  await release();
  await (await lockFolder(folder))();
});

test('is refused while the other process lives, and taken over after its end', async () => {
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

test('takes over a lock file with its own process id, left by a killed container', async () => {
  await writeFile(file(), String(process.pid));
  await (await lockFolder(folder))();
});

test('takes over an empty lock file, left by a power failure', async () => {
  await writeFile(file(), '');
  await (await lockFolder(folder))();
});

test('of several concurrent starts, one gets the folder', async () => {
  const started = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
  expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a folder is made with those above it, which may be there; a file in its place, or a place for none, is refused', async () => {
  const deep = join(folder, 'a', 'b', 'c');
  await makeFolder(deep);
  await makeFolder(deep);
  await writeFile(join(deep, 'file'), '');
  await expect(makeFolder(join(deep, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(deep, 'file', 'd'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeFolder('/proc/checklist/data')).rejects.toMatchObject({
    message: 'the folder /proc/checklist cannot be made',
    code: 'ENOENT',
  });
});
