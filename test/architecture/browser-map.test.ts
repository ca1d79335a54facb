import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AREAS, browserFiles, EVERY_SCREEN } from '../run/browser-map.ts';

test('the map of sources and browser files names what exists', () => {
  const known = browserFiles();
  const named = [...Object.values(AREAS).flat(), ...EVERY_SCREEN].map(name => `test/browser/${name}.test.ts`);
  expect(named.filter(file => !known.includes(file))).toEqual([]);
  expect(Object.keys(AREAS).filter(area => !existsSync(area))).toEqual([]);
});
