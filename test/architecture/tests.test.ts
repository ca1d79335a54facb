import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** How test files are named decides how they run: vite.config.ts. */

const tests = join(import.meta.dirname, '..');

test('a file that replaces modules is named so, since it cannot share the modules of others', () => {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter(file => /\.test\.tsx?$/.test(file));
  const textOf = (file: string) => readFileSync(join(tests, file), 'utf8');
  const isReplacing = (text: string) => /\bvi\.(mock|doMock|resetModules)\(/.test(text);
  /** In the file, or in a helper beside it. */
  const replaces = (file: string) => {
    const helpers = [...textOf(file).matchAll(/ from '\.\/([^']+)'/g)].map(([, name = '']) =>
      join(dirname(file), name),
    );
    return [file, ...helpers].map(textOf).some(isReplacing);
  };
  expect(files.filter(replaces)).toEqual(files.filter(file => file.includes('.mocked.test.')));
});
