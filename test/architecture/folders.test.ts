import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesUnder, ownImportsOf, root, sources, textOf } from './sources.ts';

type Order = readonly (string | readonly string[])[];

/**
 * The folders of an area in their order: each may import those before it and none beside it in one entry. The files
 * beside the folders put everything together and may import all.
 */
const orders: Record<string, Order> = {
  'src/server': [
    'errors',
    'monitoring',
    'text-workers',
    'store',
    'quota',
    'queue',
    'platform',
    'access',
    'templates',
    'statuses',
    'checklists',
    'copies',
    'events',
    'settings',
    'automation',
    'api-tokens',
    'jobs',
    'http',
    'app',
    'operators',
  ],
  'src/ui': ['kit', 'shell', 'commands', 'model', 'text-editor', 'checklist', 'screens'],
  // Screens do not import screens.
  'src/ui/screens': [
    [
      'panel',
      'editor',
      'history',
      'hierarchy',
      'assigned-items',
      'notifications',
      'templates',
      'settings',
      'automation',
      'workflow-rule',
      'gadget',
      'help',
    ],
  ],
};

/** Programs of worker threads: they put everything together, as the files beside the folders do. */
const programs = ['src/server/text-workers/entry.ts', 'src/server/text-workers/tasks.ts'];

/** Where the number of files side by side is limited, and where small files with one user are joined to it. */
const areas = ['src/server', 'src/client', 'src/domain', 'src/text', 'src/editor', 'src/ui'];
const singleUserAreas = ['src/server', 'src/client', 'src/ui'];

/** The maximum number of files side by side in a folder; lines below which a file with one user belongs into that user's file. */
const MAX_FILES = 25;
const FEWEST_LINES = 40;
/** A file each, however small: released migrations are never edited. */
const documents = 'src/server/store/migrations/';

/** The folder of an area that a file is in; `undefined` for the files beside the folders. */
function folderOf(area: string, file: string): string | undefined {
  const [folder, ...rest] = file.slice(area.length + 1).split('/');
  return rest.length > 0 ? folder : undefined;
}

test.each(Object.entries(orders))('%s: every folder has its place in the order', (area, order) => {
  const folders = sources.flatMap(file => (file.startsWith(`${area}/`) ? (folderOf(area, file) ?? []) : []));
  expect([...new Set(folders)].sort()).toEqual(order.flat().sort());
});

test('the server has one file beside its folders, and checklists have none', () => {
  const loose = ['src/server', 'src/server/checklists'].flatMap(folder =>
    sources.filter(file => dirname(file) === folder),
  );
  expect(loose).toEqual(['src/server/main.ts']);
});

test.each(Object.entries(orders))('%s: a folder imports only folders before it', (area, order) => {
  const placeOf = (folder: string | undefined) => order.findIndex(entry => folder && [entry].flat().includes(folder));
  // Whole screens in chunks of their own are fetched by those who show them.
  const isScreen = (folder: string | undefined) => folder === 'screens' || area === 'src/ui/screens';
  const broken = filesUnder(area).flatMap(file => {
    const folder = folderOf(area, file);
    if (folder === undefined || programs.includes(file)) return [];
    return ownImportsOf(file)
      .filter(({ target }) => target.startsWith(`${area}/`))
      .filter(({ target, dynamic }) => {
        const other = folderOf(area, target);
        if (other === folder || (dynamic && isScreen(other))) return false;
        return other === undefined || placeOf(other) >= placeOf(folder);
      })
      .map(({ target }) => `${file} → ${target}`);
  });
  expect(broken).toEqual([]);
});

test.each(areas)('%s has no folder with too many files side by side', area => {
  const counts = new Map<string, number>();
  for (const entry of readdirSync(join(root, area), { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([]);
});

test.each(singleUserAreas)('%s has no small file that only one file of its folder uses', area => {
  const users = new Map<string, Set<string>>();
  const chunks = new Set<string>();
  for (const file of sources) {
    for (const { target, dynamic } of ownImportsOf(file)) {
      users.set(target, (users.get(target) ?? new Set()).add(file));
      // In the browser, what is imported dynamically is a chunk: it cannot be joined.
      if (dynamic && area === 'src/ui') chunks.add(target);
    }
  }
  const folder = (file: string) =>
    dirname(file)
      .split('/')
      .slice(0, file.startsWith('src/ui/screens/') ? 4 : 3)
      .join('/');
  const small = filesUnder(area).filter(file => {
    if (file.startsWith(documents)) return false;
    const [user, ...others] = users.get(file) ?? [];
    const isJoinable = user !== undefined && others.length === 0 && folder(user) === folder(file) && !chunks.has(file);
    return isJoinable && textOf(file).trimEnd().split('\n').length < FEWEST_LINES;
  });
  expect(small).toEqual([]);
});
