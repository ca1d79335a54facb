import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { storage } from '../../../src/domain/messages.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { add, type IssueWork, newIssue, tick, update } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';
import { nameOf, type SyncWork, syncWork } from '../support/sync.ts';
import { ADDON_ACCOUNT, type Fault, OWN_FIELD, RIVAL_FIELD, writeFields } from '../support/tracker.ts';

onStore(use => {
  let it: TestApp;
  let work: SyncWork;
  beforeAll(async () => {
    it = await startApp(use().store);
    work = syncWork(it, use());
    return () => it.app.close();
  });
  afterEach(() => {
    it.tracker.faults = [];
    it.tracker.meanwhile = [];
    it.tracker.lost = [];
    it.tracker.onFields = async () => {};
    it.background.lose();
  });

  const fields = (id: string) => it.tracker.issues.get(id)?.fields ?? {};
  const isFieldWrite: (call: Parameters<Fault>[0]) => boolean = ({ method, path }) =>
    method === 'PUT' && !path.includes('properties');
  const fieldWrites = (id: string) =>
    it.tracker.calls.filter(call => isFieldWrite(call) && call.path === `/rest/api/2/issue/${id}`);

  /** Does the background work while the tracker answers writes of fields like this. */
  async function settledWith(status: number, body: unknown): Promise<unknown[]> {
    it.tracker.faults.push(call => (isFieldWrite(call) ? new Response(JSON.stringify(body), { status }) : undefined));
    try {
      return await it.background.work(it.jobs);
    } finally {
      it.tracker.faults.length = 0;
    }
  }

  const notices = async (issue: IssueWork) => (await issue.read()).notices;

  test('an answer does not wait for the field; several changes are one write of it', async () => {
    const issue = await newIssue(it);
    await issue.edit(add('a'));
    await issue.edit(add('b'));
    expect(fieldWrites(issue.id)).toHaveLength(0);
    await it.settled();
    expect(fieldWrites(issue.id)).toHaveLength(1);
    expect(fields(issue.id)[OWN_FIELD]).toBe(await issue.text());
  });

  test("a rival's field of the same name is read, never written", async () => {
    const issue = await newIssue(it);
    fields(issue.id)[RIVAL_FIELD] = '- rival';
    const { checklist } = await issue.edit(tick(0, 'rival'));
    await it.settled();
    expect(checklist.text).toBe('+ rival');
    expect(fields(issue.id)[RIVAL_FIELD]).toBe('- rival');
    expect(fields(issue.id)[OWN_FIELD]).toBe('+ rival');
  });

  test('a field that a rich-text editor only tidied up is not written again', async () => {
    const issue = await newIssue(it);
    fields(issue.id)[OWN_FIELD] = '- a\r\n- b\r\n';
    await issue.edit(update('- a  \n- b'));
    await it.settled();
    expect(fieldWrites(issue.id)).toHaveLength(0);
    await issue.edit(tick(1, 'b'));
    await it.settled();
    expect(fieldWrites(issue.id)).toHaveLength(1);
  });

  test.each([
    [
      400,
      {
        errors: { [OWN_FIELD]: `Field '${OWN_FIELD}' cannot be set. It is not on the appropriate screen, or unknown.` },
      },
      storage.fieldNotOnScreen,
    ],
    [400, { errors: { [OWN_FIELD]: 'Something else.' } }, storage.fieldRefused],
    [400, { errors: { [OWN_FIELD]: 'CONTENT_LIMIT_EXCEEDED' } }, storage.fieldTooLarge(3, 32_767)],
    [403, {}, storage.fieldRefused],
    [404, {}, storage.fieldRefused],
  ])('refused with %d %j: no second attempt, and the notice says why until it works', async (status, body, notice) => {
    const issue = await newIssue(it);
    await issue.edit(add('a'));
    expect(await settledWith(status, body)).toEqual([]);
    expect(it.background.waiting()).toEqual([]);
    expect(await issue.text()).toContain('a');
    expect(await notices(issue)).toEqual([notice]);
    expect((await issue.edit(add('b'))).notices).toEqual([notice]);
    await it.settled();
    expect(fields(issue.id)[OWN_FIELD]).toBe(await issue.text());
    expect(await notices(issue)).toEqual([]);
  });

  test.each([429, 500, 503])('a tracker that answers %d is tried again later', async status => {
    const issue = await newIssue(it);
    await issue.edit(add('a'));
    expect(await settledWith(status, {})).toHaveLength(1);
    expect(await notices(issue)).toEqual([]);
    it.elapse(3_600_000);
    await it.settled();
    expect(fields(issue.id)[OWN_FIELD]).toBe(await issue.text());
  });

  test('what the queue lost is taken up again at the next start', async () => {
    const issue = await newIssue(it);
    await issue.edit(add('a'));
    it.background.lose();
    await it.sync.recover();
    await it.settled();
    expect(fields(issue.id)[OWN_FIELD]).toBe(await issue.text());
    await it.sync.recover();
    expect(it.background.waiting()).not.toContain('sync');
  });

  test('an issue whose screens lack the field is told so, without a write', async () => {
    const issue = await newIssue(it);
    const { [OWN_FIELD]: name, ...others } = it.tracker.names;
    it.tracker.names = others;
    await issue.edit(add('a'));
    await it.settled();
    expect(await notices(issue)).toEqual([storage.fieldNotOnScreen]);
    it.tracker.names = { ...others, [OWN_FIELD]: name ?? '' };
    expect(fieldWrites(issue.id)).toHaveLength(0);
  });

  describe('where the field is off the screen when we first write an issue', () => {
    /** Takes the field off the screens of all issues meanwhile. */
    async function offScreen(work: () => Promise<unknown>) {
      const { [OWN_FIELD]: name, ...others } = it.tracker.names;
      it.tracker.names = others;
      await work();
      it.tracker.names = { ...others, [OWN_FIELD]: name ?? '' };
    }

    test.each([
      ['nothing else', undefined, undefined],
      ['as much in the property', '- a\n- b', undefined],
      ['and changed before we see it', undefined, '+ theirs'],
      ['and changed, with as much in the property', '- a\n- b', '- a\n- b\n+ theirs'],
    ])('what stood in it is taken in once it is back: %s', async (_, property, then) => {
      const issue = await newIssue(it);
      if (property) await issue.store(property);
      const held = [property, '- theirs'].filter(Boolean).join('\n');
      fields(issue.id)[OWN_FIELD] = held;
      await offScreen(async () => {
        await issue.edit(property ? tick(0, 'a') : add('ours'));
        await it.settled();
      });
      expect(fields(issue.id)[OWN_FIELD]).toBe(held);
      if (then) fields(issue.id)[OWN_FIELD] = then;
      await issue.edit(add('last'));
      await it.settled();
      const rows = (await issue.text()).split('\n').toSorted();
      const [ours, theirs] = [property ? ['+ a', '- b'] : ['- ours'], then ? '+ theirs' : '- theirs'];
      expect(rows).toEqual([...ours, theirs, '- last'].toSorted());
      expect(fields(issue.id)[OWN_FIELD]).toBe(await issue.text());
    });
  });

  test('a checklist that is too long for the field is told so', async () => {
    const issue = await newIssue(it);
    // The property has room for what the field has not.
    await issue.edit(update(`- ${'x'.repeat(30_000)}`));
    await it.settled();
    expect(await notices(issue)).toEqual([]);
    expect(fields(issue.id)[OWN_FIELD]).toBe(await issue.text());
  });

  describe('a foreign change', () => {
    const lines = (text: unknown) => String(text).trim().split('\n').toSorted();
    /** Writes the field as an account does; no event tells of it. */
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

    test('that an own write has overwritten since is in, from its own base', async () => {
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

    test('of several in a row each is a revision of its author, also where the event of one is lost or doubled', async () => {
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
      expect(lines((await issue.read()).text)).toEqual(['+ a', '+ b', '- c', '- theirs']);
      await work.quiet(issue, (await issue.read()).text);
    });

    test('made of an older text of ours undoes nothing that came since', async () => {
      const issue = await work.settledIssue('- a\n- b\n- c');
      await issue.edit(add('d'));
      await issue.edit(tick(0, 'a'));
      await issue.writeField('- a\n- b\n- c\n- theirs');
      expect(lines((await issue.read()).text)).toEqual(['+ a', '- b', '- c', '- d', '- theirs']);
      await work.quiet(issue, (await issue.read()).text);
    });

    test('back to what was there before counts, however soon', async () => {
      const issue = await work.settledIssue('- a');
      await issue.edit(tick(0, 'a'));
      await it.settled();
      await issue.writeField('- a');
      expect(await foreign(issue)).toEqual([['another-person', '- a']]);
      await work.quiet(issue, '- a');
    });

    test('is taken up once, also where the run that did it fails after that', async () => {
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
      ['whose changelog says no texts', (item: object) => ({ ...item, fromString: null, toString: null })],
      ['whose changelog is not readable', undefined],
    ])('%s is merged from the text that was last there', async (_what, changed) => {
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

    /** A foreign change that was overwritten since, more than a hundred entries ago. */
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
      ['refused', () => new Response('{}', { status: 403 })],
      ['not readable', () => new Response('{}')],
    ])('on a page of the changelog that is %s is found once it can be read', async (_what, answer) => {
      const issue = await longAgo();
      it.tracker.faults = [call => (nameOf(call) === 'read changelog' ? answer() : undefined)];
      await work.event(issue);
      expect(await it.background.work(it.jobs)).toHaveLength(1);
      it.tracker.faults = [];
      await it.settled();
      expect(await foreign(issue)).toEqual([['mallory', '+ a\n+ b']]);
      await work.quiet(issue, '+ a\n+ b');
    });

    test('is found beside an entry of the changelog that cannot be read', async () => {
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

    test('that empties the field clears nothing: it is filled again', async () => {
      const issue = await work.settledIssue('- a');
      await issue.writeField('');
      await work.quiet(issue, '- a');
      write(issue, '');
      write(issue, '- new');
      await work.event(issue);
      await it.settled();
      expect(lines((await issue.read()).text)).toEqual(['- a', '- new']);
      await work.quiet(issue, (await issue.read()).text);
    });

    const paragraph = (...content: unknown[]) => ({ type: 'paragraph', content });
    const words = (text: string) => ({ type: 'text', text });
    const item = (text: string) => ({ type: 'listItem', content: [paragraph(words(text))] });

    test('of a rich-text document is read as lines', async () => {
      const issue = await work.settledIssue('- a');
      write(issue, {
        ...{ type: 'doc', version: 1 },
        content: [paragraph(words('- a')), { type: 'bulletList', content: [item('b'), item('c')] }],
      });
      await work.event(issue);
      await it.settled();
      expect((await issue.read()).text.trim()).toBe('- a\n- b\n- c');
    });

    test('is told from another writing of what we wrote there', async () => {
      const issue = await work.settledIssue('- write the *whole* report\n- c');
      await issue.edit(tick(1, 'c'));
      const rendered = '* write the _whole_ report\n+ c';
      // The tracker stores, and tells, another writing of it.
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

    test('that comes while the field is not on the screen is found when it is back, with its author', async () => {
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

    test('is not missed where the tracker does not say which field is ours', async () => {
      const other = await startApp(use().store);
      const issue = await newIssue(other);
      other.tracker.faults = [({ path }) => (path === '/rest/api/2/field' ? 'down' : undefined)];
      await issue.edit(update('- a')).catch(() => {});
      const held = other.tracker.issues.get(issue.id);
      if (held) held.fields[OWN_FIELD] = '- theirs';
      await other.background.work(other.jobs);
      other.tracker.faults = [];
      await other.settled();
      expect(lines((await issue.read()).text)).toEqual(['- a', '- theirs']);
      expect(held?.fields[OWN_FIELD]).toBe((await issue.read()).text);
      await other.tenants.uninstall(other.tenant.id);
      await other.app.close();
    });

    test('that the checklist has no room for is left alone, a notice says so, and what is made of it is taken up', async () => {
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

  describe('an own write of the field', () => {
    const isLost = (call: { method: string; path: string }) => isFieldWrite({ ...call, body: undefined });

    test.each(['done', 'not done'])('without an answer, %s, is no foreign change', async done => {
      const issue = await work.settledIssue('- a\n- b');
      await issue.edit(tick(0, 'a'));
      if (done === 'done') it.tracker.lost = [isLost];
      else it.tracker.faults = [call => (isFieldWrite(call) ? 'down' : undefined)];
      expect(await it.background.work(it.jobs)).toHaveLength(1);
      it.tracker.lost = [];
      it.tracker.faults = [];
      await issue.edit(tick(0, 'a', 'todo'));
      await work.event(issue);
      await work.quiet(issue, '- a\n- b');
      expect(await work.history(issue)).toHaveLength(3);
    });

    test('that comes after a newer one is written over again', async () => {
      const issue = await work.settledIssue('- a');
      await issue.edit(tick(0, 'a'));
      await it.settled();
      await issue.edit(add('b'));
      await it.settled();
      write(issue, '+ a', ADDON_ACCOUNT);
      await work.event(issue, 'updated', ADDON_ACCOUNT);
      await work.quiet(issue, '+ a\n- b');
      expect(await work.history(issue)).toHaveLength(3);
    });
    const write = (issue: IssueWork, text: string, by: string) =>
      writeFields(work.held(issue), { [OWN_FIELD]: text }, by);

    test('of a change that is committed while it is under way is followed by another', async () => {
      const issue = await work.settledIssue('- a');
      await issue.edit(add('b'));
      let isChanged = false;
      it.tracker.meanwhile = [
        call => {
          if (isChanged || call.method !== 'PUT') return undefined;
          isChanged = true;
          return issue.edit(add('c'));
        },
      ];
      await it.settled();
      it.tracker.meanwhile = [];
      await work.quiet(issue, '- a\n- b\n- c');
    });
  });

  describe('an administrator', () => {
    const choose = (field: string | null, mirror = true) =>
      use().raw('update tenant set text_field = $1, mirror = $2', [field, mirror]);

    test('may choose another field', async () => {
      await choose(RIVAL_FIELD);
      const issue = await newIssue(it);
      await issue.edit(add('a'));
      await it.settled();
      expect(fields(issue.id)).toMatchObject({ [RIVAL_FIELD]: '- a', [OWN_FIELD]: null });
      await choose(null);
    });

    test('may choose none', async () => {
      await choose(null, false);
      const issue = await newIssue(it);
      await issue.edit(add('a'));
      await it.settled();
      await it.sync.recover();
      await it.settled();
      expect(fields(issue.id)).toMatchObject({ [RIVAL_FIELD]: null, [OWN_FIELD]: null });
      await choose(null);
    });

    test('who chooses a field that holds something loses nothing of it', async () => {
      const issue = await newIssue(it);
      await issue.edit(update('- ours'));
      await it.settled();
      await choose(RIVAL_FIELD);
      fields(issue.id)[RIVAL_FIELD] = '- theirs';
      await issue.edit(tick(0, 'ours'));
      await it.settled();
      expect((await issue.text()).split('\n').sort()).toEqual(['+ ours', '- theirs']);
      expect(fields(issue.id)[RIVAL_FIELD]).toBe(await issue.text());
      await choose(null);
    });
  });
});
