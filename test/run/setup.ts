import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, vi } from 'vitest';
import { random } from '../../bench/random.ts';
import './wait-timeouts.ts';
import { runs, seed } from './seed.ts';

fc.configureGlobal({ seed, ...runs(100) });

// Each file draws its own numbers, independent of earlier files in its worker.
const file = relative('', expect.getState().testPath ?? '');
const { int } = random(createHash('sha256').update(`${seed} ${file}`).digest().readUInt32LE());
Math.random = () => int(2 ** 32) / 2 ** 32;

// Hashes in the same thread: progress of asynchronous work is then a matter of turns, not of time.
Object.defineProperty(crypto.subtle, 'digest', {
  configurable: true,
  value: async (algorithm: string, data: Uint8Array) =>
    Uint8Array.from(createHash(algorithm.replace('-', '').toLowerCase()).update(data).digest()).buffer,
});

// Files share their worker's globals: each restores them.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
