/*
 * What makes a run repeatable, and how much of it there is. `npm test` draws the same cases each time; `npm run test:full`
 * draws others and more of them. Both print the seed, and `SEED=number` repeats it.
 */

// Drawn once, for all workers: they get the environment of the process that starts them.
if (process.env.SEED === 'random') process.env.SEED = String(Date.now() % 1_000_000);

/** Seed of every random choice. */
export const seed = Number(process.env.SEED ?? 20261123);
if (!Number.isInteger(seed)) throw new Error(`SEED is a whole number or "random", not ${process.env.SEED}.`);

/** Share of cases: all in the nightly run, a fifth in the gate, and a fiftieth during development. */
const share = process.env.FULL === '1' ? 1 : process.env.QUICK === '1' ? 50 : 5;

/** Whether this is the nightly run. */
export const full: boolean = share === 1;

/** For `fc.assert`: this run's share of that many cases. */
export const runs = (count: number): { numRuns: number } => ({ numRuns: Math.ceil(count / share) });

/** This run's share of a list of cases, from all over it. */
export const sample = <T>(all: readonly T[]): readonly T[] => all.filter((_, index) => index % share === 0);
