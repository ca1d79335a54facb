import { expect, inject, test } from 'vitest';
import { full, seed } from '../run/seed.ts';
import { type ChaosOptions, runChaos } from './run.ts';

/**
 * Many users edit some issues through the API, sometimes on an old base, while the tracker fails or is offline,
 * processes are killed, rules apply templates, and there are foreign writes of the tracker's property and field. Then
 * nothing may be lost: test/chaos/model.ts says what that means, and test/chaos/checks.ts which foreign writes may be.
 *
 * A short run on PostgreSQL, in the nightly run on the embedded database too; `npm run soak` does the long ones. `SEED` repeats the schedule of a run, as far as timing
 * lets.
 */

const short: Omit<ChaosOptions, 'store'> = {
  seed,
  seconds: 8,
  clients: 6,
  foreign: ['property', 'field'],
  faults: true,
  offScreen: true,
  killEvery: 5,
  // A job of a killed process is free again after a while; anything faster is not waited for.
  settleWithin: 120,
};

const postgres = ['PostgreSQL and two processes', { store: 'postgres', postgres: inject('postgres') }] as const;
const embedded = ['the embedded database', { store: 'embedded' }] as const;

test.each(full ? [postgres, embedded] : [postgres])(
  'nothing that was acknowledged is lost, on %s',
  async (_, store) => {
    const { violations, tally } = await runChaos({ ...short, ...store });
    expect(violations, `SEED=${seed}`).toEqual([]);
    expect(tally.changes.length, `SEED=${seed}`).toBeGreaterThan(0);
  },
  // Added to the working time: all waiting until the system is idle.
  600_000,
);
