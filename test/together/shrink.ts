import type { Outcome } from './session.ts';
import type { Plan, Step } from './steps.ts';

/** The most sessions that are played to find a smaller one. */
const MAX_SHRINK_PLAYS = 800;

/** Finds the fewest steps that break a law, by leaving out parts, then with smaller numbers. */
export async function shrink(
  plan: Plan,
  playSession: (plan: Plan) => Promise<Outcome>,
): Promise<{ plan: Plan; outcome: Outcome }> {
  let plays = 0;
  let best = { plan, outcome: await playSession(plan) };
  const sortOf = ({ broken }: Outcome) => broken[0]?.replace(/[WR][a-j]+Z/g, '').replace(/["\d].*/, '');
  const sort = sortOf(best.outcome);
  const attempt = async (smaller: Plan): Promise<boolean> => {
    if (++plays > MAX_SHRINK_PLAYS) return false;
    const outcome = await playSession(smaller);
    if (outcome.broken.length === 0 || sortOf(outcome) !== sort) return false;
    best = { plan: smaller, outcome };
    return true;
  };

  const without = async () => {
    for (let size = Math.ceil(best.plan.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let from = 0; from < best.plan.steps.length; ) {
        const { steps } = best.plan;
        if (!(await attempt({ ...best.plan, steps: steps.toSpliced(from, size) }))) from += size;
      }
    }
  };
  const simpler = async () => {
    for (const rows of [2, 3, 4]) if (rows < best.plan.rows && (await attempt({ ...best.plan, rows }))) break;
    for (const people of [2, 3]) if (people < best.plan.people && (await attempt({ ...best.plan, people }))) break;
    for (const index of best.plan.steps.keys()) {
      for (const key of ['person', 'at', 'to'] as const) {
        for (const value of [0, 1, 2, 3]) {
          const step: Step | undefined = best.plan.steps[index];
          if (!step || step[key] <= value) break;
          if (await attempt({ ...best.plan, steps: best.plan.steps.with(index, { ...step, [key]: value }) })) break;
        }
      }
    }
  };
  await without();
  for (let last = Number.POSITIVE_INFINITY; best.plan.steps.length < last; ) {
    last = best.plan.steps.length;
    await simpler();
    await without();
  }
  return best;
}

/** A session as people read it, and as it is played again. */
export const printed = (seed: number, { plan, outcome }: { plan: Plan; outcome: Outcome }): string =>
  [
    `Session ${seed} breaks a law:`,
    ...outcome.broken.map(what => `!! ${what}`),
    ...outcome.log,
    `plan: ${JSON.stringify(plan)}`,
  ].join('\n');
