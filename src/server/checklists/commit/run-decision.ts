import { randomBytes } from 'node:crypto';
import type { RunTask } from '../../text-workers/task.ts';
import { decision } from '../decide/decide.ts';
import type { DecideInput, Decision } from '../decide/types.ts';

/** Runs `decide` with new randomness and the time: the only place that does. */
export const runDecision = (run: RunTask, input: Omit<DecideInput, 'seed' | 'now'>): Promise<Decision> =>
  run(decision, { ...input, seed: randomBytes(16).toString('hex'), now: Date.now() });
