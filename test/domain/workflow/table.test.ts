import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { table } from './cases.ts';

test('the documentation has what the tracker says of each rule in each case', () => {
  const page = readFileSync(new URL('../../../docs/workflow-rules.md', import.meta.url), 'utf8');
  const [, written = ''] = /<!-- table -->\n([\s\S]*)\n<!-- \/table -->/.exec(page) ?? [];
  expect(written.trim()).toBe(table());
});
