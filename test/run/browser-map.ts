import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import * as v from 'valibot';

/** Files of `test/browser` that visit every screen. */
export const EVERY_SCREEN = [
  ...['analytics', 'bridge', 'escape', 'first-keys', 'forge', 'lifecycle', 'server-down', 'size', 'versions'],
];

const EDITOR = [
  ...['editor-commands', 'editor-complete', 'editor-concurrency', 'editor-display'],
  ...['editor-paste', 'editor-preview', 'collaboration', 'composition', 'gates', 'help', 'main-flow'],
  ...['smart-templates', 'templates', 'touch'],
];

/** Two who change one checklist, and changes that wait for the server. */
const CONCURRENT = ['collaboration', 'editor-concurrency', 'main-flow', 'outbox', 'panel-concurrency', 'panel-offline'];
const TEMPLATES = ['admin-keys', 'panel-states', 'panel-tools', 'rules', 'smart-templates', 'templates'];
const SETTINGS = ['admin-keys', 'api-tokens', 'automation', 'stored-data', 'templates'];

/**
 * Sources of single areas of the product, with the files of `test/browser` that visit them, beside those that visit every
 * screen. A path belongs to the longest area that it is in. All other sources are shared by all files.
 */
export const AREAS: Readonly<Record<string, readonly string[]>> = {
  'src/client/admin': SETTINGS,
  'src/client/assigned.ts': ['assigned', 'points'],
  'src/client/hierarchy': ['hierarchy', 'points'],
  'src/client/history.ts': ['history', 'main-flow', 'panel-tools'],
  'src/client/outbox': CONCURRENT,
  'src/text/convert.ts': ['api-tokens', 'editor-paste', 'panel-paste', 'panel-tools', 'templates'],
  'src/text/convert': ['api-tokens', 'editor-paste', 'panel-paste', 'panel-tools', 'templates'],
  'src/text/export': ['api-tokens', 'panel-tools'],
  'src/text/export.ts': ['api-tokens', 'panel-tools'],
  'src/text/merge': CONCURRENT,
  'src/text/merge.ts': CONCURRENT,
  'src/text/property': [...CONCURRENT, 'progress', 'stored-data'],
  'src/ui/screens/assigned-items': ['assigned', 'points'],
  'src/ui/screens/automation': ['admin-keys', 'automation', 'rules'],
  'src/ui/screens/editor': EDITOR,
  'src/ui/screens/gadget': ['progress'],
  'src/ui/screens/help': ['help', 'panel-list', 'panel-tools'],
  'src/ui/screens/hierarchy': ['hierarchy', 'touch'],
  'src/ui/screens/history': ['history', 'main-flow', 'panel-tools'],
  'src/ui/screens/notifications': ['automation', 'admin-keys'],
  'src/ui/screens/panel/portal.tsx': ['portal'],
  'src/ui/screens/settings': SETTINGS,
  'src/ui/screens/templates': TEMPLATES,
  'src/ui/text-editor': EDITOR,
  'src/ui/screens/workflow-rule': ['workflow'],
  'src/server/api-tokens': ['api-tokens'],
  'src/server/automation': ['automation', 'rules'],
  'src/server/checklists/assigned': ['assigned', 'points'],
  'src/server/copies': ['main-flow', 'panel-concurrency', 'points', 'progress', 'refused-site', 'stored-data'],
  'src/server/events': ['automation', 'gates', 'panel-rows', 'rules', 'smart-templates', 'workflow'],
  'src/server/events/notifications': ['automation'],
  'src/server/http/rest': ['api-tokens', 'automation'],
  'src/server/jobs': ['admin-keys', 'main-flow', 'panel-rows', 'refused-site', 'stored-data', 'templates'],
  'src/server/monitoring': ['stored-data'],
  'src/server/operators': ['stored-data'],
  'src/server/platform/forge': ['portal'],
  'src/server/quota': ['points', 'refused-site'],
  'src/server/settings': SETTINGS,
  'src/server/statuses': ['admin-keys', 'editor-complete', 'gates', 'panel-rows', 'progress', 'stored-data'],
  'src/server/templates': TEMPLATES,
  'src/server/text-workers': [...CONCURRENT, 'api-tokens', 'editor-paste', 'panel-paste'],
  'src/tracker/connect': ['refused-site'],
  'src/tracker/forge': ['portal'],
};

/** Files of `test/run` that the browser files run with. */
export const RUN_WITH: readonly string[] = [
  ...['built', 'cache', 'embedded', 'free-port', 'preflight', 'seed', 'spawn', 'timeouts', 'vendor-calls'],
  'wait-timeouts',
].map(name => `test/run/${name}.ts`);

/** Sources of the built product and of the tests in the browser. */
const SOURCES = [
  ...['src', 'grammar', 'test/browser', ...RUN_WITH, 'test/run/tether.mjs'],
  ...['test/server/support/postgres.ts', 'test/server/support/setup.ts'],
  ...['package-lock.json', 'package.json', 'vite.config.ts'],
];
/** Written by builds, or not in any page. */
const LEFT_OUT = ['src/cli', 'src/text/emoji/packed.ts', 'src/client/graphql-env.d.ts', 'grammar/parser'];

const SHARED = 'shared';
const RECORD = join(import.meta.dirname, 'browser-record.json');
const recordShape = v.record(v.string(), v.string());

const root = join(import.meta.dirname, '../..');

function filesOf(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(root, join(entry.parentPath, entry.name)));
}

const isBrowserFile = (path: string) => path.startsWith('test/browser/') && path.endsWith('.test.ts');

export const browserFiles = (): string[] => filesOf('test/browser').filter(isBrowserFile);

/** The parts whose change is looked for: an area, a test file, or everything shared. */
function partOf(path: string): string {
  if (isBrowserFile(path)) return path;
  const areas = Object.keys(AREAS).filter(area => path === area || path.startsWith(`${area}/`));
  return areas.toSorted((one, other) => other.length - one.length)[0] ?? SHARED;
}

const manifestShape = v.looseObject({ scripts: v.unknown() });

/** What counts of a file: commands of the package's manifest change no page. */
function contentOf(path: string): string | Buffer {
  const content = readFileSync(join(root, path));
  if (path !== 'package.json') return content;
  const { scripts: _, ...rest } = v.parse(manifestShape, JSON.parse(content.toString()));
  return JSON.stringify(rest);
}

/** A hash of each part's contents. */
function hashes(): Record<string, string> {
  const parts = new Map<string, ReturnType<typeof createHash>>();
  const paths = SOURCES.flatMap(filesOf)
    .filter(path => !LEFT_OUT.some(left => path.startsWith(left)) && join(root, path) !== RECORD)
    .sort();
  for (const path of paths) {
    const part = partOf(path);
    const hash = parts.get(part) ?? createHash('sha256');
    parts.set(part, hash.update(`${path}\0`).update(contentOf(path)));
  }
  return Object.fromEntries([...parts].map(([part, hash]) => [part, hash.digest('hex').slice(0, 16)]));
}

/** Writes down what the present contents are, after a run in which all files passed. */
export const record = (): void => writeFileSync(RECORD, `${JSON.stringify(hashes(), null, 2)}\n`);

/** Browser files that passed in the last nightly run with the same contents, and the same sources of what they visit. */
export function unchangedFiles(): string[] {
  if (!existsSync(RECORD)) return [];
  const before = v.parse(recordShape, JSON.parse(readFileSync(RECORD, 'utf8')));
  const now = hashes();
  const isSame = (part: string) => now[part] === before[part];
  if (!isSame(SHARED)) return [];
  const changed = Object.keys(AREAS).filter(area => !isSame(area));
  const affected = new Set(changed.flatMap(area => [...(AREAS[area] ?? []), ...EVERY_SCREEN]));
  return browserFiles().filter(path => isSame(path) && !affected.has(basename(path, '.test.ts')));
}
