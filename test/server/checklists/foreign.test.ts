import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { storage } from '../../../src/domain/messages.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import { SITE, startApp, type TestApp } from '../support/app.ts';
import { add, EDITOR, type IssueWork, newIssue, tick, update, workOn } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';
import { ADDON_ACCOUNT, OWN_FIELD } from '../support/tracker.ts';

onStore(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  const fieldsOf = (issue: IssueWork) => it.tracker.issues.get(issue.id)?.fields ?? {};
  const field = (issue: IssueWork) => fieldsOf(issue)[OWN_FIELD];
  const writes = () => it.tracker.calls.filter(({ method }) => method === 'PUT').length;

  /** The tracker tells of something that this account did. */
  async function webhook(issue: IssueWork, account = 'mallory', event = 'issue-updated'): Promise<number> {
    const url = `/webhooks/${event}?issueId=${issue.id}`;
    const token = it.requestToken('POST', url, { sub: account });
    const { statusCode } = await it.app.inject({ method: 'POST', url, headers: { authorization: `JWT ${token}` } });
    return statusCode;
  }

  const history = (issue: IssueWork) =>
    use().raw('select seq, kind, account, text from revision where issue = $1 order by created, seq', [issue.id]);

  /** An issue whose storages both hold this. */
  async function settledIssue(text: string): Promise<IssueWork> {
    const issue = await newIssue(it);
    await issue.edit(update(text));
    await it.settled();
    return issue;
  }

  /** Both storages hold the text, and nothing more is written, whatever webhooks still come. */
  async function quiet(issue: IssueWork, text: string) {
    await it.settled();
    expect(issue.text()).toBe(text);
    expect(field(issue)).toBe(text);
    const before = writes();
    for (const account of [ADDON_ACCOUNT, 'mallory', ADDON_ACCOUNT]) await webhook(issue, account);
    await it.settled();
    expect(writes()).toBe(before);
    expect(await issue.read()).toMatchObject({ text, source: 'PROPERTY' });
  }

  describe('after a webhook', () => {
    test('what somebody wrote into the property is in the history, under his name, and in the field', async () => {
      const issue = await settledIssue('- a\n- b');
      issue.store('- a\n+ b\n- c');
      expect(await webhook(issue, 'mallory', 'issue-property')).toBe(204);
      await it.settled();
      expect((await history(issue)).at(-1)).toEqual({
        seq: 2,
        kind: 'foreignProperty',
        account: 'mallory',
        text: '- a\n+ b\n- c',
      });
      expect(issue.stored()).toMatchObject({ v: 1, seq: 2, progress: { total: 3, checked: 1 } });
      await quiet(issue, '- a\n+ b\n- c');
    });

    test('what somebody wrote into the field is in the property too', async () => {
      const issue = await settledIssue('- a\n- b');
      fieldsOf(issue)[OWN_FIELD] = '+ a\r\n- b\r\n- c  ';
      await webhook(issue);
      await it.settled();
      expect((await history(issue)).at(-1)).toMatchObject({ seq: 2, kind: 'foreignField', account: 'mallory' });
      expect(
        issue
          .text()
          .split('\n')
          .map(line => line.trimEnd()),
      ).toEqual(['+ a', '- b', '- c']);
    });

    test('changes of both storages and of our own meet', async () => {
      const issue = await settledIssue('- a\n- b\n- c');
      const base = await issue.read();
      issue.store('+ a\n- b\n- c');
      fieldsOf(issue)[OWN_FIELD] = '- a\n+ b\n- c';
      await issue.change(tick(2, 'c'), base);
      expect((await history(issue)).map(({ kind }) => kind)).toEqual([
        'updateChecklistFromText',
        'foreignProperty',
        'foreignField',
        'setItemStatus',
      ]);
      await quiet(issue, '+ a\n+ b\n+ c');
    });

    test('who wrote is not said where it may have been one of two', async () => {
      const issue = await settledIssue('- a');
      issue.store('- a\n- b');
      await webhook(issue, 'mallory');
      await webhook(issue, 'eve');
      await webhook(issue, ADDON_ACCOUNT);
      await it.settled();
      expect((await history(issue)).at(-1)).toMatchObject({ kind: 'foreignProperty', account: 'tracker' });
    });

    test('of an issue that has no checklist of ours nothing is asked', async () => {
      const issue = await newIssue(it);
      issue.store('- theirs');
      const calls = it.tracker.calls.length;
      await webhook(issue);
      await it.settled();
      expect(it.tracker.calls.length).toBe(calls);
    });

    test('of an issue that is gone what is kept of its storages goes, its history stays', async () => {
      const issue = await settledIssue('- a');
      it.tracker.issues.delete(issue.id);
      await webhook(issue, 'mallory', 'issue-deleted');
      await it.settled();
      for (const table of ['mirror', 'intent', 'echo', 'sighting']) {
        expect(await use().raw(`select 1 from ${table} where issue = $1`, [issue.id])).toEqual([]);
      }
      expect(await history(issue)).toHaveLength(1);
    });

    test.each(['', '0', '../1', '1e3', '99999999999999999999'])('an id "%s" leads nowhere', async id => {
      const url = `/webhooks/issue-updated?issueId=${encodeURIComponent(id)}`;
      const headers = { authorization: `JWT ${it.requestToken('POST', url)}` };
      expect((await it.app.inject({ method: 'POST', url, headers })).statusCode).toBe(204);
      expect(it.background.waiting()).toEqual([]);
    });
  });

  test('a read sees it at once, and has it taken in', async () => {
    const issue = await settledIssue('- a');
    issue.store('- a\n- b');
    expect(await issue.read()).toMatchObject({ epoch: '', seq: 0, text: '- a\n- b' });
    expect(it.background.waiting()).toEqual(['look-at-issue']);
    await it.settled();
    expect(await issue.read()).toMatchObject({ seq: 2, text: '- a\n- b' });
  });

  test('what was there before our first write is the first step of the history', async () => {
    const issue = await newIssue(it);
    issue.store('- a');
    await issue.edit(tick(0, 'a'));
    expect(await history(issue)).toMatchObject([
      { seq: 1, kind: 'foreignProperty', text: '- a' },
      { seq: 2, kind: 'setItemStatus', text: '+ a' },
    ]);
  });

  test('a field that said something else than the property stays in the history', async () => {
    const issue = await newIssue(it);
    issue.store('- property');
    fieldsOf(issue)[OWN_FIELD] = '- field';
    await issue.edit(add('ours'));
    expect((await history(issue)).map(({ text }) => text)).toEqual(['- field', '- property', '- property\n- ours']);
    await quiet(issue, '- property\n- ours');
  });

  test('a base that somebody else wrote is known, however it was taken in', async () => {
    const issue = await settledIssue('- a');
    issue.store('- a\n- b');
    const seen = await issue.read();
    await it.settled();
    await issue.change(tick(1, 'b'), seen);
    expect(issue.text()).toBe('- a\n+ b');
  });

  describe('what is gone is not an empty checklist', () => {
    test('a property that somebody deleted comes back', async () => {
      const issue = await settledIssue('- a\n- b');
      issue.store(undefined);
      await webhook(issue, 'mallory', 'issue-property');
      await quiet(issue, '- a\n- b');
      expect(await history(issue)).toHaveLength(1);
    });

    test('and with it what the field says by now', async () => {
      const issue = await settledIssue('- a\n- b');
      issue.store(undefined);
      fieldsOf(issue)[OWN_FIELD] = '- a\n- b\n- c';
      await issue.edit(tick(0, 'a'));
      await quiet(issue, '+ a\n- b\n- c');
    });

    test('a field that is empty is filled again; a property of "" is somebody clearing the checklist', async () => {
      const issue = await settledIssue('- a');
      fieldsOf(issue)[OWN_FIELD] = null;
      await webhook(issue);
      await quiet(issue, '- a');
      issue.store('');
      await webhook(issue);
      await it.settled();
      expect(issue.text()).toBe('');
    });
  });

  describe('writes of ours that come late', () => {
    test('an older text in the field is ours, and the newer one is written again', async () => {
      const issue = await settledIssue('- a');
      await issue.edit(tick(0, 'a'));
      await it.settled();
      expect(field(issue)).toBe('+ a');
      fieldsOf(issue)[OWN_FIELD] = '- a';
      await webhook(issue, ADDON_ACCOUNT);
      await quiet(issue, '+ a');
      expect(await history(issue)).toHaveLength(2);
    });

    test('some time later it is what somebody wanted', async () => {
      const issue = await settledIssue('- a');
      await issue.edit(tick(0, 'a'));
      await it.settled();
      await use().raw("update echo set seen = seen - interval '10 minutes' where issue = $1", [issue.id]);
      fieldsOf(issue)[OWN_FIELD] = '- a';
      await webhook(issue);
      await quiet(issue, '- a');
    });

    test('a write of the field that got no answer is ours for longer', async () => {
      const issue = await settledIssue('- a');
      await issue.edit(tick(0, 'a'));
      it.tracker.faults = [
        ({ method, path }) => (method === 'PUT' && !path.includes('properties') ? 'down' : undefined),
      ];
      expect(await it.background.work(it.checklists.jobs)).toHaveLength(1);
      it.tracker.faults = [];
      await issue.edit(add('b'));
      await it.settled();
      await use().raw("update echo set seen = seen - interval '5 minutes' where issue = $1", [issue.id]);
      fieldsOf(issue)[OWN_FIELD] = '+ a';
      await webhook(issue, ADDON_ACCOUNT);
      await quiet(issue, '+ a\n- b');
      expect(await history(issue)).toHaveLength(3);
    });

    test('what somebody makes of a write that was given up undoes nothing else', async () => {
      const issue = await settledIssue('- a\n- b');
      const base = await issue.read();
      let late: unknown;
      it.tracker.faults = [
        ({ method, path, body }) => {
          if (method !== 'PUT' || !path.endsWith(encodeURIComponent(storageKey('checklist')))) return undefined;
          late = structuredClone(body);
          return 'down';
        },
      ];
      await expect(issue.change(tick(0, 'a'), base)).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
      it.tracker.faults = [];
      await issue.change(add('c'), base);
      // It arrives now, and somebody adds to it before we look.
      issue.store({ ...(typeof late === 'object' && late), text: '+ a\n- b\n- theirs' });
      await webhook(issue);
      await it.settled();
      expect(issue.text().split('\n').toSorted()).toEqual(['- a', '- b', '- c', '- theirs']);
    });

    test('a write that was given up and arrives before anything else counts, once', async () => {
      const issue = await settledIssue('- a');
      const base = await issue.read();
      let late: unknown;
      it.tracker.faults = [
        ({ method, path, body }) => {
          if (method !== 'PUT' || !path.endsWith(encodeURIComponent(storageKey('checklist')))) return undefined;
          late = structuredClone(body);
          return 'down';
        },
      ];
      const change = () => issue.change(add('late'), base, 'the-late-one');
      await expect(change()).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
      it.tracker.faults = [];
      await it.checklists.recover();
      issue.store(late);
      await webhook(issue, ADDON_ACCOUNT);
      await it.settled();
      expect((await change()).checklist).toMatchObject({ seq: 2, text: '- a\n- late' });
      await quiet(issue, '- a\n- late');
    });
  });

  test('who was overtaken while he wrote undoes nothing', async () => {
    const issue = await settledIssue('- a\n- b\n- c');
    await issue.edit(add('d'));
    await issue.edit(tick(0, 'a'));
    await it.settled();
    // They had read the first text.
    fieldsOf(issue)[OWN_FIELD] = '- a\n- b\n- c\n- theirs';
    await webhook(issue);
    await it.settled();
    expect(issue.text().split('\n').sort()).toEqual(['+ a', '- b', '- c', '- d', '- theirs']);
    await quiet(issue, issue.text());
  });

  test('a rich-text document in the field is read as lines', async () => {
    const issue = await settledIssue('- a');
    const paragraph = (...content: unknown[]) => ({ type: 'paragraph', content });
    const text = (words: string) => ({ type: 'text', text: words });
    const item = (words: string) => ({ type: 'listItem', content: [paragraph(text(words))] });
    fieldsOf(issue)[OWN_FIELD] = {
      type: 'doc',
      version: 1,
      content: [paragraph(text('- a')), { type: 'bulletList', content: [item('b'), item('c')] }],
    };
    await webhook(issue);
    await it.settled();
    expect(issue.text().trim()).toBe('- a\n- b\n- c');
  });

  describe('too large', () => {
    test('a field that grew beyond the property is left alone, and a notice says so', async () => {
      const issue = await settledIssue('- a');
      const large = `- a\n${'- "quoted"\n'.repeat(2_900)}`;
      fieldsOf(issue)[OWN_FIELD] = large;
      await webhook(issue);
      await it.settled();
      expect(field(issue)).toBe(large);
      const { notices } = await issue.edit(tick(0, 'a'));
      await it.settled();
      expect(notices).toEqual([]);
      expect((await issue.read()).notices).toEqual([expect.stringContaining(storage.fieldNotTaken(0, 1).slice(0, 60))]);
      expect(field(issue)).toBe(large);
      expect(issue.text()).toBe('+ a');
    });

    test('a property that is full to the brim is refused clearly, and left as it is', async () => {
      const issue = await settledIssue('- a');
      const junk = 'j'.repeat(32_766);
      issue.store(junk);
      await webhook(issue);
      await it.settled();
      await expect(issue.edit(add('b'))).rejects.toMatchObject({ code: 'TOO_LARGE' });
      expect(issue.stored()).toBe(junk);
      await issue.edit(update('- small'));
      await quiet(issue, '- small');
    });
  });

  test('rows keep their ids, whoever moves, rewords or ticks them', async () => {
    const issue = await settledIssue('- call the customer\n- write the report');
    const ids = async () => {
      const newest = 'select rows from revision where issue = $1 order by created desc, seq desc limit 1';
      const [last] = await use().raw(newest, [issue.id]);
      return z.array(z.string()).parse(last?.rows);
    };
    const [call, write] = await ids();
    issue.store('- write the whole report\n- call the customer\n- rest');
    await webhook(issue);
    await it.settled();
    await issue.edit(tick(0, 'write the whole report'));
    const [first, second, third] = await ids();
    expect([first, second]).toEqual([write, call]);
    fieldsOf(issue)[OWN_FIELD] = '- rest\n- call the customer\n+ write the whole report';
    await issue.edit(tick(1, 'call the customer'));
    await issue.edit(add('new', 0));
    const now = await ids();
    expect(now.slice(1)).toEqual([third, call, write]);
    expect(new Set(now).size).toBe(4);
  });

  test('an account may write behind our back as well as through us', async () => {
    const issue = await settledIssue('- a');
    it.tracker.granted.set('alice', EDITOR);
    issue.store('- a\n- b');
    await webhook(issue, 'alice');
    await it.settled();
    issue.store('- a\n- b\n- c');
    await webhook(issue, 'alice');
    await it.settled();
    expect((await history(issue)).map(({ account }) => account).slice(1)).toEqual(['alice', 'alice']);
  });

  test('what an earlier installation wrote is ours, and the count starts anew', async () => {
    const other = await startApp(use().store);
    const before = await newIssue(other);
    await before.edit(update('- a'));
    await other.tenants.uninstall(other.tenant.id);
    await other.tenants.install({ ...other.tenant, url: SITE });
    const issue = await workOn(other, before.id, 'alice');
    other.tracker.granted.set('alice', EDITOR);
    expect(await issue.read()).toMatchObject({ seq: 1, text: '- a' });
    const { checklist } = await issue.edit(tick(0, 'a'));
    expect(checklist).toMatchObject({ seq: 1, text: '+ a' });
    expect((await history(issue)).map(({ kind }) => kind)).toEqual(['updateChecklistFromText', 'setItemStatus']);
    await other.app.close();
  });
});
