import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The folders of `src/server`, in order: each may import only those before it. The files beside them may import all. */
const order = [
  'errors',
  'common',
  'store',
  'quota',
  'queue',
  'platform',
  'auth',
  'templates',
  'statuses',
  'checklists',
  'sync',
  'assignments',
  'settings',
  'jobs',
  'http',
  'live',
  'graphql',
] as const;
type Folder = (typeof order)[number];

/** Where the number of files side by side is limited, and where small files with one user are joined to it. */
const areas = ['src/server', 'src/client', 'src/domain', 'src/text'];
const singleUserAreas = ['src/server', 'src/client'];

/** Most files side by side in a folder; lines below which a file with one user belongs into that user's file. */
const MOST_FILES = 25;
const FEWEST_LINES = 40;

const isSource = (file: string) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts');
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(file => join(folder, file))
    .filter(isSource);
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** The files that a file imports, with types, and by dynamic imports too. */
const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)].map(
    ([, specifier = '']) => relative(root, join(root, dirname(file), specifier)).split('?')[0] ?? '',
  );

/** The folder below `src/server`; `undefined` for the files beside the folders. */
function folderOf(file: string): Folder | undefined {
  const [, , folder = '', rest] = file.split('/');
  return rest === undefined ? undefined : order.find(each => each === folder);
}

test('every folder of the server has its place in the order', () => {
  const folders = readdirSync(join(root, 'src/server'), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name);
  expect(folders.sort()).toEqual([...order].sort());
});

test('a folder of the server imports only folders before it', () => {
  const broken = filesIn('src/server').flatMap(file => {
    const folder = folderOf(file);
    if (folder === undefined) return [];
    return importsOf(file)
      .filter(target => target.startsWith('src/server/'))
      .filter(target => {
        const other = folderOf(target);
        return other === undefined || order.indexOf(other) > order.indexOf(folder);
      })
      .map(target => `${file} → ${target}`);
  });
  expect(broken).toEqual([]);
});

test.each(areas)('%s has no folder with too many files side by side', area => {
  const counts = new Map<string, number>();
  for (const file of filesIn(area)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
});

test.each(singleUserAreas)('%s has no small file that only one file of its folder uses', area => {
  const users = new Map<string, Set<string>>();
  for (const file of filesIn('src')) {
    for (const target of importsOf(file)) users.set(target, (users.get(target) ?? new Set()).add(file));
  }
  const second = (file: string) => file.split('/').slice(0, -1).slice(0, 3).join('/');
  const small = filesIn(area).filter(file => {
    const [user, ...others] = users.get(file) ?? [];
    const isJoinable = user !== undefined && others.length === 0 && second(user) === second(file);
    return isJoinable && textOf(file).trimEnd().split('\n').length < FEWEST_LINES;
  });
  expect(small).toEqual([]);
});
