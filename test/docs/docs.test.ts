import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

/** What the documentation names exists: links, files, npm scripts and variables. */

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const filesIn = (folder: string, pattern: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => pattern.test(file))
    .map(file => join(folder, file));

const pages = ['README.md', 'CONTRIBUTING.md', ...filesIn('docs', /\.md$/), ...filesIn('deploy', /\.md$/)];
const ignored = read('.gitignore').split('\n').filter(Boolean);

/** Without fenced code. */
const proseOf = (text: string) => text.replace(/^[ \t]*```[\s\S]*?^[ \t]*```$/gm, '');
const fencedIn = (text: string) =>
  [...text.matchAll(/^[ \t]*```[^\n]*\n([\s\S]*?)^[ \t]*```$/gm)].map(([, code = '']) => code);
const spansIn = (text: string) => [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
const codeIn = (text: string) => [...spansIn(text), ...fencedIn(text)];

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (text: string) =>
  [...proseOf(text).matchAll(/^#{1,6} (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );

/** Links to other pages that lead nowhere. */
function brokenLinks(page: string): string[] {
  const links = [...proseOf(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return links.filter(link => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? page : relative(root, join(root, dirname(page), path));
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && !anchorsOf(read(file)).includes(anchor);
  });
}

/** Paths of this repository that a page names in code; those with a placeholder in them are none. */
const pathsIn = (text: string) =>
  codeIn(text)
    .flatMap(
      code => code.match(/(?<![\w/.-])(?:\.\/)?(?:src|grammar|test|bench|docs|deploy|\.ci|\.github)\/[\w./@-]*/g) ?? [],
    )
    .map(path => path.replace(/[.]$/, ''));

/** Generated files and the like. */
const isIgnored = (path: string) =>
  ignored.some(entry => path === entry || path.startsWith(entry) || `${path}/` === entry);

const scriptsIn = (text: string) => [
  ...[...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name),
  ...[...text.matchAll(/\bnpm (start|test)\b/g)].map(([, name = '']) => name),
];

/** Variables that a page sets, or has in the first column of a table of variables. */
function variablesIn(text: string): string[] {
  const set = codeIn(text).flatMap(code =>
    [...code.matchAll(/(?<![\w$])([A-Z][A-Z0-9_]{2,})=/g)].map(([, name]) => name),
  );
  const listed = [...proseOf(text).matchAll(/^\| Variable +\|.*\n\|[-| ]+\n((?:\|.*\n)+)/gm)].flatMap(([, rows = '']) =>
    rows
      .split('\n')
      .flatMap(row => [...(row.split('|')[1] ?? '').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name)),
  );
  return [...set, ...listed].filter(name => name !== undefined);
}

/** Sources without their comments, which may name anything. */
const sources = ['src', 'test', 'bench']
  .flatMap(folder => filesIn(folder, /\.tsx?$/))
  .filter(file => !file.startsWith('test/docs/'))
  .map(file => read(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
  .join('\n');

/** Variables that PostgreSQL's own programs read. */
const ofPostgres = /^(PG[A-Z]+|ON_ERROR_STOP)$/;

test('comments name documents of this repository only', () => {
  const files = ['src', 'grammar', 'test', 'bench'].flatMap(folder => filesIn(folder, /\.(tsx?|css|grammar)$/));
  const named = files
    .filter(file => !file.includes('/kept/'))
    .flatMap(file => {
      const comments = read(file).match(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm) ?? [];
      return comments
        .flatMap(comment => comment.match(/[\w./-]+\.md\b|\b(?:spec|design|notes)\S* §/gi) ?? [])
        .map(name => [file, name]);
    });
  expect(
    named.filter(([file = '', name = '']) => ![root, join(root, dirname(file))].some(at => existsSync(join(at, name)))),
  ).toEqual([]);
});

describe.each(pages)('%s', page => {
  const text = read(page);

  test('links lead to pages and headings that exist', () => {
    expect(brokenLinks(page)).toEqual([]);
  });

  test('paths lead to files that exist', () => {
    expect(pathsIn(text).filter(path => !isIgnored(path) && !existsSync(join(root, path)))).toEqual([]);
  });

  test('npm scripts are in package.json', () => {
    expect(scriptsIn(text).filter(name => !(name in manifest.scripts))).toEqual([]);
  });

  test('variables are read by a program', () => {
    const own = variablesIn(text).filter(name => !ofPostgres.test(name));
    expect(own.filter(name => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
  });
});

test('the README is short, and links to every page', () => {
  const text = read('README.md');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(160);
  const linked = [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, target = '']) => join(target));
  const top = pages.filter(page => !page.includes('decisions/') && page !== 'README.md');
  expect(top.filter(page => !linked.includes(page))).toEqual([]);
  expect(linked).toContain('docs/decisions/README.md');
});

test('every promise of security has a test', () => {
  const tables = [...proseOf(read('docs/security.md')).matchAll(/^\| Promise \| Test \|\n\|[-| ]+\n((?:\|.*\n)+)/gm)];
  const promises = tables.flatMap(([, rows = '']) => rows.trimEnd().split('\n'));
  expect(promises.length).toBeGreaterThan(40);
  const isLinked = (row: string) => /\]\(\.\.\/test\/[\w./-]+\.test\.ts\)[^|]*\|$/.test(row);
  expect(promises.filter(row => !isLinked(row))).toEqual([]);
});

test('every decision is in the list', () => {
  const list = read('docs/decisions/README.md');
  const decisions = readdirSync(join(root, 'docs/decisions')).filter(file => file !== 'README.md');
  expect(decisions.filter(file => !list.includes(`](${file})`))).toEqual([]);
});

test('every setting of the server is in the table of settings', () => {
  const [config] = filesIn('src/server', /(^|\/)config\.ts$/);
  const settings = [...read(config ?? '').matchAll(/^ {4}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name);
  expect(settings.length).toBeGreaterThan(20);
  const listed = new Set(variablesIn(read('deploy/README.md')));
  expect(settings.filter(name => !listed.has(name))).toEqual([]);
});

test('every operation of the API and every kind of change is listed', () => {
  const text = read('docs/api.md');
  const operations = filesIn('src/server', /(^|\/)graphql\/[^/]+\.ts$/).flatMap(file => {
    const fields = read(file).matchAll(/builder\.(?:query|mutation)Fields\(t => \(\{([\s\S]*?)^\}\)\)/gm);
    const single = read(file).matchAll(/builder\.(?:query|mutation)Field\('(\w+)'/g);
    return [
      ...[...fields].flatMap(([, body = '']) => [...body.matchAll(/^ {2}(\w+): t\./gm)].map(([, name = '']) => name)),
      ...[...single].map(([, name = '']) => name),
    ];
  });
  expect(operations.length).toBeGreaterThan(40);
  const kinds = [...read('src/domain/change.ts').matchAll(/kind: v\.literal\('(\w+)'\)/g)].map(([, name = '']) => name);
  expect([...operations, ...kinds].filter(name => !text.includes(`\`${name}\``))).toEqual([]);
});
