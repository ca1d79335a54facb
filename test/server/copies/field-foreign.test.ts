import { afterEach, describe, expect, test } from 'vitest';
import { storage } from '../../../src/domain/messages.ts';
import { startApp } from '../support/app.ts';
import { add, type IssueWork, newIssue, tick, update } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { linesOf, nameOf, onSync } from '../support/sync.ts';
import { ADDON_ACCOUNT, type Fault, OWN_FIELD, writeFields } from '../support/tracker.ts';

/** Foreign changes of the text field. */
onSync(({ use, it, work }) => {
  afterEach(() => {
    it.tracker.onFields = async () => {};
  });

  const isFieldWrite: (call: Parameters<Fault>[0]) => boolean = ({ method, path }) =>
    method === 'PUT' && !path.includes('properties');
  const fieldWrites = (id: string) =>
    it.tracker.calls.filter(call => isFieldWrite(call) && call.path === `/rest/api/2/issue/${id}`);

  describe('a foreign change', () => {
    /** Writes the field as an account, without an event. */
    const write = (issue: IssueWork, text: unknown, by = 'mallory') =>
      writeFields(work.held(issue), { [OWN_FIELD]: text }, by);
    const foreign = async (issue: IssueWork) =>
      (await work.history(issue))
        .filter(({ kind }) => kind === 'foreignField')
        .map(({ account, text }) => [account, text]);

    test('is in the history under its author, and in the property', async () => {
      const issue = await work.settledIssue('- a\n- b');
      await issue.writeField('+ a\r\n- b\r\n- c  ', 'mallory');
      expect(await work.history(issue)).toMatchObject([{}, { seq: 2, kind: 'foreignField', account: 'mallory' }]);
      const { text } = await issue.read();
      expect(text.split('\n').map(line => line.trimEnd())).toEqual(['+ a', '- b', '- c']);
      await work.quiet(issue, text);
    });

    test('that an own write has overwritten is merged from its own base', async () => {
      const issue = await work.settledIssue('- a\n- b\n- c');
      write(issue, '- a\n+ b');
      await issue.edit(tick(0, 'a'));
      await it.settled();
      expect(work.field(issue)).toBe('+ a\n- b\n- c');
      await work.event(issue);
      await it.settled();
      expect(await foreign(issue)).toEqual([['mallory', '+ a\n+ b']]);
      await work.quiet(issue, '+ a\n+ b');
    });

    test('in a series is a revision of its author, also when events are lost or repeated', async () => {
      const issue = await work.settledIssue('- a');
      write(issue, '- a\n- b', 'mallory');
      write(issue, '- a\n+ b', 'eve');
      write(issue, '+ a\n+ b', 'mallory');
      for (let time = 0; time < 3; time += 1) {
        await work.event(issue);
        await it.settled();
      }
      expect(await foreign(issue)).toEqual([
        ['mallory', '- a\n- b'],
        ['eve', '- a\n+ b'],
        ['mallory', '+ a\n+ b'],
      ]);
      await work.quiet(issue, '+ a\n+ b');
    });

    test('between two own writes undoes neither', async () => {
      const issue = await work.settledIssue('- a\n- b\n- c');
      await issue.edit(tick(0, 'a'));
      await it.settled();
      write(issue, '+ a\n- b\n- c\n- theirs');
      await issue.edit(tick(1, 'b'));
      await it.settled();
      await work.event(issue);
      await it.settled();
      expect(linesOf((await issue.read()).text)).toEqual(['+ a', '+ b', '- c', '- theirs']);
      await work.quiet(issue, (await issue.read()).text);
    });

    test('based on an older text undoes no later change', async () => {
      const issue = await work.settledIssue('- a\n- b\n- c');
      await issue.edit(add('d'));
      await issue.edit(tick(0, 'a'));
      await issue.writeField('- a\n- b\n- c\n- theirs');
      expect(linesOf((await issue.read()).text)).toEqual(['+ a', '- b', '- c', '- d', '- theirs']);
      await work.quiet(issue, (await issue.read()).text);
    });

    test('back to the previous text counts, also soon after it', async () => {
      const issue = await work.settledIssue('- a');
      await issue.edit(tick(0, 'a'));
      await it.settled();
      await issue.writeField('- a');
      expect(await foreign(issue)).toEqual([['another-person', '- a']]);
      await work.quiet(issue, '- a');
    });

    test('is merged once, also when the run fails afterwards', async () => {
      const issue = await work.settledIssue('- a');
      write(issue, '- a\n- b');
      await work.event(issue);
      it.tracker.faults = [({ method }) => (method === 'PUT' ? 'down' : undefined)];
      await it.background.work(it.jobs);
      await it.background.work(it.jobs);
      it.tracker.faults = [];
      expect(await foreign(issue)).toEqual([['mallory', '- a\n- b']]);
      await work.quiet(issue, '- a\n- b');
    });

    test.each([
      ['whose changelog has no texts', (item: object) => ({ ...item, fromString: null, toString: null })],
      ['whose changelog is not readable', undefined],
    ])('%s is merged from the last known text', async (_what, changed) => {
      const issue = await work.settledIssue('- a\n- b');
      await issue.edit(tick(0, 'a'));
      await it.settled();
      await issue.edit(add('ours'));
      write(issue, '+ a\n+ b');
      const held = work.held(issue);
      if (changed) {
        for (const entry of held.histories ?? [])
          entry.items = entry.items.map(item => ({ ...item, ...changed(item) }));
      } else held.histories = [];
      await work.event(issue);
      await it.settled();
      expect((await issue.read()).text).toBe('+ a\n+ b\n- ours');
      await work.quiet(issue, '+ a\n+ b\n- ours');
    });

    test('of an old text, whose changelog is not readable, brings back no row that was deleted long ago', async () => {
      const issue = await work.settledIssue('- a\n- b\n- c\n- d');
      await issue.edit(update('- a'));
      for (let change = 0; change < 30; change++) await issue.edit(tick(0, 'a', change % 2 ? 'todo' : 'done'));
      await issue.edit(add('ours'));
      await it.settled();
      write(issue, '- a\n- b\n- c\n- d\n- theirs');
      work.held(issue).histories = [];
      await work.event(issue);
      await it.settled();
      expect(linesOf((await issue.read()).text)).toEqual(['- a', '- ours', '- theirs']);
      await work.quiet(issue, (await issue.read()).text);
    });

    test('that were made while nothing was read are all in the history, once, also after a second read', async () => {
      const issue = await work.settledIssue('- a');
      const texts = Array.from({ length: 45 }, (_, index) => `- a\n- b ${index}`);
      for (const [index, text] of texts.entries())
        writeFields(work.held(issue), { [OWN_FIELD]: text }, index % 2 === 0 ? 'mallory' : 'eve');
      for (let reads = 0; reads < 2; reads += 1) {
        await work.event(issue);
        await it.settled();
      }
      const made = (await work.history(issue)).slice(1);
      expect(made.map(({ text }) => text)).toEqual(texts);
      expect(made.slice(0, 2).map(({ account }) => account)).toEqual(['mallory', 'eve']);
      await work.quiet(issue, texts.at(-1) ?? '');
    });

    /** A foreign change that was overwritten more than a hundred changelog entries ago. */
    async function longAgo(): Promise<IssueWork> {
      const issue = await work.settledIssue('- a\n- b');
      await work.event(issue);
      await it.settled();
      write(issue, '- a\n+ b');
      for (let entry = 0; entry < 230; entry += 1)
        writeFields(work.held(issue), { summary: `Summary ${entry}` }, 'eve');
      await issue.edit(tick(0, 'a'));
      await it.settled();
      return issue;
    }

    test('more than a hundred entries ago is found, though it was overwritten', async () => {
      const issue = await longAgo();
      const calls = await work.callsOf(async () => {
        await work.event(issue);
        await it.settled();
      });
      expect(calls).toContain('read changelog');
      expect(await foreign(issue)).toEqual([['mallory', '+ a\n+ b']]);
      await work.quiet(issue, '+ a\n+ b');
    });

    test.each([
      ['refused', () => new Response('{}', { status: 403 }), 0],
      ['not readable', () => new Response('{}'), 1],
    ])('on a page of the changelog that is %s is found once the page is readable', async (_what, answer, failed) => {
      provokes({ errors: /CopyRefused/, retries: true });
      const issue = await longAgo();
      it.tracker.faults = [call => (nameOf(call) === 'read changelog' ? answer() : undefined)];
      await work.event(issue);
      expect(await it.background.work(it.jobs)).toHaveLength(failed);
      it.tracker.faults = [];
      await work.event(issue);
      await it.settled();
      expect(await foreign(issue)).toEqual([['mallory', '+ a\n+ b']]);
      await work.quiet(issue, '+ a\n+ b');
    });

    test('is found beside an invalid changelog entry', async () => {
      const issue = await work.settledIssue('- a');
      await work.event(issue);
      await it.settled();
      write(issue, '- a\n- theirs');
      await issue.edit(tick(0, 'a'));
      await it.settled();
      const held = work.held(issue);
      held.histories = [{ id: 'none', created: '', items: [] }, ...(held.histories ?? [])];
      await work.event(issue);
      await it.settled();
      expect(await foreign(issue)).toEqual([['mallory', '+ a\n- theirs']]);
      held.histories.shift();
      await work.quiet(issue, '+ a\n- theirs');
    });

    test('that empties the field deletes no rows: the field is written again', async () => {
      const issue = await work.settledIssue('- a');
      await issue.writeField('');
      await work.quiet(issue, '- a');
      write(issue, '');
      write(issue, '- new');
      await work.event(issue);
      await it.settled();
      expect(linesOf((await issue.read()).text)).toEqual(['- a', '- new']);
      await work.quiet(issue, (await issue.read()).text);
    });

    const paragraph = (...content: unknown[]) => ({ type: 'paragraph', content });
    const words = (text: string) => ({ type: 'text', text });
    const item = (text: string) => ({ type: 'listItem', content: [paragraph(words(text))] });

    test('in a rich-text document is read as lines', async () => {
      const issue = await work.settledIssue('- a');
      write(issue, {
        ...{ type: 'doc', version: 1 },
        content: [paragraph(words('- a')), { type: 'bulletList', content: [item('b'), item('c')] }],
      });
      await work.event(issue);
      await it.settled();
      expect((await issue.read()).text.trim()).toBe('- a\n- b\n- c');
    });

    test("is distinguished from the tracker's own formatting of an own write", async () => {
      const issue = await work.settledIssue('- write the *whole* report\n- c');
      await issue.edit(tick(1, 'c'));
      const rendered = '* write the _whole_ report\n+ c';
      // The tracker stores and reports another formatting.
      it.tracker.onFields = async id => {
        const held = it.tracker.issues.get(id);
        const [entry] = held?.histories ?? [];
        if (!held || !entry) return;
        held.fields[OWN_FIELD] = rendered;
        entry.items = entry.items.map(change => ({ ...change, toString: rendered }));
        await work.event(issue, 'updated', ADDON_ACCOUNT);
      };
      await it.settled();
      expect(fieldWrites(issue.id)).toHaveLength(2);
      for (let time = 0; time < 3; time += 1) {
        await work.event(issue);
        await it.settled();
      }
      expect(fieldWrites(issue.id)).toHaveLength(2);
      expect((await issue.read()).text).toBe('- write the *whole* report\n+ c');
      it.tracker.onFields = async () => {};
      await issue.writeField('+ write the _whole_ report\n+ c\n- theirs');
      expect((await issue.read()).text).toBe('+ write the *whole* report\n+ c\n- theirs');
      expect(await work.history(issue)).toHaveLength(3);
    });

    test('made while the field is off the screen is found when it is back, with its author', async () => {
      const issue = await work.settledIssue('- a\n- b');
      const { [OWN_FIELD]: name = '', ...others } = it.tracker.names;
      it.tracker.names = others;
      write(issue, '- a\n- b\n- theirs');
      await work.event(issue);
      await it.settled();
      await issue.edit(tick(0, 'a'));
      await it.settled();
      it.tracker.names = { ...others, [OWN_FIELD]: name };
      await work.event(issue);
      await it.settled();
      expect(await foreign(issue)).toEqual([['mallory', '+ a\n- b\n- theirs']]);
      await work.quiet(issue, '+ a\n- b\n- theirs');
    });

    test('that was not shown when its event came is read before the field is written again', async () => {
      const issue = await work.settledIssue('- a\n- b');
      const { [OWN_FIELD]: name = '', ...others } = it.tracker.names;
      write(issue, '- a\n- b\n- theirs');
      it.tracker.names = others;
      await work.event(issue);
      await it.settled();
      it.tracker.names = { ...others, [OWN_FIELD]: name };
      await issue.edit(tick(0, 'a'));
      await it.settled();
      expect(await foreign(issue)).toEqual([['mallory', '+ a\n- b\n- theirs']]);
      await work.quiet(issue, '+ a\n- b\n- theirs');
    });

    test("is read once the tracker names the app's field, and changes wait for that", async () => {
      const other = await startApp(use().store);
      const issue = await newIssue(other);
      other.tracker.faults = [({ path }) => (path === '/rest/api/2/field' ? 'down' : undefined)];
      const held = other.tracker.issues.get(issue.id);
      if (held) held.fields[OWN_FIELD] = '- theirs';
      await expect(issue.edit(add('a'))).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
      other.tracker.faults = [];
      await issue.edit(add('a'));
      await other.settled();
      expect(linesOf((await issue.read()).text)).toEqual(['- a', '- theirs']);
      expect(held?.fields[OWN_FIELD]).toBe((await issue.read()).text);
      await other.tenants.uninstall(other.tenant.id);
      await other.app.close();
    });

    test('without room in the checklist is left in the field with a notice, and later edits of it are merged', async () => {
      const issue = await work.settledIssue('- a');
      const large = `- a\n- kept\n${'- "quoted"\n'.repeat(2_900)}`;
      await issue.writeField(large);
      const notice = expect.stringContaining(storage.fieldNotTaken(0, 1).slice(0, 60));
      expect((await issue.read()).notices).toEqual([notice]);
      await issue.edit(tick(0, 'a'));
      await it.settled();
      expect(work.field(issue)).toBe(large);
      expect(await issue.stored()).toMatchObject({ text: '+ a' });
      expect((await issue.read()).notices).toEqual([notice]);
      await issue.writeField('- a\n- kept');
      await work.quiet(issue, '+ a\n- kept');
      expect((await issue.read()).notices).toEqual([]);
    });
  });
});
