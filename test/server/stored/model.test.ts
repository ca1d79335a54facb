import fc from 'fast-check';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { full, runs, seed } from '../../run/seed.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import { type Action, actionNames, actionOf, anySequence } from './actions.ts';
import { createWorld, type World } from './world.ts';

/** Sequences, and as many pairs, of the nightly run; `SEQUENCES` sets another number. */
const NIGHTLY = 300;
const GATE = 12;
const numRuns = Number(process.env.SEQUENCES ?? (full ? NIGHTLY : Math.min(GATE, runs(NIGHTLY).numRuns)));

/** Random actions of users, administrators, jobs and the tracker, after which all that is stored follows the texts. */
onStore(use => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(use());
    return () => world.close();
  });
  // The world reads the log itself, after each sequence: it knows what that provoked.
  beforeEach(() => provokes({ errors: /./ }));

  async function tryOut(actions: readonly Action[]) {
    await world.begin();
    for (const action of actions) await world.perform(action);
    expect(await world.idle(), JSON.stringify(actions)).toEqual([]);
    expect(await world.carry(), JSON.stringify(actions)).toEqual([]);
  }

  test('sequences', { timeout: 3_600_000 }, async () => {
    await fc.assert(fc.asyncProperty(anySequence, tryOut), { numRuns, seed });
  });

  test('pairs of actions', { timeout: 3_600_000 }, async () => {
    const name = fc.constantFrom(...actionNames);
    const pair = fc
      .tuple(name, name)
      .chain(([one, other]) => fc.tuple(actionOf(one), actionOf('work'), actionOf(other)));
    await fc.assert(fc.asyncProperty(pair, tryOut), { numRuns, seed });
  });
});
