import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownImportsOf, root, sources } from './sources.ts';

/**
 * The folders of an area in their order: each may import those before it, none of those beside it in one entry, and never
 * the area's own files, which put everything together.
 */
const orders: Record<string, readonly (string | readonly string[])[]> = {
  'src/ui': [
    'kit',
    'shell',
    'model',
    'text-editor',
    'checklist',
    ['panel', 'editor', 'history', 'hierarchy', 'assigned', 'templates', 'settings', 'help'],
  ],
};

/** Files that stand side by side in a folder of these areas. */
const MOST = 25;

test.each(Object.entries(orders))('%s: a folder imports only folders before it', (area, order) => {
  const rank = (folder: string | undefined) => order.findIndex(entry => [entry].flat().includes(folder ?? ''));
  const folderOf = (file: string) => (file.startsWith(`${area}/`) ? file.slice(area.length + 1).split('/') : undefined);
  const broken: string[] = [];
  for (const file of sources) {
    const [folder, ...rest] = folderOf(file) ?? [];
    if (folder === undefined || rest.length === 0) continue;
    if (rank(folder) < 0) broken.push(`${file} is in no folder of the order`);
    for (const { target, dynamic } of ownImportsOf(file)) {
      const other = folderOf(target);
      if (!other || other[0] === folder) continue;
      // A whole screen in a chunk of its own is fetched by those who show it.
      const seam = dynamic && rank(other[0]) === order.length - 1;
      const before = other.length > 1 && rank(other[0]) >= 0 && rank(other[0]) < rank(folder);
      if (!seam && !before) broken.push(`${file} → ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test.each(Object.keys(orders))('%s: no folder has more than 25 files side by side', area => {
  const counts = new Map<string, number>();
  for (const entry of readdirSync(join(root, area), { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > MOST)).toEqual([]);
});
