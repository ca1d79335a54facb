import { expect, test } from 'vitest';
import { tasks } from '../../src/server/text-workers/tasks.ts';
import { filesUnder, importsOf, resolved, sources, textOf } from './sources.ts';

/** Packages that a computation may use: it must run in any thread, with no database, network, clock or randomness. */
const packages = ['valibot', 'lru-cache', '@lezer/common', '@lezer/lr', '@lezer/highlight', 'node:crypto', 'node:util'];
/** Those that convert other programs' texts. */
const converters = /^(mdast-util-.*|micromark-extension-.*|papaparse|parse5)$/;
/** Sources of values that are not in the input. */
const impure = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bperformance\.now\b/;

/** The folders of the server whose files a computation does not need. */
const shell = /^src\/server\/(store|queue|quota|platform|checklists\/commit)\//;

/** All files that some files load, and what a computation must not have of them. */
function loadedBy(begin: readonly string[], isAllowed: (name: string) => boolean) {
  const files = new Set(begin);
  const broken: string[] = [];
  // Grows while it is read.
  for (const file of files) {
    if (impure.test(textOf(file))) broken.push(file);
    if (shell.test(file)) broken.push(file);
    for (const { specifier, typeOnly } of importsOf(file)) {
      if (typeOnly) continue;
      if (!specifier.startsWith('.')) {
        if (!isAllowed(specifier)) broken.push(`${file} → ${specifier}`);
      } else if (sources.includes(resolved(file, specifier))) files.add(resolved(file, specifier));
    }
  }
  return { files, broken };
}

const isPlain = (name: string) => packages.includes(name);

test('a decision depends on its input only', () => {
  expect(loadedBy(filesUnder('src/server/checklists/decide'), isPlain).broken).toEqual([]);
});

test('what a worker thread computes depends on its input only', () => {
  const { broken } = loadedBy(['src/server/text-workers/entry.ts'], name => isPlain(name) || converters.test(name));
  expect(broken).toEqual([]);
});

/** A declared task: its name follows. */
const declared = /\btextTask\(\{\s*name: '([^']+)'/g;

test('every task is known to the worker threads', () => {
  const names = filesUnder('src/server').flatMap(file => [...textOf(file).matchAll(declared)].map(([, name]) => name));
  expect(names.toSorted()).toEqual([...tasks.keys()].toSorted());
});

/** Functions over a whole text, by the module that has them. */
const overTexts: Record<string, readonly string[]> = {
  'src/text/read.ts': ['readChecklist'],
  'src/text/merge.ts': ['merge'],
  'src/text/identity.ts': ['align', 'carry', 'changedRows', 'unchangedRows'],
  'src/text/merge-rows.ts': ['commonBase', 'lastSources', 'mergeRows'],
  'src/text/diagnose.ts': ['diagnose', 'diagnosing'],
  'src/text/compare.ts': ['compareRows'],
  'src/text/convert.ts': ['convert', 'converting'],
  'src/text/perform.ts': ['performEdit'],
  'src/server/text-workers/reading.ts': ['readText', 'itemCount', 'readerBy', 'lastingIds'],
};

/** The names of values that a file imports, each with its module. */
function namesIn(file: string): { name: string; module: string }[] {
  const imports = textOf(file).matchAll(/^import \{([^}]*)\} from '(\.[^']*)';/gm);
  return [...imports].flatMap(([, names = '', specifier = '']) =>
    names
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== '' && !name.startsWith('type '))
      .map(name => ({ name: name.split(' as ')[0] ?? '', module: resolved(file, specifier) })),
  );
}

test('functions over a whole text are called in decisions and other tasks only', () => {
  const broken = filesUnder('src/server').flatMap(file => {
    // Files that declare tasks, and those by which these read.
    if (file.startsWith('src/server/checklists/decide/') || file === 'src/server/text-workers/reading.ts') return [];
    if (textOf(file).includes('textTask({')) return [];
    return namesIn(file).flatMap(({ name, module }) => (overTexts[module]?.includes(name) ? `${file} → ${name}` : []));
  });
  expect(broken).toEqual([]);
});
