import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sample } from '../../run/seed.ts';
import type { TestApp } from '../support/app.ts';
import { add, type IssueWork, newIssue, tick } from '../support/checklists.ts';
import { type CrashPoint, createCrashes } from '../support/crashes.ts';
import { onStore } from '../support/stores.ts';
import { asObject, endFaults, linesOf, PROPERTY, type SyncWork, startSync } from '../support/sync.ts';
import { OWN_FIELD, writeFields } from '../support/tracker.ts';

/** Period of the tracker's quota, in milliseconds. */
const HOUR = 3_600_000;
/** More steps than any run has. */
const MAX_STEPS = 60;
/** The first two, which every run has, and this run's share of the others. */
const steps = new Set([0, 1, ...sample(Array.from({ length: MAX_STEPS }, (_, at) => at))]);

/** Processes that are killed, or fail, at each step of a run. */
onStore(use => {
  let it: TestApp;
  let work: SyncWork;
  let crashes: ReturnType<typeof createCrashes>;
  beforeAll(async () => {
    crashes = createCrashes(use().store);
    ({ it, work } = await startSync({ ...use(), store: crashes.store }));
    crashes.watch(it.tracker);
    return () => it.app.close();
  });
  afterEach(() => endFaults(it));

  /** Starts a process and runs its waiting jobs, except for the sweep, which reads every issue. */
  async function restart() {
    it.elapse(HOUR);
    await it.sync.recover();
    const { sync, 'write-property': property, 'write-field': field } = it.jobs;
    await it.background.drain({ sync, 'write-property': property, 'write-field': field });
  }

  interface Scene {
    /** Prepares the issue. */
    begin(): Promise<IssueWork>;
    text: string[];
    /** Kinds of the resulting revisions. */
    kinds: string[];
    also?(issue: IssueWork): void;
  }

  const scenes: Record<string, Scene> = {
    'a change': {
      async begin() {
        const issue = await work.settledIssue('- a\n- b');
        await issue.edit(tick(0, 'a'));
        return issue;
      },
      text: ['+ a', '- b'],
      kinds: ['setItemStatus', 'updateChecklistFromText'],
    },
    'a first change of an issue whose property holds something unknown': {
      async begin() {
        const issue = await newIssue(it);
        work.place(issue, { some: 'thing' });
        work.held(issue).fields[OWN_FIELD] = '- theirs';
        await issue.edit(add('ours'));
        return issue;
      },
      text: ['- ours', '- theirs'],
      kinds: ['addChecklistItemsFromText', 'foreignField'],
      also: issue => expect(work.held(issue).properties[`${PROPERTY}.foreign`]).toEqual({ some: 'thing' }),
    },
    'foreign changes of both copies, and one here': {
      async begin() {
        const issue = await work.settledIssue('- a\n- b\n- c');
        await issue.edit(tick(0, 'a'));
        work.place(issue, '- a\n- b\n- c\n- property');
        await work.event(issue, 'property');
        writeFields(work.held(issue), { [OWN_FIELD]: '- a\n+ b\n- c' }, 'mallory');
        writeFields(work.held(issue), { [OWN_FIELD]: '- a\n+ b\n+ c' }, 'eve');
        await work.event(issue);
        return issue;
      },
      text: ['+ a', '+ b', '+ c', '- property'],
      kinds: ['foreignField', 'foreignField', 'foreignProperty', 'setItemStatus', 'updateChecklistFromText'],
    },
    'a change where another app has written the property before': {
      async begin() {
        const issue = await work.settledIssue('- a');
        await issue.store('- a\n- b');
        await issue.edit(tick(0, 'a'));
        return issue;
      },
      text: ['+ a', '- b'],
      kinds: ['foreignProperty', 'setItemStatus', 'updateChecklistFromText'],
    },
    'a foreign value that says what is in the history': {
      async begin() {
        const issue = await work.settledIssue('- a');
        await issue.edit(tick(0, 'a'));
        work.place(issue, { ...asObject(work.held(issue).properties[PROPERTY]), text: '+ a' });
        await work.event(issue, 'property');
        return issue;
      },
      text: ['+ a'],
      kinds: ['setItemStatus', 'updateChecklistFromText'],
    },
    'a value that another app deleted, and a field that it emptied': {
      async begin() {
        const issue = await work.settledIssue('- a');
        work.place(issue, undefined);
        writeFields(work.held(issue), { [OWN_FIELD]: null }, 'mallory');
        await work.event(issue);
        return issue;
      },
      text: ['- a'],
      kinds: ['updateChecklistFromText'],
    },
  };

  async function holds(issue: IssueWork, { text, kinds, also }: Scene) {
    await restart();
    const checklist = await issue.read();
    expect(linesOf(checklist.text)).toEqual(text);
    const history = await work.history(issue);
    expect(history.map(({ kind }) => String(kind)).toSorted((one, other) => one.localeCompare(other))).toEqual(kinds);
    expect(new Set(history.map(({ seq }) => seq)).size).toBe(history.length);
    also?.(issue);
    await work.quiet(issue, checklist.text);
  }

  describe.each(Object.entries(scenes))('%s', (_name, scene) => {
    test.each([
      ['killed before', { point: 'before', staysDown: true }],
      ['killed after', { point: 'after', staysDown: true }],
      ['failing before', { point: 'before', staysDown: false }],
      ['failing after', { point: 'after', staysDown: false }],
    ] satisfies [string, { point: CrashPoint; staysDown: boolean }][])(
      '%s any step: nothing is lost, nothing doubled',
      {
        timeout: 120_000,
      },
      async (_how, how) => {
        let count = 0;
        for (const step of steps) {
          const issue = await scene.begin();
          const isReached = await crashes.at(step, how, it.settled);
          if (how.staysDown) it.background.lose();
          await holds(issue, scene).catch(error => {
            throw new Error(`At step ${step}`, { cause: error });
          });
          if (!isReached) break;
          count += 1;
        }
        expect(count).toBeGreaterThan(1);
        expect(count).toBeLessThan(MAX_STEPS);
      },
    );

    test('concurrent with another run of the issue at any step: nothing is lost, nothing doubled', {
      timeout: 120_000,
    }, async () => {
      let count = 0;
      for (; ; count += 1) {
        const issue = await scene.begin();
        let call = 0;
        let isReached = false;
        const interrupt = () => {
          if (isReached || call++ < count) return undefined;
          isReached = true;
          return it.jobs
            .sync({ tenant: it.tenant.id, issue: issue.id }, { signal: new AbortController().signal, lastTry: false })
            .catch(() => {});
        };
        it.tracker.meanwhile.push(interrupt);
        await it.settled();
        it.tracker.meanwhile.pop();
        await holds(issue, scene).catch(error => {
          throw new Error(`At call ${count}`, { cause: error });
        });
        if (!isReached) break;
      }
      expect(count).toBeGreaterThan(1);
    });
  });

  test('an older write that arrives after a newer run is detected', async () => {
    const issue = await work.settledIssue('- a');
    await issue.edit(add('b'));
    let isHeld = true;
    it.tracker.meanwhile.push(call => {
      if (!isHeld || call.method !== 'PUT') return undefined;
      isHeld = false;
      // A whole run with a newer change, before this older write is done.
      return issue
        .edit(add('c'))
        .then(() =>
          it.jobs.sync(
            { tenant: it.tenant.id, issue: issue.id },
            { signal: new AbortController().signal, lastTry: false },
          ),
        );
    });
    await it.settled();
    it.tracker.meanwhile.pop();
    await work.quiet(issue, '- a\n- b\n- c');
  });

  describe('a change', () => {
    test.each(sample([0, 1, 2, 3, 4, 5]))('that fails at step %d can be sent again, and counts once', async step => {
      const issue = await work.settledIssue('- a');
      const base = await issue.read();
      for (const point of ['before', 'after'] as const) {
        const client = `client-${point}-${step}`;
        await crashes.at(step, { point, staysDown: true }, () => issue.change(add(point), base, client));
        await issue.change(add(point), base, client);
      }
      await it.settled();
      expect(linesOf((await issue.read()).text)).toEqual(['- a', '- after', '- before']);
      await work.quiet(issue, (await issue.read()).text);
    });

    test('of an issue that is no longer visible leaves no job', async () => {
      const issue = await newIssue(it);
      await issue.edit(add('a'));
      it.tracker.issues.delete(issue.id);
      await restart();
      expect(await use().raw('select 1 from sync where issue = $1 and missing is null', [issue.id])).toEqual([]);
      expect(it.background.waiting()).not.toContain('sync');
    });

    test('is neither acknowledged nor stored when the database refuses it', async () => {
      const issue = await newIssue(it);
      const base = await issue.read();
      await use().raw(`alter table revision add constraint broken check (issue <> '${issue.id}')`);
      await expect(issue.change(add('once'), base, 'the-one')).rejects.toThrow();
      await use().raw('alter table revision drop constraint broken');
      const { checklist } = await issue.change(add('once'), base, 'the-one');
      expect(checklist).toMatchObject({ seq: 1, text: '- once' });
      await work.quiet(issue, '- once');
    });
  });
});
