import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** How test files are named decides how they run: vite.config.ts. */

const tests = join(import.meta.dirname, '..');

test('a file that replaces modules is named so, since it cannot share the modules of others', () => {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter(file => /\.test\.tsx?$/.test(file));
  const replaces = (file: string) => /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(join(tests, file), 'utf8'));
  expect(files.filter(replaces)).toEqual(files.filter(file => file.includes('.mocked.test.')));
});
