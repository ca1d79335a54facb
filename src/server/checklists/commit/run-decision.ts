import { randomBytes } from 'node:crypto';
import { inSlices } from '../../common/slices.ts';
import { decide } from '../decide/decide.ts';
import type { DecideInput, Decision } from '../decide/types.ts';

/** Runs `decide` in slices, between which other requests of the process run: the only place that does. */
export const runDecision = (input: Omit<DecideInput, 'seed' | 'now'>): Promise<Decision> =>
  inSlices(decide({ ...input, seed: randomBytes(16).toString('hex'), now: Date.now() }));
