import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BENCHMARKS } from './benchmarks.ts';
import type { Comparison } from './comparison.ts';
import { table } from './measure.ts';

/*
 * All benchmarks, one after the other, and one table of their figures beside a peer, a floor or a limit. Ends with 1 where
 * one fails, or a figure misses its goal. `npm run bench -- [PART OF A NAME …] [--smoke]`
 */

const words = process.argv.slice(2);
const flags = words.filter(word => word.startsWith('--'));
const parts = words.filter(word => !word.startsWith('--'));
const chosen = BENCHMARKS.filter(name => parts.length === 0 || parts.some(part => name.includes(part)));

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const COMPARISONS = join(folder, 'comparisons.jsonl');

function comparisons(): Comparison[] {
  try {
    const lines = readFileSync(COMPARISONS, 'utf8').trimEnd().split('\n');
    rmSync(COMPARISONS);
    return lines.map(line => JSON.parse(line) as Comparison);
  } catch {
    return [];
  }
}

const figure = (value: number, unit: string) =>
  unit === 'ms' ? `${value.toFixed(value < 10 ? 2 : 0)} ms` : Math.round(value).toLocaleString('en');

const rows: string[][] = [];
let missed = 0;
for (const name of chosen) {
  process.stdout.write(`\n# ${name}\n\n`);
  const { status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', join(import.meta.dirname, `${name}.ts`), ...flags],
    { stdio: 'inherit', env: { ...process.env, COMPARISONS } },
  );
  for (const { what, ours, beside, other, unit, goal } of comparisons()) {
    const ratio = ours / other;
    const isMissed = goal !== undefined && ratio > goal;
    if (isMissed) missed += 1;
    const judged = goal === undefined ? ['', ''] : [`${goal.toFixed(2)} ×`, isMissed ? 'not met' : 'met'];
    rows.push([
      `${name}: ${what}`,
      figure(ours, unit),
      beside,
      figure(other, unit),
      `${ratio.toFixed(2)} ×`,
      ...judged,
    ]);
  }
  if (status === 0) continue;
  missed += 1;
  rows.push([`${name}: ended with ${status}`, '', '', '', '', '', 'failed']);
}
rmSync(folder, { recursive: true });
const head = ['what', 'ours', 'beside', 'its figure', 'ratio', 'goal', ''];
process.stdout.write(`\n${table(head, rows)}\n\n${chosen.length} benchmarks, ${missed} goals not met or failed.\n`);
process.exitCode = missed > 0 ? 1 : 0;
