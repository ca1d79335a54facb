import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { run } from '../../src/cli/run.ts';
import { environment } from '../cli/environment.ts';

/*
 * What documents and help screens tell users to run is in the repository's build, or is a package that is known to be
 * its owner's. An attacker who registers an invented name would get the API tokens in its environment.
 */

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1));

/** Packages of others that users install by name. */
const VENDORS = new Set(['@forge/cli']);
/** Packages whose version and checksum the lock file has. */
const installed: ReadonlySet<string> = new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }));

const packages =
  /\b(?:npx|bunx|pnpm dlx|yarn dlx|npm (?:i|install|add|exec|x|create|init))((?:[ \t]+-[\w-]+)*)[ \t]+([@\w][\w@./-]*)/g;
/** A program that fetches packages, as a configuration names it. */
const fetchers = /"command":\s*"(?:npx|npm|bunx|pnpm|yarn)"/g;
/** The name of our package where a command stands. */
const ownName = new RegExp(`(?<![\\w./@:"'-])${manifest.name}(?![\\w.:"'-])`, 'g');

const unknownPackages = (text: string): string[] => [
  ...[...text.matchAll(packages)]
    .map(([, , name = '']) => name)
    .filter(name => !VENDORS.has(name) && !installed.has(name)),
  ...[...text.matchAll(fetchers)].map(([found]) => found),
  ...[...text.matchAll(ownName)].map(([found]) => found),
];

test.each([
  ['npx smart-checklist mcp', ['smart-checklist', 'smart-checklist']],
  ['npx --yes smart-checklist-mcp', ['smart-checklist-mcp']],
  ['npm install -g smart-checklist', ['smart-checklist', 'smart-checklist']],
  ['"command": "npx"', ['"command": "npx"']],
  ['`smart-checklist edit --op x`', ['smart-checklist']],
  ['npm install && npm start; npm run build; npx vite build; npm install -g @forge/cli', []],
  ['{ "format": "smart-checklist-templates" } https://support.smart-checklist.app app.smart-checklist.pro', []],
])('of %j these are packages that are not known: %j', (text, found) => {
  expect(unknownPackages(text)).toEqual(found);
});

const pages = [
  ...['README.md', 'CONTRIBUTING.md'],
  ...filesIn('docs').filter(file => file.endsWith('.md')),
  ...filesIn('deploy'),
  ...filesIn('.ci'),
];

test.each(pages)('%s names no package that is not known', page => {
  expect(unknownPackages(read(page))).toEqual([]);
});

const help = async (...args: string[]) => (await run([...args, '--help'], environment())).output;

test('help screens name the program of the build, which a build makes', async () => {
  const all = await help();
  const names = [...all.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, name = '']) => name);
  expect(names).toContain('mcp');
  for (const text of [all, ...(await Promise.all(names.map(name => help(name))))]) {
    expect(text).toContain('node dist/cli/main.js');
    expect(unknownPackages(text)).toEqual([]);
  }
  expect(manifest.scripts.bundle).toContain('--mode cli');
});

test('no screen and no answer names a package', () => {
  const sources = filesIn('src').filter(file => /\.tsx?$/.test(file) && !file.endsWith('packed.ts'));
  const found = sources.flatMap(file => [...read(file).matchAll(packages), ...read(file).matchAll(fetchers)]);
  expect(found.map(([text]) => text)).toEqual([]);
});

test('the package offers no program under its name', () => {
  expect(manifest).not.toHaveProperty('bin');
  expect(manifest.private).toBe(true);
});
