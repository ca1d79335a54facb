import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { packRowIds } from '../../../src/domain/storage.ts';
import type { ChangeBase } from '../../../src/server/checklists/service/types.ts';
import { hashText } from '../../../src/text/document.ts';
import { ruleData } from '../../../src/text/property/rules.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { appOf, startApp } from '../support/app.ts';
import { add, EDITOR, newIssue, remove, tick, update, workOn } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import { OWN_FIELD } from '../support/tracker.ts';

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  test('the text is stored in the property, with search values, and in the field', async () => {
    const issue = await newIssue(it);
    const { checklist, conflicts, notices } = await issue.edit(update('# Release\r\n- build\n+ tag', 'Release 4'));
    const text = '# Release\n- build\n+ tag';
    expect(checklist).toMatchObject({
      seq: 1,
      name: 'Release 4',
      text,
      hash: await hashText(text),
      source: 'PROPERTY',
    });
    expect({ conflicts, notices }).toEqual({ conflicts: [], notices: [] });
    const stored = await issue.stored();
    expect(stored).toEqual({
      v: 1,
      epoch: checklist.epoch,
      seq: 1,
      name: 'Release 4',
      text,
      progress: { total: 2, checked: 1, percent: 50, mandatoryOpen: 0 },
      label: '1/2',
      search: { statuses: ['To Do', 'Done'], assignees: [], dueDates: [], gates: [] },
      rules: ruleData(readChecklist(text), Number.POSITIVE_INFINITY),
      rows: packRowIds(text, checklist.rowIds),
    });
    expect(stored).toMatchObject({ rules: { total: 2, all: '1 item is open: build', mandatory: '' } });
    await it.settled();
    expect(it.tracker.issues.get(issue.id)?.fields[OWN_FIELD]).toBe(text);
    expect(await issue.read()).toMatchObject(checklist);
  });

  test('adding, ticking and deleting items each creates a revision', async () => {
    const issue = await newIssue(it);
    await issue.edit(add('first\nthird'));
    await issue.edit(add('> second', 1));
    await issue.edit(tick(0, 'first'));
    const { checklist } = await issue.edit(remove(2, 'third'));
    expect(checklist).toMatchObject({ seq: 4, text: await issue.text(), name: 'Checklists' });
    expect(checklist.text.trim().split('\n')).toEqual(['+ first', '- second']);
  });

  test('lone surrogates, NUL and foreign line ends are normalised before storing', async () => {
    const issue = await newIssue(it);
    await issue.store({ v: 1, epoch: 'e', seq: 1, name: 'N\u0000ame', text: '- a\u0000\r\n- \ud83d' });
    const { checklist } = await issue.edit(add('c\u0000\ud83dd'));
    expect(checklist).toMatchObject({ name: 'Name', text: '- a\n- \ufffd\n- c\ufffdd' });
    expect(await issue.text()).toBe(checklist.text);
  });

  test('a foreign revision number near the maximum does not exhaust the numbers', async () => {
    const issue = await newIssue(it);
    const { checklist } = await issue.edit(update('- a'));
    await issue.store({ v: 1, name: 'Checklists', text: '- a', epoch: checklist.epoch, seq: 2_147_483_646 });
    await issue.edit(add('b'));
    await issue.edit(add('c'));
    expect((await issue.text()).trim()).toBe('- a\n- b\n- c');
  });

  test('an edit without effect writes nothing', async () => {
    const issue = await newIssue(it);
    const { checklist } = await issue.edit(update('+ a'));
    await it.settled();
    const calls = it.tracker.calls.length;
    expect(await issue.change(tick(0, 'a'), checklist)).toEqual({ checklist, conflicts: [], notices: [] });
    await it.settled();
    expect(it.tracker.calls.slice(calls).every(({ method }) => method !== 'PUT')).toBe(true);
  });

  describe('base', () => {
    test('a foreign base text is recognised by its hash', async () => {
      const issue = await newIssue(it);
      await issue.store('- a');
      const base = { epoch: '', seq: 0, hash: await hashText('- a') };
      expect((await issue.change(tick(0, 'a'), base)).checklist.text).toBe('+ a');
    });

    test('an unknown base is answered with BASE_UNKNOWN, then merged with its text under the same client id', async () => {
      const issue = await newIssue(it);
      await issue.edit(update('- a\n- b'));
      const base = { epoch: 'before', seq: 9, hash: await hashText('- a') };
      const id = randomUUID();
      const asked = issue.change(tick(0, 'a'), base, id);
      await expect(asked).rejects.toMatchObject({ code: 'BASE_UNKNOWN', field: 'base' });
      await issue.change(tick(0, 'a'), { ...base, text: '- a' }, id);
      expect(await issue.text()).toContain('+ a');
    });

    test('a known revision number with another hash is an unknown base', async () => {
      const issue = await newIssue(it);
      const { checklist } = await issue.edit(update('- a\n- b'));
      await issue.edit(add('c'));
      const { epoch, seq } = checklist;
      const base = { epoch, seq, hash: await hashText('- b') };
      await expect(issue.change(tick(0, 'b'), base)).rejects.toMatchObject({ code: 'BASE_UNKNOWN', field: 'base' });
      // Taken for that revision, the whole text would delete the first item.
      await issue.change(update('+ b'), { ...base, text: '- b' });
      expect((await issue.text()).trim().split('\n')).toEqual(['- a', '+ b', '- c']);
    });

    test('a base with characters that the database cannot store is unknown, and its text is normalised', async () => {
      const issue = await newIssue(it);
      await issue.edit(update('- a\n- b'));
      const base = { epoch: '\u0000', seq: 1, hash: '\u0000' };
      await expect(issue.change(tick(0, 'a'), base)).rejects.toMatchObject({ code: 'BASE_UNKNOWN' });
      await issue.change(tick(0, 'a'), { ...base, text: '- a\r\n- b\u0000' });
      expect(await issue.text()).toBe('+ a\n- b');
    });

    test('a base of one issue is unknown in another', async () => {
      const one = await newIssue(it);
      const other = await newIssue(it);
      const { checklist } = await one.edit(update('- secret'));
      await other.edit(update('- x'));
      await expect(other.change(tick(0, 'secret'), checklist)).rejects.toMatchObject({ code: 'BASE_UNKNOWN' });
    });
  });

  describe('idempotency', () => {
    test('a repeated client id returns the same outcome', async () => {
      const issue = await newIssue(it);
      const base = await issue.read();
      const id = randomUUID();
      const first = await issue.change(add('once'), base, id);
      await issue.edit(add('meanwhile'));
      expect(await issue.change(add('once'), base, id)).toEqual(first);
      expect((await issue.text()).match(/once/g)).toHaveLength(1);
    });

    test('a client id sent twice concurrently counts once', async () => {
      const issue = await newIssue(it);
      const base = await issue.read();
      const id = randomUUID();
      const all = await Promise.all([1, 2, 3].map(() => issue.change(add('once'), base, id)));
      expect(all[1]).toEqual(all[0]);
      expect(all[2]).toEqual(all[0]);
      expect((await issue.text()).match(/once/g)).toHaveLength(1);
    });

    test('client ids are scoped to the account', async () => {
      const issue = await newIssue(it);
      it.tracker.granted.set('bob', EDITOR);
      const bob = await workOn(it, issue.id, 'bob');
      const { checklist: base } = await issue.edit(update('- a'));
      const id = randomUUID();
      await issue.change(add('mine'), base, id);
      await bob.change(add('theirs'), base, id);
      expect(await issue.text()).toContain('mine');
      expect(await issue.text()).toContain('theirs');
    });

    test.each([
      ['empty', ''],
      ['with a blank', 'a b'],
      ['too long', 'x'.repeat(101)],
      ['with a control character', 'a\u0000'],
    ])('a client id that is %s is refused', async (_name, id) => {
      const issue = await newIssue(it);
      await expect(issue.change(add('a'), await issue.read(), id)).rejects.toMatchObject({ field: 'clientId' });
    });
  });

  describe('refusals', () => {
    const notFound = { code: 'NOT_FOUND' };
    const request = (base: ChangeBase) => ({ clientId: randomUUID(), base, edit: add('a') });

    test.each([
      ['no items', add(' \n> '), 'REQUIRED', 'text'],
      ['no text', update('\n \n'), 'CHECKLIST_REQUIRED', 'text'],
      ['no name', update('- a', '  '), 'REQUIRED', 'name'],
      ['a short name', update('- a', 'ab'), 'TOO_SHORT', 'name'],
      ['a long name', update('- a', 'a'.repeat(141)), 'TOO_LONG', 'name'],
      ['an unknown status', tick(0, 'a', 'nowhere'), 'UNKNOWN_STATUS', 'status'],
    ] as const)('%s', async (_name, edit, code, field) => {
      const issue = await newIssue(it);
      await issue.edit(update('- a'));
      const before = await issue.stored();
      await expect(issue.edit(edit)).rejects.toMatchObject({ code, field });
      expect(await issue.stored()).toEqual(before);
    });

    test('a checklist that is too large, with its size, before any write', async () => {
      const issue = await newIssue(it);
      await issue.edit(update('- small'));
      const before = await issue.stored();
      const large = update(`- ${'x'.repeat(33_000)}`);
      await expect(issue.edit(large)).rejects.toMatchObject({
        code: 'TOO_LARGE',
        message: expect.stringMatching(/33,\d{3} of 32,768 characters/),
      });
      await expect(issue.edit(update('- a\n'.repeat(7_000)))).rejects.toMatchObject({ code: 'TOO_LARGE' });
      await expect(issue.edit(update('x'.repeat(400_000)))).rejects.toMatchObject({ code: 'TOO_LARGE' });
      expect(await issue.stored()).toEqual(before);
    });

    test('an issue that does not exist, or that was deleted before its first read', async () => {
      const issue = await newIssue(it);
      const base = await issue.read();
      await expect(issue.checklists.change({ ...request(base), issueId: '999' })).rejects.toMatchObject(notFound);
      const unread = await newIssue(it);
      // The permission is cached.
      expect(await unread.checklists.allowed(unread.id, 'canEditChecklist')).toBe(true);
      it.tracker.issues.delete(unread.id);
      await expect(unread.change(add('a'), base)).rejects.toMatchObject(notFound);
      expect(await use().raw('select 1 from checklist where issue = $1', [unread.id])).toEqual([]);
    });

    test('no refusal for an issue deleted while its permission is cached: the copies stay pending', async () => {
      provokes({ retries: true });
      const issue = await newIssue(it);
      const base = await issue.read();
      it.tracker.issues.delete(issue.id);
      expect(await issue.change(add('a'), base)).toMatchObject({ checklist: { seq: 1, text: '- a' } });
      await it.settled();
      expect(await use().raw('select 1 from sync where issue = $1 and missing is not null', [issue.id])).toHaveLength(
        1,
      );
    });
  });
});
