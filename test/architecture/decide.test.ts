import { expect, test } from 'vitest';
import { filesUnder, importsOf, resolved, sources, textOf } from './sources.ts';

/** Packages that a decision may use: it must run in any thread, with no database, network, clock or randomness. */
const packages = ['valibot', 'lru-cache', '@lezer/common', '@lezer/lr', '@lezer/highlight', 'node:crypto', 'node:util'];
/** Sources of values that are not in the input. */
const impure = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bperformance\.now\b/;

test('a decision depends on its input only', () => {
  const files = new Set(filesUnder('src/server/checklists/decide'));
  const broken: string[] = [];
  // Grows while it is read.
  for (const file of files) {
    if (impure.test(textOf(file))) broken.push(file);
    for (const { specifier, typeOnly } of importsOf(file)) {
      if (typeOnly) continue;
      if (!specifier.startsWith('.')) {
        if (!packages.includes(specifier)) broken.push(`${file} → ${specifier}`);
      } else if (sources.includes(resolved(file, specifier))) files.add(resolved(file, specifier));
    }
  }
  expect(broken).toEqual([]);
  expect(
    [...files].filter(file => /^src\/server\/(store|queue|quota|platform|checklists\/commit)\//.test(file)),
  ).toEqual([]);
});
