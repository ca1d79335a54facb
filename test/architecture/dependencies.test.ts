import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { importsOf, resolved, sources } from './sources.ts';

/** The programs that run where packages for development are not installed. */
const programs = [
  'src/server/main.ts',
  'src/server/operators/admin.ts',
  'src/server/operators/transfer.ts',
  'src/server/text-workers/entry.ts',
  'src/cli/main.ts',
];
/** Written into the command line by its build (vite.config.ts). */
const bundled = ['@modelcontextprotocol/sdk'];

/** The package of an import, without a path within it. */
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

test('the packages that are installed in production are those that server and command line import', () => {
  const files = new Set(programs);
  const packages = new Set<string>();
  // Grows while it is read.
  for (const file of files) {
    for (const { specifier, typeOnly } of importsOf(file)) {
      if (typeOnly || specifier.startsWith('node:')) continue;
      if (!specifier.startsWith('.')) packages.add(packageOf(specifier));
      else if (sources.includes(resolved(file, specifier))) files.add(resolved(file, specifier));
    }
  }
  for (const name of bundled) packages.delete(name);
  expect(packages).toEqual(new Set(Object.keys(manifest.dependencies)));
});
