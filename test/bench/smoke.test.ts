import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { BENCHMARKS } from '../../bench/benchmarks.ts';

/** Each benchmark and the soak run to their end. What they need is built before. */

const run = promisify(execFile);

test.each([...BENCHMARKS, 'soak'])('bench/%s.ts runs to its end', { timeout: 300_000 }, async name => {
  const { stdout } = await run(process.execPath, ['--expose-gc', '--import', 'tsx', `bench/${name}.ts`, '--smoke']);
  expect(stdout).not.toBe('');
});

test('every benchmark of the package is among them', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const named = Object.values(scripts).flatMap(script => /\bbench\/(\w+)\.ts/.exec(script)?.[1] ?? []);
  expect([...new Set(named)].sort()).toEqual([...BENCHMARKS, 'all', 'soak'].sort());
});
