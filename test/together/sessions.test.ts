import { afterAll, beforeAll, expect, test } from 'vitest';
import { full, runs, seed } from '../run/seed.ts';
import { endVirtualTime, startVirtualTime } from './clock.ts';
import { playSession } from './session.ts';
import { printed, shrink } from './shrink.ts';
import { planOf } from './steps.ts';

beforeAll(startVirtualTime);
afterAll(endVirtualTime);

/** Sessions of the gate, five times as many being all that `runs` shares out; and those of the nightly run. */
const GATE_SESSIONS = 300;
const NIGHTLY_SESSIONS = 10_000;
const count = full ? NIGHTLY_SESSIONS : runs(5 * GATE_SESSIONS).numRuns;

/** Milliseconds that end what hangs. */
const TIMEOUT = 3_600_000;

test('what people write at once is kept, each row once, and every cursor stays where it was', {
  timeout: TIMEOUT,
}, async () => {
  for (let index = 0; index < count; index++) {
    const plan = planOf(seed + index);
    const { broken } = await playSession(plan);
    if (broken.length > 0) expect.fail(printed(seed + index, await shrink(plan, playSession)));
  }
});
