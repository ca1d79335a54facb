import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { programOf, root } from '../run/built.ts';
import { runNode } from '../run/spawn.ts';

test('an embedded database that ends itself on a full disk ends the process with 69 and says so once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'checklist-end-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  const ends = join(folder, 'ends');
  const { child, ended, printed, prints } = runNode(
    ['--import', join(root, 'test/server/support/ended-database.mjs'), ...programOf('server/main')],
    {
      PATH: process.env.PATH,
      CLIENT_DIR: folder,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      INSTALL_KEYS_URL: 'http://127.0.0.1:9',
      DATABASE_ENDS: ends,
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const [, address] = await prints(/listening at (http:\S+?)"/);
  expect((await fetch(`${address}/health/ready`)).status).toBe(200);
  await writeFile(ends, '');
  expect(await ended, printed()).toBe(69);
  expect(printed().match(/No space left on device","msg":"the embedded database has ended/g)).toHaveLength(1);
  expect(printed().match(/"the database fails"/g)).toHaveLength(1);
  expect(printed()).not.toContain('    at ');
});
