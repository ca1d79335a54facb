import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrationNames } from '../../src/server/store/migrations.ts';
import { programOf } from '../run/built.ts';
import { runNode } from '../run/spawn.ts';
import { createDatabase } from './support/postgres.ts';

let [folder, url] = ['', ''];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checklist-transfer-'));
  url = await createDatabase(inject('postgres'), { template: inject('template') });
});
afterAll(() => rm(folder, { recursive: true }));

const head = JSON.stringify({ format: 2, schema: migrationNames });
const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

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
  const { ended, printed } = runNode([...programOf('server/transfer'), 'import', file], {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  });
  expect(await ended, printed()).toBe(2);
  expect(printed().trimEnd()).toMatch(/^[^\n]{20,200}$/);
});
