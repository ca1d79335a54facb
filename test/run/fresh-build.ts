import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT, root } from './built.ts';

/* Builds what the browser tests run, unless all of it is newer than the sources. */

const SOURCES = ['package.json', 'package-lock.json', 'vite.config.ts', 'grammar', 'src'];
/** What `npm run generate` makes. */
const GENERATED = /grammar\/parser|emoji\/packed\.ts$|graphql-env\.d\.ts$/;

/** Milliseconds; 0 for a file that is not there. */
const changed = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const sources = SOURCES.flatMap(path =>
  statSync(join(root, path)).isDirectory()
    ? readdirSync(join(root, path), { recursive: true }).map(file => join(path, String(file)))
    : [path],
);
if (Math.min(...BUILT.map(changed)) < Math.max(...sources.filter(file => !GENERATED.test(file)).map(changed))) {
  process.exitCode = spawnSync('npm', ['run', 'build:all'], { cwd: root, stdio: 'inherit' }).status ?? 1;
}
