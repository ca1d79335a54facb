import { createHash } from 'node:crypto';
import fc from 'fast-check';

/*
 * What makes a run repeatable. Laws draw the same cases each time, so that what lands is what was tested; `FC_SEED=random`,
 * or a number, draws others, to look for faults.
 */
const { FC_SEED = '20261121' } = process.env;
if (FC_SEED !== 'random') fc.configureGlobal({ seed: Number(FC_SEED) });

// Hashes at once, instead of from another thread: how far waiting work has come is then a matter of turns, not of time.
Object.defineProperty(crypto.subtle, 'digest', {
  configurable: true,
  value: async (algorithm: string, data: Uint8Array) =>
    Uint8Array.from(createHash(algorithm.replace('-', '').toLowerCase()).update(data).digest()).buffer,
});
