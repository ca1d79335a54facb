import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AREAS, browserFiles, EVERY_SCREEN, RUN_WITH } from '../run/browser-map.ts';

test('the map of sources and browser files names what exists', () => {
  const known = browserFiles();
  const named = [...Object.values(AREAS).flat(), ...EVERY_SCREEN].map(name => `test/browser/${name}.test.ts`);
  expect(named.filter(file => !known.includes(file))).toEqual([]);
  expect(Object.keys(AREAS).filter(area => !existsSync(area))).toEqual([]);
});

test('the map names the parts of the runner that browser files load', () => {
  const files = readdirSync('test/browser', { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  const loaded = files.flatMap(file =>
    [...readFileSync(join('test/browser', file), 'utf8').matchAll(/from '(?:\.\.\/)+(run\/[^']+)'/g)].map(
      ([, path]) => `test/${path}`,
    ),
  );
  expect(loaded.filter(path => !RUN_WITH.includes(path))).toEqual([]);
});
