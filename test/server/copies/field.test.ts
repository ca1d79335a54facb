import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { storage } from '../../../src/domain/messages.ts';
import { mailedProjects } from '../../../src/server/copies/records/mailed-projects.ts';
import { startAgain } from '../support/app.ts';
import { add, type IssueWork, newIssue, tick, update } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { nameOf, onSync } from '../support/sync.ts';
import { ADDON_ACCOUNT, type Fault, OWN_FIELD, RIVAL_FIELD, writeFields } from '../support/tracker.ts';

/** Own writes of the text field. */
onSync(({ use, it, work }) => {
  afterEach(() => {
    it.tracker.onFields = async () => {};
  });

  const fields = (id: string) => it.tracker.issues.get(id)?.fields ?? {};
  const isFieldWrite: (call: Parameters<Fault>[0]) => boolean = ({ method, path }) =>
    method === 'PUT' && !path.includes('properties');
  const fieldWrites = (id: string) =>
    it.tracker.calls.filter(call => isFieldWrite(call) && call.path === `/rest/api/2/issue/${id}`);

  /** Runs the waiting jobs while the tracker answers writes of fields with this. */
  async function settledWith(status: number, body: unknown): Promise<unknown[]> {
    it.tracker.faults.push(call => (isFieldWrite(call) ? new Response(JSON.stringify(body), { status }) : undefined));
    try {
      return await it.background.work(it.jobs);
    } finally {
      it.tracker.faults.length = 0;
    }
  }

  const notices = async (issue: IssueWork) => (await issue.read()).notices;

  test('a change does not wait for the field, and several changes are one write', async () => {
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

  test('a field that differs only in rich-text formatting is not written again', async () => {
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
  ])('refused with %d %j: a later try, and a notice until a write succeeds', async (status, body, notice) => {
    provokes({ errors: /CopyRefused/, retries: true });
    const issue = await newIssue(it);
    await issue.edit(add('a'));
    expect(await settledWith(status, body)).toEqual([]);
    expect(it.background.waiting()).toEqual([]);
    expect(it.background.later()).toMatchObject([{ name: 'sync', key: issue.id }]);
    expect(await issue.text()).toContain('a');
    expect(await notices(issue)).toEqual([notice]);
    expect((await issue.edit(add('b'))).notices).toEqual([notice]);
    await it.settled();
    expect(fields(issue.id)[OWN_FIELD]).toBe(await issue.text());
    expect(await notices(issue)).toEqual([]);
  });

  describe('where the app does not administer the project', () => {
    afterEach(() => {
      it.tracker.isRestricted = false;
    });
    const writes = (issue: IssueWork, work: () => Promise<unknown>) => {
      const before = fieldWrites(issue.id).length;
      return work().then(() => fieldWrites(issue.id).length - before);
    };

    test('it is written with mail to watchers, and from then on by one call', async () => {
      it.tracker.isRestricted = true;
      const issue = await newIssue(it);
      await issue.edit(add('a'));
      expect(await writes(issue, it.settled)).toBe(2);
      expect(fields(issue.id)[OWN_FIELD]).toBe(await issue.text());
      expect(await notices(issue)).toEqual([]);
      // Another issue of the same project.
      const other = await newIssue(it);
      await other.edit(add('b'));
      expect(await writes(other, it.settled)).toBe(1);
      expect(fields(other.id)[OWN_FIELD]).toBe(await other.text());
    });

    test('administrators see the project until a write without mail succeeds', async () => {
      const mailed = async () =>
        use().store.tenant(it.tenant.id, async tx => [
          await mailedProjects(tx, it.tenant.id, null),
          await mailedProjects(tx, it.tenant.id, OTHER_PROJECT),
        ]);
      it.tracker.isRestricted = true;
      const issue = await newIssue(it);
      await issue.edit(add('a'));
      await it.settled();
      const [[project = ''] = []] = await mailed();
      expect(await mailed()).toEqual([[project], []]);
      expect(project).toMatch(/^[A-Z]+$/);
      it.tracker.isRestricted = false;
      await issue.edit(add('b'));
      // Another process asks again at once, this one after a day.
      const another = await startAgain(it, {
        store: use().store,
        send: it.tracker.fetch,
        background: it.background,
      });
      onTestFinished(() => another.app.close());
      await another.settled();
      expect(await mailed()).toEqual([[], []]);
    });
  });

  test.each([429, 500, 503])('a write answered with %d is retried later', async status => {
    const issue = await newIssue(it);
    await issue.edit(add('a'));
    expect(await settledWith(status, {})).toHaveLength(1);
    expect(await notices(issue)).toEqual([]);
    it.elapse(3_600_000);
    await it.settled();
    expect(fields(issue.id)[OWN_FIELD]).toBe(await issue.text());
  });

  test('an issue whose screens lack the field gets a notice, without a write', async () => {
    const issue = await newIssue(it);
    const { [OWN_FIELD]: name, ...others } = it.tracker.names;
    it.tracker.names = others;
    await issue.edit(add('a'));
    await it.settled();
    expect(await notices(issue)).toEqual([storage.fieldNotOnScreen]);
    it.tracker.names = { ...others, [OWN_FIELD]: name ?? '' };
    expect(fieldWrites(issue.id)).toHaveLength(0);
  });

  describe('whose last write was refused', () => {
    const refusal = {
      errors: { [OWN_FIELD]: `Field '${OWN_FIELD}' cannot be set. It is not on the appropriate screen, or unknown.` },
    };

    test('is written at the next read, without another change', async () => {
      const issue = await work.settledIssue('- a');
      await work.event(issue);
      await it.settled();
      await issue.edit(tick(0, 'a'));
      expect(await settledWith(400, refusal)).toEqual([]);
      expect([fields(issue.id)[OWN_FIELD], await notices(issue)]).toEqual(['- a', [storage.fieldNotOnScreen]]);
      await work.event(issue);
      await work.quiet(issue, '+ a');
      expect(await notices(issue)).toEqual([]);
    });

    test('and is refused again costs one write for a read', async () => {
      const issue = await work.settledIssue('- a');
      await work.event(issue);
      await it.settled();
      await issue.edit(tick(0, 'a'));
      const calls = await work.callsOf(async () => {
        await settledWith(400, refusal);
        await work.event(issue);
        expect(await settledWith(400, refusal)).toEqual([]);
      });
      expect(calls.filter(call => call === 'write field')).toHaveLength(2);
      expect(it.background.waiting()).toEqual([]);
      expect(await notices(issue)).toEqual([storage.fieldNotOnScreen]);
    });
  });

  describe('with the field off the screen at the first write of an issue', () => {
    /** Takes the field off the screens of all issues during some work. */
    async function offScreen(work: () => Promise<unknown>) {
      const { [OWN_FIELD]: name, ...others } = it.tracker.names;
      it.tracker.names = others;
      await work();
      it.tracker.names = { ...others, [OWN_FIELD]: name ?? '' };
    }

    test.each([
      ['no other text', undefined, undefined],
      ['with a text in the property', '- a\n- b', undefined],
      ['changed before it is read', undefined, '+ theirs'],
      ['changed, with a text in the property', '- a\n- b', '- a\n- b\n+ theirs'],
    ])("the field's text is merged once it is back: %s", async (_, property, then) => {
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

  test('a long checklist is written to the field without a notice', async () => {
    const issue = await newIssue(it);
    await issue.edit(update(`- ${'x'.repeat(30_000)}`));
    await it.settled();
    expect(await notices(issue)).toEqual([]);
    expect(fields(issue.id)[OWN_FIELD]).toBe(await issue.text());
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

    test('that arrives after a newer one is overwritten again', async () => {
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

    test('during which a change is committed is followed by another', async () => {
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

  test('is written after a first change that is made while the issue is read', async () => {
    const issue = await newIssue(it);
    work.held(issue).fields[OWN_FIELD] = '- a';
    await issue.read();
    await work.event(issue);
    let isChanged = false;
    it.tracker.meanwhile = [
      call => {
        if (isChanged || nameOf(call) !== 'read issue') return undefined;
        isChanged = true;
        return issue.edit(add('b'));
      },
    ];
    await it.settled();
    it.tracker.meanwhile = [];
    await work.quiet(issue, '- a\n- b');
  });

  describe('an administrator', () => {
    const choose = (field: string | null, mirror = true) =>
      use().raw('update tenant set text_field = $1, mirror = $2', [field, mirror]);
    // The fields of earlier issues are written with their next change.
    beforeEach(() => provokes({ differences: true }));

    test('can choose another field', async () => {
      await choose(RIVAL_FIELD);
      const issue = await newIssue(it);
      await issue.edit(add('a'));
      await it.settled();
      expect(fields(issue.id)).toMatchObject({ [RIVAL_FIELD]: '- a', [OWN_FIELD]: null });
      await choose(null);
    });

    test('can choose no field', async () => {
      await choose(null, false);
      const issue = await newIssue(it);
      await issue.edit(add('a'));
      await it.settled();
      await it.sync.recover();
      await it.settled();
      expect(fields(issue.id)).toMatchObject({ [RIVAL_FIELD]: null, [OWN_FIELD]: null });
      await choose(null);
    });

    test('can choose a field with content, which is merged', async () => {
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
