import { afterEach, describe, expect, test } from 'vitest';
import { add, type IssueWork, tick, update } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { asObject, linesOf, nameOf, onSync, PROPERTY } from '../support/sync.ts';
import { type Fault, isPropertyWrite } from '../support/tracker.ts';

/** Property writes with an unknown outcome, and concurrent writes of another app. */
onSync(({ it, work }) => {
  afterEach(() => {
    it.tracker.onSwap = task => task();
  });

  const writes = (calls: readonly string[]) =>
    calls.filter(name => name.endsWith('write property') || name === 'swap property');

  /** Lets a write of the property fail; resolves with a function that performs it. */
  async function delayed(issue: IssueWork): Promise<() => Promise<void>> {
    let body: unknown;
    const fault: Fault = call => {
      if (!isPropertyWrite(call)) return undefined;
      body = structuredClone(call.body);
      return 'down';
    };
    it.tracker.faults = [fault];
    expect(await it.background.work(it.jobs)).toHaveLength(1);
    it.tracker.faults = [];
    return async () => {
      work.place(issue, body);
      await it.tracker.onProperty(issue.id);
    };
  }

  describe('without an answer', () => {
    test('and done: it is read, and not written again', async () => {
      const issue = await work.settledIssue('- a');
      await issue.edit(add('once'));
      it.tracker.lost = [call => nameOf(call) === 'write property'];
      expect(await it.background.work(it.jobs)).toHaveLength(1);
      it.tracker.lost = [];
      expect(writes(await work.callsOf(it.settled))).toEqual([]);
      await work.quiet(issue, '- a\n- once');
      expect(await work.history(issue)).toHaveLength(2);
    });

    test('and not done: it is written again', async () => {
      const issue = await work.settledIssue('- a');
      await issue.edit(add('once'));
      await delayed(issue);
      expect(writes(await work.callsOf(it.settled))).toEqual(['write property']);
      await work.quiet(issue, '- a\n- once');
      expect(await work.history(issue)).toHaveLength(2);
    });

    test('and done after a newer one: the newer one is restored', async () => {
      const issue = await work.settledIssue('- a\n- b');
      await issue.edit(tick(0, 'a'));
      const arrive = await delayed(issue);
      await issue.edit(add('c'));
      await it.settled();
      await arrive();
      await work.quiet(issue, '+ a\n- b\n- c');
      expect(await work.history(issue)).toHaveLength(3);
    });

    test('and done after a newer one, with a foreign change based on it: the change is merged', async () => {
      const issue = await work.settledIssue('- a\n- b');
      await issue.edit(tick(0, 'a'));
      const arrive = await delayed(issue);
      await issue.edit(add('c'));
      await issue.edit(tick(1, 'b'));
      await it.settled();
      await arrive();
      await issue.store({ ...asObject(work.held(issue).properties[PROPERTY]), text: '+ a\n- b\n- theirs' });
      expect(linesOf((await issue.read()).text)).toEqual(['+ a', '+ b', '- c', '- theirs']);
      await work.quiet(issue, (await issue.read()).text);
    });

    test.each([
      ['in its shape', (value: unknown, text: string) => ({ ...asObject(value), text })],
      ['as bare text', (_value: unknown, text: string) => text],
    ])('and done, with a foreign tick before it is read, %s: each counts once', async (_how, written) => {
      const issue = await work.settledIssue('- one\n- two');
      await issue.edit(add('once'));
      it.tracker.lost = [call => nameOf(call) === 'write property'];
      await it.background.work(it.jobs);
      it.tracker.lost = [];
      work.place(issue, written(work.held(issue).properties[PROPERTY], '- one\n- two\n+ once'));
      await work.event(issue, 'property');
      await work.quiet(issue, '- one\n- two\n+ once');
    });

    test('after the process was killed: the next process reads the outcome at its start', async () => {
      const issue = await work.settledIssue('- a');
      await issue.edit(add('once'));
      const arrive = await delayed(issue);
      it.background.lose();
      await arrive();
      await it.sync.recover();
      expect(writes(await work.callsOf(it.settled))).toEqual([]);
      await work.quiet(issue, '- a\n- once');
    });
  });

  test.each([500, 503, 429])('where the tracker answers %d, the write is retried later', async status => {
    const issue = await work.settledIssue('- a');
    it.tracker.faults = [call => (isPropertyWrite(call) ? new Response('{}', { status }) : undefined)];
    await issue.edit(add('b'));
    await it.background.work(it.jobs);
    expect((await issue.read()).notices).toEqual([]);
    it.tracker.faults = [];
    it.elapse(3_600_000);
    await work.quiet(issue, '- a\n- b');
  });

  describe('after a write of another app', () => {
    /** An issue whose property another app has written before. */
    async function contended(text: string): Promise<IssueWork> {
      const issue = await work.settledIssue('- first');
      await issue.store(text);
      await it.settled();
      return issue;
    }

    test('the property is read, and written by compare-and-set', async () => {
      const issue = await contended('- a\n- b');
      await issue.edit(tick(0, 'a'));
      const calls = await work.callsOf(it.settled);
      expect(calls.filter(name => name !== 'write field')).toEqual(['read issue', 'swap property', 'read issue']);
      await work.quiet(issue, '+ a\n- b');
    });

    test('foreign writes between the read and the write are kept', async () => {
      const issue = await contended('- a\n- b');
      await issue.edit(tick(0, 'a'));
      let rounds = 0;
      it.tracker.meanwhile = [
        call => {
          if (nameOf(call) !== 'swap property' || rounds === 3) return undefined;
          rounds += 1;
          work.place(
            issue,
            `${String(Reflect.get(asObject(work.held(issue).properties[PROPERTY]), 'text') ?? work.held(issue).properties[PROPERTY])}\n- theirs ${rounds}`,
          );
          return undefined;
        },
      ];
      await it.settled();
      expect(linesOf(await issue.text())).toEqual(['+ a', '- b', '- theirs 1', '- theirs 2', '- theirs 3']);
      await work.quiet(issue, await issue.text());
    });

    test('a late write undoes no later change', async () => {
      const issue = await contended('- a\n- b');
      const tasks: (() => Promise<void>)[] = [];
      it.tracker.onSwap = async task => void tasks.push(task);
      await issue.edit(tick(0, 'a'));
      await it.background.work(it.jobs);
      expect(tasks).toHaveLength(1);
      await issue.edit(add('c'));
      it.tracker.onSwap = task => task();
      await it.settled();
      for (const task of tasks) await task();
      await work.quiet(issue, '+ a\n- b\n- c');
    });

    test.each(['just done', 'done after the next read'])('a write that is %s is not doubled', async when => {
      const issue = await contended('- a\n- b');
      const tasks: (() => Promise<void>)[] = [];
      it.tracker.onSwap = async task => void tasks.push(task);
      await issue.edit(tick(0, 'a'));
      await it.background.work(it.jobs);
      if (when === 'just done') for (const task of tasks) await task();
      it.tracker.onSwap = task => task();
      await it.settled();
      if (when !== 'just done') for (const task of tasks) await task();
      await work.quiet(issue, '+ a\n- b');
      expect(await work.history(issue)).toHaveLength(3);
    });

    test('compare-and-set tasks that never run are followed by an unconditional write', async () => {
      const issue = await contended('- a\n- b');
      it.tracker.onSwap = async () => {};
      await issue.edit(tick(0, 'a'));
      const calls = await work.callsOf(it.settled);
      expect(writes(calls)).toEqual([...Array(5).fill('swap property'), 'write property']);
      await work.quiet(issue, '+ a\n- b');
    });

    test('an unconditional write follows also where the foreign value stays in the property', async () => {
      const issue = await work.settledIssue('- a\n- b');
      it.tracker.onSwap = async () => {};
      const calls = await work.callsOf(() => issue.store('- a\n- theirs'));
      expect(writes(calls)).toEqual([...Array(5).fill('swap property'), 'write property']);
      await work.quiet(issue, '- a\n- theirs');
    });

    test.each([400, 403])('a write refused with %d is not retried before the next change', async status => {
      provokes({ errors: /CopyRefused/, retries: true });
      const issue = await contended('- a');
      it.tracker.faults = [call => (nameOf(call) === 'swap property' ? new Response('{}', { status }) : undefined)];
      await issue.edit(add('b'));
      expect(writes(await work.callsOf(it.settled))).toEqual(['swap property']);
      expect((await issue.read()).notices).toHaveLength(1);
      it.tracker.faults = [];
      await issue.edit(add('c'));
      await work.quiet(issue, '- a\n- b\n- c');
    });

    test('clearing and deleting the property have their usual meaning', async () => {
      const issue = await contended('- a');
      await issue.store(undefined);
      await work.quiet(issue, '- a');
      await issue.store('');
      await work.quiet(issue, '');
    });
  });

  test('a change whose event arrives during the read keeps its author', async () => {
    const issue = await work.settledIssue('- a');
    await work.event(issue);
    it.tracker.meanwhile = [
      async call => {
        if (nameOf(call) !== 'read issue') return;
        it.tracker.meanwhile = [];
        await work.event(issue, 'property', 'mallory');
      },
    ];
    // It is in the property once the read is answered.
    it.tracker.lost = [
      call => {
        if (nameOf(call) === 'read issue') {
          it.tracker.lost = [];
          work.place(issue, '- a\n- theirs');
        }
        return false;
      },
    ];
    await it.settled();
    expect((await work.history(issue)).at(-1)).toMatchObject({ account: 'mallory', text: '- a\n- theirs' });
  });

  test('a foreign value without an event is lost to an unconditional write', async () => {
    const issue = await work.settledIssue('- a\n- b');
    work.place(issue, '- a\n- b\n- theirs');
    await issue.edit(tick(0, 'a'));
    await it.settled();
    await work.event(issue, 'property');
    await work.quiet(issue, '+ a\n- b');
  });

  test('an older value written back is overwritten by any change', async () => {
    const issue = await work.settledIssue('- a');
    const before = await issue.stored();
    await issue.edit(tick(0, 'a'));
    await it.settled();
    work.place(issue, before);
    await issue.edit(update('+ a\n- b'));
    await work.quiet(issue, '+ a\n- b');
  });
});
