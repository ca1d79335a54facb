import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findWords } from './find-words.ts';

const root = join(import.meta.dirname, '../..');

/** Files that the project generates, pictures of failed tests among them. */
const generated =
  /^(test\/artifacts\/.*|grammar\/parser(\.terms)?\.ts|src\/text\/emoji\/packed\.ts|src\/client\/graphql-env\.d\.ts)$/;

/** Documents beside the folders. */
const documents = ['README.md', 'CONTRIBUTING.md'];

const files = ['src', 'grammar', 'test', 'bench', 'docs', 'deploy'].flatMap(top =>
  readdirSync(join(root, top), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1)),
);

test('names, comments, test titles and documents use the terms of the glossary', () => {
  const checked = [...files, ...documents].filter(file => !generated.test(file));
  const found = checked.flatMap(file =>
    findWords(root, file).map(({ line, text, term }) => `${file}:${line} "${text}": use ${term}`),
  );
  expect(found).toEqual([]);
});
