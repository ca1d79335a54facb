import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from '../../src/tracker/lock.ts';
import { openStore } from '../../src/tracker/store.ts';
import { programOf } from '../run/built.ts';
import { copyEmptyDatabase } from '../run/embedded.ts';
import { freePort } from '../run/free-port.ts';
import { type Running, runNode } from '../run/spawn.ts';
import { startTracker } from './harness.ts';

let folder: string;
const programs: Running[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tracker-'));
  await copyEmptyDatabase(join(folder, 'database'));
});
afterEach(async () => {
  for (const { child } of programs.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

test('what was written is there after a restart, and the add-on stays installed', async () => {
  const first = await startTracker({ data: folder });
  await first.as('editor')('PUT', '/rest/api/2/issue/WEB-1/properties/x', { json: '\u0000 \ud800 é' });
  await first.as('editor')('PUT', '/rest/api/2/issue/WEB-1', { json: { fields: { customfield_10100: '- a' } } });
  const installed = first.tracker.addon.installed();
  await first.close();

  const second = await startTracker({ data: folder, install: false });
  expect((await second.as('editor')('GET', '/rest/api/2/issue/WEB-1?properties=x')).body).toMatchObject({
    properties: { x: '\u0000 \ud800 é' },
    fields: { customfield_10100: '- a' },
  });
  expect(second.tracker.addon.installed()).toEqual(installed);
  await second.close();
});

test('a killed tracker has lost nothing that it acknowledged; a second one on its folder is turned away', async () => {
  const port = String(await freePort());
  const env = { ...process.env, TRACKER_PORT: port, TRACKER_DATA: folder, ADDON_URL: 'http://127.0.0.1:9' };
  const start = () => {
    const program = runNode(programOf('tracker/main'), env);
    programs.push(program);
    return program;
  };
  const running = start();
  await running.prints(/is at http/);
  const url = `http://127.0.0.1:${port}`;
  const signedIn = await fetch(`${url}/host/state`);
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const put = (value: number) =>
    fetch(`${url}/rest/api/2/issue/WEB-1/properties/x`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(value),
    });
  for (let value = 1; value <= 20; value++) expect((await put(value)).ok).toBe(true);

  const second = start();
  const code = await second.ended;
  expect([code, second.printed()]).toEqual([1, expect.stringMatching(/is in use by process \d+/)]);

  running.child.kill('SIGKILL');
  await running.ended;
  const store = await startTracker({ data: folder, install: false });
  expect((await store.as('editor')('GET', '/rest/api/2/issue/WEB-1/properties/x')).body).toMatchObject({ value: 20 });
  await store.close();
});

test('a folder is free again when its holder is gone, or never was', async () => {
  const unlock = await lockFolder(folder);
  await expect(openStore(folder)).rejects.toThrow(/in use by process/);
  await unlock();
  await writeFile(join(folder, 'lock.json'), JSON.stringify({ pid: process.pid, started: 'another time' }));
  await (await lockFolder(folder))();
  await writeFile(join(folder, 'lock.json'), 'half');
  await (await lockFolder(folder))();
});

test('of several that start at once, one gets the folder', async () => {
  const started = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
  expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const result of started) if (result.status === 'fulfilled') await result.value();
});
