/*
 * What makes a run repeatable, and how much of it there is. `npm test` draws the same cases each time; `npm run test:full`
 * draws others and more of them. Both print the seed, and `SEED=number` repeats it.
 */

// Drawn once, for all workers: they get the environment of the process that starts them.
if (process.env.SEED === 'random') process.env.SEED = String(Date.now() % 1_000_000);

/** Seed of every random choice. */
export const seed = Number(process.env.SEED ?? 20261123);
if (!Number.isInteger(seed)) throw new Error(`SEED is a whole number or "random", not ${process.env.SEED}.`);

/** Whether this is the nightly run. */
export const full = process.env.FULL === '1';

/** For `fc.assert`: that many cases in the nightly run, a fifth of them in the gate. */
export const runs = (count: number) => ({ numRuns: full ? count : Math.ceil(count / 5) });
