import { expect, test } from 'vitest';
import { type Cause, workClasses } from '../../../src/server/quota/work.ts';
import { onStore } from '../support/stores.ts';
import { HOUR_END, type Process, readOf, startProcess, writeOf } from '../support/tracker-process.ts';

/** An hour of three sites in two processes, of which one site does its worst all the time. */

/** Points of the hour. */
const POOL = 6_500;
const MINUTES = 60;
/** Calls that the offender would like to make each minute: several times the hour's points. */
const LOUD = 160;
/** Users of each other site, and minutes between two changes of each, which cause a read and two writes. */
const PEOPLE = 20;
const PAUSE = 4;
/** Calls of each other site in the hour, without those for fields. */
const NEEDED = (2 * PEOPLE * MINUTES) / PAUSE;

/** All that an account, a script and a site cause: ticks, readings, jobs, rules, the API, webhooks of bulk edits. */
const causes: readonly Cause[] = workClasses.flatMap(({ name }) => [
  { work: name, account: null },
  { work: name, account: 'loud' },
]);

interface Count {
  asked: number;
  made: number;
}

onStore(use => {
  test('an hour of a site that does its worst leaves the others all that they need', async () => {
    const { store } = use();
    await use().raw('delete from quota_use');
    await use().raw('delete from quota_fact');
    const processes = [startProcess({ store, most: POOL }), startProcess({ store, most: POOL })] as const;
    for (const { clock } of processes) clock.elapse(HOUR_END - clock.now());
    const counts = new Map<string, Count>();
    let turn = 0;
    async function call(site: string, cause: Cause, request = readOf('1'), name = site): Promise<void> {
      const process: Process = processes[turn++ % processes.length] ?? processes[0];
      const count = counts.get(name) ?? { asked: 0, made: 0 };
      counts.set(name, count);
      count.asked += 1;
      if ((await process.wait(site, cause, request)) === undefined) count.made += 1;
    }
    /** Each user's change: what the panel reads, and the writes of both copies. */
    async function change(site: string, account: string, issue: string): Promise<void> {
      await call(site, { work: 'person', account });
      await call(site, { work: 'verdict', account }, writeOf(issue));
      await call(site, { work: 'field', account }, writeOf(issue), `${site}'s fields`);
    }
    for (let minute = 0; minute < MINUTES; minute += 1) {
      for (let each = 0; each < LOUD; each += 1) {
        const cause = causes[each % causes.length];
        if (cause) await call('loud', cause, each % 2 ? readOf(String(each)) : writeOf(String(each)));
        if (each % (LOUD / PEOPLE) !== 0) continue;
        const person = each / (LOUD / PEOPLE);
        if ((minute + person) % PAUSE === 0)
          for (const site of ['one', 'two']) await change(site, `${person}`, `${person}`);
        if (person % 10 === 0) for (const { quota } of processes) await quota.exchange();
      }
      for (const { clock } of processes) clock.elapse(60_000 - 1);
    }
    const of = (name: string) => counts.get(name) ?? { asked: 0, made: 0 };
    const loud = of('loud');
    // It had what the others left, and no more.
    expect(loud.made).toBeGreaterThan(POOL / 8);
    expect(loud.made).toBeLessThan(loud.asked / 4);
    for (const site of ['one', 'two']) {
      expect(of(site)).toEqual({ asked: NEEDED, made: NEEDED });
      // The fields may be late.
      expect(of(`${site}'s fields`).made).toBeGreaterThan(0);
    }
  });
});
