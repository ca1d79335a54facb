import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { runs, seed } from './seed.ts';

fc.configureGlobal({ seed, ...runs(100) });

// Hashes in the same thread: how far waiting work has come is then a matter of turns, not of time.
Object.defineProperty(crypto.subtle, 'digest', {
  configurable: true,
  value: async (algorithm: string, data: Uint8Array) =>
    Uint8Array.from(createHash(algorithm.replace('-', '').toLowerCase()).update(data).digest()).buffer,
});

// Files share their worker's globals: each leaves them as it found them.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
