import { vi } from 'vitest';
import { WAIT_TIMEOUT } from './timeouts.ts';

/* `vi.waitFor` and `vi.waitUntil` have no setting for how long they wait where a test does not say so, as `expect.poll` has. */

type Given = Parameters<typeof vi.waitFor>[1];
const patient = (given: Given = {}): Given => (typeof given === 'number' ? given : { timeout: WAIT_TIMEOUT, ...given });

const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, given) => waitFor(callback, patient(given));
vi.waitUntil = (callback, given) => waitUntil(callback, patient(given));
