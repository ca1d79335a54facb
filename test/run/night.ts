import { unchangedFiles } from './browser-map.ts';
import { full } from './seed.ts';

/**
 * Files that only the nightly run has: minutes of work, about what few changes touch. The gate has shorter tests of
 * most: one database under random clients, ends of the embedded database, exports, limits of the quota.
 */
const NIGHTLY = [
  'test/bench/smoke.test.ts',
  'test/browser/editions.test.ts',
  'test/browser/kill.test.ts',
  'test/browser/paced-points.test.ts',
  'test/chaos/quota-hour.test.ts',
  'test/chaos/tracker.test.ts',
  'test/server/main-end.test.ts',
  'test/server/store/power-loss.test.ts',
  'test/server/store/transfer.test.ts',
];

const words = process.argv.slice(2).filter(word => word !== 'run');

/** A file runs in any case where the command names it or its folder. */
const isNamed = (file: string) => words.some(word => word.startsWith('test/') && file.startsWith(word));

/** The files that this run leaves to the nightly one. */
export const leftToNight: readonly string[] = full
  ? []
  : [...NIGHTLY.filter(file => !isNamed(file)), ...(words.length === 0 ? unchangedFiles() : [])];
