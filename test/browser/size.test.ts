import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { full } from '../run/seed.ts';

/** The built clients' first load: the scripts required before the issue panel shows its rows. */

const dist = join(import.meta.dirname, '../../dist');

/** The folders of the editions that are built: only the nightly run builds the Free one. */
const editions = full ? ['', 'free/'] : [''];

interface Chunk {
  file: string;
  imports?: string[];
}

interface Build {
  folder: string;
  manifest: Record<string, Chunk>;
  /** Bytes of JavaScript after gzip. */
  budget: number;
  entries: readonly string[];
}

const read = (file: string): Record<string, Chunk> => JSON.parse(readFileSync(join(dist, file), 'utf8'));
const panel = ['index.html', 'screens/panel/panel.tsx'];
const builds: [string, Build][] = [
  ['connect', { folder: 'client', manifest: read('client/.vite/manifest.json'), budget: 130_000, entries: panel }],
  [
    'forge',
    {
      ...{ folder: 'forge', manifest: read('forge-maps/.vite/manifest.json'), budget: 135_000 },
      entries: [...panel, '../bridge/forge.ts'],
    },
  ],
];

/** Files of a chunk and of its static imports. */
function filesOf(manifest: Build['manifest'], name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`No chunk ${name} in the built client.`);
  if (!seen.has(chunk.file)) {
    seen.add(chunk.file);
    for (const other of chunk.imports ?? []) filesOf(manifest, other, seen);
  }
  return seen;
}

const firstLoad = (build: Build): Buffer[] => {
  const files = build.entries.reduce((seen, name) => filesOf(build.manifest, name, seen), new Set<string>());
  return [...files].map(file => readFileSync(join(dist, build.folder, file)));
};

test.each(builds)('%s: the issue panel loads no more than its budget before it shows its rows', (_name, build) => {
  const sizes = firstLoad(build).map(code => gzipSync(code, { level: 9 }).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(build.budget);
});

test.each(builds)('%s: the first load contains neither the text editor nor menus', (_name, build) => {
  const code = firstLoad(build).join('');
  expect(code).not.toContain('cm-editor');
  expect(code).not.toContain('menuitemradio');
});

/** All files of a build by their paths in its folder. */
const filesIn = (folder: string) => readdirSync(join(dist, folder), { recursive: true, encoding: 'utf8' });
const codeIn = (folder: string) =>
  filesIn(folder)
    .filter(file => file.endsWith('.js'))
    .map(file => readFileSync(join(dist, folder, file), 'utf8'))
    .join('');

test.each(editions)("neither build contains the other host's code: %s", edition => {
  expect(codeIn(`${edition}client`)).not.toContain('callBridge');
  expect(codeIn(`${edition}forge`)).not.toMatch(/initializeTheming|extension_id/);
});

test.each(editions.map(folder => `${folder}forge`))(
  '%s: the pages for Forge run under its policy, and contain nothing else',
  folder => {
    const files = filesIn(folder);
    expect(files.filter(file => /\.map$|\.vite/.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['index.html', 'images/logo-pro.svg', 'images/logo-free.svg']));
    expect(codeIn(folder)).not.toMatch(/sourceMappingURL|\beval\(|new Function\(/);
    // Files are found relative to the page, since the folder is published under an unknown path.
    expect(codeIn(folder)).not.toMatch(/["'`]\/(images|assets)\//);
    const page = readFileSync(join(dist, folder, 'index.html'), 'utf8');
    expect(page).not.toMatch(/<script[^>]*>[^<]|<style|%HOST_SCRIPT_URL%/);
    for (const [, address] of page.matchAll(/(?:src|href)="([^"]*)"/g)) expect(address).toMatch(/^\.\/assets\//);
    const styles = files
      .filter(file => file.endsWith('.css'))
      .map(file => readFileSync(join(dist, folder, file), 'utf8'));
    expect(styles.join('')).not.toMatch(/url\((?!["']?data:image)|@import/);
  },
);
