import { appendFileSync } from 'node:fs';

/** A figure beside a peer, a floor or a limit that was measured or holds in the same run. */
export interface Comparison {
  what: string;
  ours: number;
  /** The name of the peer, floor or limit, and its figure in the same unit. */
  beside: string;
  other: number;
  unit: 'ms' | 'bytes';
  /** The largest `ours / other` that meets the goal, if there is one. */
  goal?: number;
}

/** Whether a benchmark only shows that it still runs: its figures mean nothing then. */
export const isSmoke = process.argv.includes('--smoke');

/** A number of rounds, or of whatever else makes a benchmark long. */
export const amount = (usual: number, smoke = 1): number => (isSmoke ? smoke : usual);

/** Command-line arguments but `--smoke`. */
export const given = process.argv.slice(2).filter(argument => argument !== '--smoke');

/** Notes a comparison for `npm run bench`, which names the file. */
export function compare(comparison: Comparison): void {
  const { COMPARISONS } = process.env;
  if (COMPARISONS && !isSmoke) appendFileSync(COMPARISONS, `${JSON.stringify(comparison)}\n`);
}

/** The number of a cell of a table, as in "12.3 ms". */
export const numberIn = (cell = ''): number => Number.parseFloat(cell);
