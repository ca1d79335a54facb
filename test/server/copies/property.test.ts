import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { add, EDITOR, newIssue, tick, update } from '../support/checklists.ts';
import { asObject, linesOf, nameOf, onSync, PROPERTY } from '../support/sync.ts';
import { isPropertyWrite, OWN_FIELD } from '../support/tracker.ts';

/** Foreign values of the property. */
onSync(({ use, it, work }) => {
  describe('a foreign value', () => {
    test('is in the history under its author, in the field, and in the property with search values', async () => {
      const issue = await work.settledIssue('- a\n- b');
      await issue.store('- a\n+ b\n- c', 'mallory');
      expect((await work.history(issue)).at(-1)).toMatchObject({
        ...{ seq: 2, kind: 'foreignProperty', account: 'mallory', text: '- a\n+ b\n- c' },
      });
      expect(await issue.stored()).toMatchObject({ v: 1, seq: 2, progress: { total: 3, checked: 1 } });
      await work.quiet(issue, '- a\n+ b\n- c');
    });

    test('with two authors in its events is attributed to the tracker', async () => {
      const issue = await work.settledIssue('- a');
      work.place(issue, '- a\n- b');
      await work.event(issue, 'property', 'mallory');
      await work.event(issue, 'property', 'eve');
      await it.settled();
      expect((await work.history(issue)).at(-1)).toMatchObject({ kind: 'foreignProperty', account: 'tracker' });
    });

    test("written while another author's is read has its own author", async () => {
      const issue = await work.settledIssue('- a');
      const handled = new Set<string>();
      // The second event arrives before the value is stored, and its value after that.
      it.tracker.meanwhile = [
        call => {
          const name = nameOf(call) ?? '';
          if (handled.has(name)) return undefined;
          handled.add(name);
          if (name === 'swap property') work.place(issue, '- a\n- b\n- c');
          return name === 'read issue' ? work.event(issue, 'property', 'eve') : undefined;
        },
      ];
      work.place(issue, '- a\n- b');
      await work.event(issue, 'property', 'mallory');
      await it.settled();
      expect((await work.history(issue)).slice(1).map(({ account, text }) => [account, text])).toEqual([
        ['mallory', '- a\n- b'],
        ['eve', '- a\n- b\n- c'],
      ]);
    });

    test('by an account that also changes checklists in the app has this author', async () => {
      const issue = await work.settledIssue('- a');
      it.tracker.granted.set('alice', EDITOR);
      await issue.store('- a\n- b', 'alice');
      await issue.store('- a\n- b\n- c', 'alice');
      expect((await work.history(issue)).map(({ account }) => account).slice(1)).toEqual(['alice', 'alice']);
    });

    test('with the stamp of an older revision is merged from that one', async () => {
      const issue = await work.settledIssue('- a\n- b');
      const older = await issue.stored();
      await issue.edit(tick(0, 'a'));
      await issue.edit(add('c'));
      await it.settled();
      await issue.store({ ...asObject(older), text: '- a\n- theirs' });
      expect(linesOf((await issue.read()).text)).toEqual(['+ a', '- c', '- theirs']);
      await work.quiet(issue, (await issue.read()).text);
    });

    test('of an old text brings back no row that was deleted long ago', async () => {
      const issue = await work.settledIssue('- a\n- b\n- c\n- d');
      await issue.edit(update('- a\n- b 2'));
      for (let change = 0; change < 120; change++) await issue.edit(tick(0, 'a', change % 2 ? 'todo' : 'done'));
      await issue.edit(add('ours'));
      await it.settled();
      await issue.store('- a\n- b\n- c\n- d\n- theirs');
      expect(linesOf((await issue.read()).text)).toEqual(['- a', '- b 2', '- ours', '- theirs']);
      await work.quiet(issue, (await issue.read()).text);
    });

    test('that lacks a row of the newest text deletes it, whatever older text it equals', async () => {
      const issue = await work.settledIssue('- a\n- b');
      await issue.edit(add('c'));
      await it.settled();
      await issue.store('- a\n- b');
      expect((await issue.read()).text).toBe('- a\n- b');
      await work.quiet(issue, '- a\n- b');
    });

    test.each([
      ['with the stamp of the newest revision', (text: string, stored: unknown) => ({ ...asObject(stored), text })],
      ['of another epoch', (text: string, stored: unknown) => ({ ...asObject(stored), epoch: 'other', seq: 7, text })],
      ['as bare text', (text: string) => text],
    ])('%s is merged with a change that is not written yet', async (_how, made) => {
      const issue = await work.settledIssue('- a\n- b\n- gone');
      const stored = await issue.stored();
      await issue.edit(tick(0, 'a'));
      await issue.edit(add('ours'));
      await issue.store(made('- a\n+ b\n- theirs', stored));
      expect(linesOf((await issue.read()).text)).toEqual(['+ a', '+ b', '- ours', '- theirs']);
      await work.quiet(issue, (await issue.read()).text);
    });

    test("written twice before the app's write undoes nothing", async () => {
      const issue = await work.settledIssue('- a');
      await issue.edit(add('ours'));
      it.tracker.faults = [call => (call.method === 'PUT' ? 'down' : undefined)];
      work.place(issue, '- a\n- one');
      await work.event(issue, 'property');
      await it.background.work(it.jobs);
      work.place(issue, '- a\n- one\n- two');
      await work.event(issue, 'property');
      await it.background.work(it.jobs);
      it.tracker.faults = [];
      await it.settled();
      expect(linesOf(await issue.text())).toEqual(['- a', '- one', '- ours', '- two']);
    });

    test('with a higher number than the last one is taken over, and numbers continue after it', async () => {
      const issue = await work.settledIssue('- a\n- b');
      await issue.store({ ...asObject(await issue.stored()), seq: 50, text: '+ a\n- lost\n- b' });
      expect(await issue.read()).toMatchObject({ seq: 51, text: '+ a\n- lost\n- b' });
      expect((await issue.edit(add('more'))).checklist.seq).toBe(52);
      await work.quiet(issue, '+ a\n- lost\n- b\n- more');
    });

    test.each([
      ['too large', 2 ** 31],
      ['the largest that the database has', 2 ** 31 - 1],
      ['negative', -1],
      ['no whole one', 1.5],
    ])('whose number is %s is merged', async (_what, seq) => {
      const issue = await work.settledIssue('- a');
      await issue.store({ ...asObject(await issue.stored()), seq, text: '- a\n- b' });
      await issue.edit(tick(0, 'a'));
      await work.quiet(issue, '+ a\n- b');
    });

    test.each(['\u0000', 'ü'.repeat(300), '', 'x y'])('whose epoch is %j is merged', async epoch => {
      const issue = await work.settledIssue('- a');
      await issue.store({ ...asObject(await issue.stored()), epoch, text: '- a\n- b' });
      await issue.edit(tick(0, 'a'));
      await work.quiet(issue, '+ a\n- b');
    });

    test.each(['\u0000', '\ud800', '\ufffe'])('with the character %j is merged', async strange => {
      const issue = await work.settledIssue('- a');
      const stored = asObject(await issue.stored());
      await issue.store({ ...stored, name: `A${strange}b`, text: `- a\n- b${strange}c` });
      await issue.store(`- a\n- b${strange}c\n- d`);
      await issue.edit(tick(0, 'a'));
      const { text } = await issue.read();
      expect(text.split('\n')).toHaveLength(3);
      await work.quiet(issue, text);
    });

    test('of an unknown shape is kept in another property, and replaced', async () => {
      const issue = await work.settledIssue('- a');
      await issue.store({ some: 'thing' });
      expect(work.held(issue).properties[`${PROPERTY}.foreign`]).toEqual({ some: 'thing' });
      await work.quiet(issue, '- a');
      expect(await work.history(issue)).toHaveLength(1);
    });

    test('of an unknown shape from before the first change is kept, also when the first write fails', async () => {
      const issue = await newIssue(it);
      work.place(issue, ['not', 'ours']);
      await issue.edit(add('a'));
      it.tracker.faults = [call => (isPropertyWrite(call) ? 'down' : undefined)];
      await it.background.work(it.jobs);
      it.tracker.faults = [];
      await work.quiet(issue, '- a');
      expect(work.held(issue).properties[`${PROPERTY}.foreign`]).toEqual(['not', 'ours']);
    });

    test('equal to the newest revision is no change, and gets its stamp', async () => {
      const issue = await work.settledIssue('- a');
      await issue.store('- a');
      await work.quiet(issue, '- a');
      expect(await work.history(issue)).toHaveLength(1);
    });

    test('that another app writes again after each own write is accepted after some rounds', async () => {
      const issue = await work.settledIssue('- a');
      it.tracker.meanwhile = [
        call => {
          if (nameOf(call) !== 'write property' && nameOf(call) !== 'swap property') return undefined;
          // After the write, as a listener of its event does.
          setImmediate(() => work.place(issue, '- a\n- theirs'));
          return undefined;
        },
      ];
      work.place(issue, '- a\n- theirs');
      await work.event(issue, 'property');
      await it.settled();
      for (let round = 0; round < 5; round += 1) {
        await work.event(issue, 'property');
        await it.settled();
      }
      const calls = await work.callsOf(async () => {
        await work.event(issue, 'property');
        await it.settled();
      });
      it.tracker.meanwhile = [];
      expect(calls).toEqual(['read issue']);
      expect((await issue.read()).text).toBe('- a\n- theirs');
    });
  });

  describe('missing values are not empty checklists', () => {
    test('a deleted property is restored', async () => {
      const issue = await work.settledIssue('- a\n- b');
      await issue.store(undefined);
      await work.quiet(issue, '- a\n- b');
      expect(await work.history(issue)).toHaveLength(1);
    });

    test('a deleted property is restored with the changes of the field', async () => {
      const issue = await work.settledIssue('- a\n- b');
      work.place(issue, undefined);
      await issue.edit(tick(0, 'a'));
      await issue.writeField('- a\n- b\n- c');
      await work.quiet(issue, '+ a\n- b\n- c');
    });

    test('a property of "" clears the checklist', async () => {
      const issue = await work.settledIssue('- a');
      await issue.store('');
      await work.quiet(issue, '');
    });
  });

  describe('a value from before the first change', () => {
    test('is the first revision', async () => {
      const issue = await newIssue(it);
      work.place(issue, '- a');
      await issue.edit(tick(0, 'a'));
      expect(await work.history(issue)).toMatchObject([
        { seq: 1, kind: 'foreignProperty', text: '- a' },
        { seq: 2, kind: 'setItemStatus', text: '+ a' },
      ]);
      await work.quiet(issue, '+ a');
    });

    test('in a field that differs is a revision, too', async () => {
      const issue = await newIssue(it);
      work.place(issue, '- property');
      work.held(issue).fields[OWN_FIELD] = '- field';
      await issue.edit(add('ours'));
      expect((await work.history(issue)).map(({ text }) => text)).toEqual([
        '- field',
        '- property',
        '- property\n- ours',
      ]);
      await work.quiet(issue, '- property\n- ours');
    });

    test.each(['property', 'field'] as const)('is read again on changes of the %s', async copy => {
      const issue = await newIssue(it);
      if (copy === 'property') work.place(issue, '- a');
      else work.held(issue).fields[OWN_FIELD] = '- a';
      await issue.read();
      const calls = await work.callsOf(async () => {
        if (copy === 'property') await issue.store('+ a\n- b');
        else await issue.writeField('+ a\n- b');
      });
      expect((await issue.read()).text).toBe('+ a\n- b');
      if (copy === 'field') expect(calls).toEqual(['read issue', 'write property']);
      await issue.edit(tick(0, 'a', 'todo'));
      await work.quiet(issue, '- a\n- b');
    });

    test("is written back when the first change restores the field's first text", async () => {
      const issue = await newIssue(it);
      work.held(issue).fields[OWN_FIELD] = '- a';
      await issue.read();
      await issue.writeField('+ a');
      await issue.edit(tick(0, 'a', 'todo'));
      await it.settled();
      expect(work.field(issue)).toBe('- a');
      await work.quiet(issue, '- a');
    });
  });

  test('foreign changes of both copies and an own change are merged', async () => {
    const issue = await work.settledIssue('- a\n- b\n- c');
    const base = await issue.read();
    work.place(issue, '+ a\n- b\n- c');
    await issue.change(tick(2, 'c'), base);
    await issue.writeField('- a\n+ b\n- c');
    expect(
      (await work.history(issue)).map(({ kind }) => String(kind)).toSorted((one, other) => one.localeCompare(other)),
    ).toEqual(['foreignField', 'foreignProperty', 'setItemStatus', 'updateChecklistFromText']);
    await work.quiet(issue, '+ a\n+ b\n+ c');
  });

  test('a foreign value is a known base once it is merged', async () => {
    const issue = await work.settledIssue('- a');
    await issue.store('- a\n- b');
    const seen = await issue.read();
    await issue.change(tick(1, 'b'), seen);
    await work.quiet(issue, '- a\n+ b');
  });

  test('rows keep their ids across own and foreign moves, edits and ticks', async () => {
    const issue = await work.settledIssue('- call the customer\n- write the report');
    const ids = async (): Promise<unknown[]> => {
      const newest = 'select rows from revision where issue = $1 order by created desc, seq desc limit 1';
      const [last] = await use().raw(newest, [issue.id]);
      return Array.isArray(last?.rows) ? last.rows : [];
    };
    const [call, write] = await ids();
    await issue.store('- write the whole report\n- call the customer\n- rest');
    await issue.edit(tick(0, 'write the whole report'));
    const [first, second, third] = await ids();
    expect([first, second]).toEqual([write, call]);
    await it.settled();
    await issue.writeField('- rest\n- call the customer\n+ write the whole report');
    await issue.edit(add('new', 0));
    const now = await ids();
    expect(now.slice(1)).toEqual([third, call, write]);
    expect(new Set(now).size).toBe(4);
  });

  test('a value of an earlier installation is a foreign text, and the numbers start over', async () => {
    const other = await startApp(use().store);
    const before = await newIssue(other);
    await before.edit(update('- a'));
    await other.settled();
    const held = other.tracker.issues.get(before.id);
    const issue = await newIssue(it);
    work.place(issue, held?.properties[PROPERTY]);
    expect(await issue.read()).toMatchObject({ seq: 1, text: '- a' });
    const { checklist } = await issue.edit(tick(0, 'a'));
    expect(checklist).toMatchObject({ seq: 2, text: '+ a', epoch: expect.stringMatching(/./) });
    await work.quiet(issue, '+ a');
    await other.tenants.uninstall(other.tenant.id);
    await other.app.close();
  });
});
