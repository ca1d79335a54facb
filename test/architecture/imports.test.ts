import { expect, test } from 'vitest';
import { importsOf, resolved, sources } from './sources.ts';

/** Which folder may import which (the house rule; every folder may import itself and packages). */
const allowed: Record<string, readonly string[]> = {
  grammar: [],
  domain: [],
  text: ['grammar', 'domain'],
  editor: ['grammar', 'text', 'domain'],
  platform: ['domain'],
  bridge: ['domain'],
  client: ['text', 'domain', 'bridge'],
  ui: ['text', 'domain', 'editor', 'bridge', 'client'],
  server: ['text', 'domain', 'platform'],
  tracker: ['domain', 'platform'],
  cli: ['text', 'domain', 'grammar'],
};

/** Packages that only some folders may know: a framework sits in one place. */
const packagesOf: [RegExp, readonly string[]][] = [
  [/^(react|react-dom|@atlaskit\/.*)$/, ['ui', 'tracker']],
  [/^@codemirror\//, ['editor', 'ui']],
  [/^(fastify|@fastify\/.*|@electric-sql\/pglite|jose)$/, ['server', 'tracker']],
  [/^(mercurius|@pothos\/.*|kysely|pg|lru-cache)$/, ['server']],
  [/node_modules\/@forge\/bridge\//, ['bridge']],
  [/^(atlassian-connect-js.*|@forge\/.*|ajv)$/, ['tracker']],
  [/^@lezer\//, ['grammar', 'text', 'editor', 'cli']],
  [/^@modelcontextprotocol\//, ['cli']],
  [/^@valibot\/to-json-schema$/, ['domain']],
  [/^yaml$/, ['platform', 'tracker']],
  [/^node:/, ['server', 'tracker', 'cli', 'platform']],
];

const folderOf = (file: string) => (file.startsWith('grammar') ? 'grammar' : (file.split('/')[1] ?? ''));

test('every import stays within what its folder may know', () => {
  const broken: string[] = [];
  for (const file of sources) {
    const folder = folderOf(file);
    for (const { specifier } of importsOf(file)) {
      if (specifier.startsWith('.')) {
        const target = resolved(file, specifier);
        const other = target.startsWith('grammar') || target.startsWith('src') ? folderOf(target) : undefined;
        if (other && other !== folder && !allowed[folder]?.includes(other)) broken.push(`${file} → ${target}`);
      }
      const rule = packagesOf.find(([pattern]) => pattern.test(specifier));
      if (rule && !rule[1].includes(folder)) broken.push(`${file} → ${specifier}`);
    }
  }
  expect(broken).toEqual([]);
});

test('no module imports itself in a circle', () => {
  const graph = new Map(
    sources.map(file => [
      file,
      importsOf(file)
        .filter(({ specifier, typeOnly, dynamic }) => specifier.startsWith('.') && !typeOnly && !dynamic)
        .map(({ specifier }) => resolved(file, specifier)),
    ]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of sources) visit(file, []);
  expect(circles).toEqual([]);
});

test('the tracker never gets into the production server', () => {
  const reachable = new Set<string>();
  const visit = (file: string) => {
    if (reachable.has(file)) return;
    reachable.add(file);
    for (const { specifier } of importsOf(file)) {
      if (specifier.startsWith('.') && sources.includes(resolved(file, specifier))) visit(resolved(file, specifier));
    }
  };
  visit('src/server/main.ts');
  expect([...reachable].filter(file => folderOf(file) === 'tracker')).toEqual([]);
});
