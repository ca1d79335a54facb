import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrationNames } from '../../../src/server/store/migrations.ts';
import { programOf, root } from '../../run/built.ts';
import { runNode } from '../../run/spawn.ts';
import { createDatabase } from '../support/postgres.ts';

let [folder, url] = ['', ''];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checklist-transfer-'));
  url = await createDatabase(inject('postgres'), { template: inject('template') });
});
afterAll(() => rm(folder, { recursive: true }));

const head = JSON.stringify({ format: 1, schema: migrationNames });
const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

const importFile = (file: string, env: Partial<Record<string, string>> = {}) =>
  runNode([...programOf('server/transfer'), 'import', file], {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    ...env,
  });

test.each([
  ['empty', ''],
  ['of NULs', '\0'.repeat(10_000)],
  ['of one line without an end', 'x'.repeat(40_000_000)],
  ['of a line nested deeply', deep],
  ['with another head', 'null\n'],
  ['cut after its head', `${head}\n`],
  ['with a line nested deeply', `${head}\n{"tenant":"a","table":"tenant","row":${deep}}\n{"rows":1,"sha256":"x"}`],
  ['with another kind of row', `${head}\n{"tenant":1,"table":[],"row":"x"}\n{"rows":1,"sha256":""}`],
])('a file %s is refused with one line', async (_name, text) => {
  const file = join(folder, 'file.jsonl');
  await writeFile(file, text);
  const { ended, printed } = importFile(file);
  expect(await ended, printed()).toBe(2);
  expect(printed().trimEnd()).toMatch(/^[^\n]{20,200}$/);
});

test.each([
  ['a newer version', { format: 1, schema: [...migrationNames, '9999-of-a-later-release'] }, 'a newer one: import it'],
  ['a newer format', { format: 2, tables: [] }, 'a newer one: import it'],
  ['an older version', { format: 1, schema: migrationNames.slice(0, -1) }, 'an older one: start this version once'],
])('a file of %s ends it with 78 and one line that says what to do', async (_name, first, says) => {
  const file = join(folder, 'version.jsonl');
  await writeFile(file, `${JSON.stringify(first)}\n{"rows":0,"sha256":""}\n`);
  const { ended, printed } = importFile(file);
  expect(await ended, printed()).toBe(78);
  expect(printed().trimEnd()).toMatch(/^[^\n]{20,200}$/);
  expect(printed()).toContain(says);
});

test.each([
  ['a setting that cannot work', { DATABASE_CONNECTIONS: 'ten' }, 78],
  ['a database that refuses the user', { DATABASE_URL: 'missing' }, 78],
  ['a database that is away', { DATABASE_URL: 'postgres://checklist@127.0.0.1:1/checklist' }, 69],
  ['a data folder that is a file', { DATABASE_URL: '', DATA_DIR: import.meta.filename }, 78],
])('%s ends it with one line', async (_name, { DATABASE_URL, ...env }: Partial<Record<string, string>>, code) => {
  const file = join(folder, 'head.jsonl');
  await writeFile(file, `${head}\n`);
  const missing = new URL(url);
  missing.pathname = '/missing';
  const databaseUrl = DATABASE_URL === 'missing' ? missing.href : (DATABASE_URL ?? url);
  const { ended, printed } = importFile(file, { ...env, DATABASE_URL: databaseUrl });
  expect(await ended, printed()).toBe(code);
  expect(printed().trimEnd()).toMatch(/^[^\n]{20,200}$/);
});

test('an export onto a full disk ends with one line that says so, and leaves no part of a file', async () => {
  const file = join(folder, 'full.jsonl');
  const full = join(root, 'test/server/support/full-disk.mjs');
  const { ended, printed } = runNode(['--import', full, ...programOf('server/transfer'), 'export', file], {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  });
  expect(await ended, printed()).toBe(2);
  expect(printed().trimEnd()).toMatch(/^Nothing was written to .*: ENOSPC: no space left on device, write\.$/);
  await expect(access(file)).rejects.toThrow('ENOENT');
});
