import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { full } from './seed.ts';

export const root = join(import.meta.dirname, '../..');

const SOURCES = ['package.json', 'package-lock.json', 'vite.config.ts', 'grammar', 'src'];
/** What `npm run generate` makes. */
const GENERATED = /grammar\/parser|emoji\/packed\.ts$|graphql-env\.d\.ts$/;
/** What `npm run build:all` makes last of each part, relative to the project's root. */
const BUILT = [
  ...[
    'client/index.html',
    'forge/index.html',
    'server/main.js',
    'cli/main.js',
    'tracker/main.js',
    'tracker/page/index.html',
  ],
  // Only the nightly run has tests of the Free edition.
  ...(full ? ['free/client/index.html', 'free/forge/index.html', 'free/server/main.js'] : []),
].map(file => join('dist', file));

/** Milliseconds; 0 for a file that is not there. */
const changed = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** What is wrong with the build; `undefined` where all of it is there and newer than the sources. */
export function buildFault(): string | undefined {
  const missing = BUILT.find(file => changed(file) === 0);
  if (missing) return `${missing} is missing`;
  const sources = SOURCES.flatMap(path =>
    statSync(join(root, path)).isDirectory()
      ? readdirSync(join(root, path), { recursive: true }).map(file => join(path, String(file)))
      : [path],
  ).filter(file => !GENERATED.test(file));
  const built = Math.min(...BUILT.map(changed));
  const newer = sources.find(file => changed(file) > built);
  return newer && `dist is older than ${newer}`;
}

let fault: string | undefined | null = null;

/** Programs as they are built, and their sources. */
const programs = {
  'cli/main': 'cli/main',
  'server/admin': 'server/operators/admin',
  'server/transfer': 'server/operators/transfer',
  'server/main': 'server/main',
  'tracker/demo': 'tracker/demo',
  'tracker/main': 'tracker/main',
};

/** What makes Node run a program: its build, or, where that is not up to date, its source, which takes longer to start. */
export function programOf(name: keyof typeof programs): string[] {
  if (fault === null) fault = buildFault();
  if (fault === undefined) return [join(root, 'dist', `${name}.js`)];
  return ['--import', join(root, 'node_modules/tsx/dist/loader.mjs'), join(root, 'src', `${programs[name]}.ts`)];
}
