import { inject } from 'vitest';

/** The program of a worker thread, as it is built for the run. */
export const threadProgram = (name: 'entry' | 'trapped-entry'): URL => new URL(`${name}.mjs`, inject('textWorkers'));
