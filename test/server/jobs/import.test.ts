import { expect, test, vi } from 'vitest';
import { jobs } from '../../../src/domain/messages.ts';
import { newIssue, update } from '../support/checklists.ts';
import { jobsOf } from '../support/jobs.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import { isPropertyWrite, OWN_FIELD, RIVAL_FIELD } from '../support/tracker.ts';
import { ADMIN, OURS, RIVAL, wideOf } from '../support/wide.ts';

// Each test runs a whole job.
vi.setConfig({ testTimeout: 30_000 });

onStore(use => {
  const wide = wideOf(use);

  test("an imported checklist is in the app's notation, in the property and in the history, by the job's account", async () => {
    const { admin, withRival, fieldsOf, ended, revisions } = wide;
    const [issue] = await withRival(1);
    const { job } = await admin.import();
    expect(await ended(job?.id)).toMatchObject({ done: 1 });
    expect(await issue?.text()).toBe(OURS);
    expect(fieldsOf(issue?.id ?? '')).toMatchObject({ [RIVAL_FIELD]: RIVAL, [OWN_FIELD]: OURS });
    expect(await revisions()).toMatchObject([{ account: 'admin', kind: 'updateChecklistFromText', text: OURS }]);
  });

  test("the rival's property is imported where there is no field, and other properties are not", async () => {
    const { it, admin, ended } = wide;
    const [one, two, three] = [await newIssue(it), await newIssue(it), await newIssue(it)];
    Object.assign(it.tracker.issues.get(one.id)?.properties ?? {}, {
      checklist: { items: '[x] Review\nTest', allItems: 2 },
    });
    Object.assign(it.tracker.issues.get(two.id)?.properties ?? {}, { checklist: [{ name: 'Step', checked: true }] });
    const { job } = await admin.import();
    expect(await ended(job?.id)).toMatchObject({ seen: 3, done: 1, skipped: 2 });
    expect(await one.text()).toBe('+ Review\n- Test');
    expect([await two.stored(), await three.stored()]).toEqual([undefined, undefined]);
  });

  test.each([
    ['OVERRIDE', OURS, OURS],
    ['APPEND', `- Mine\n${OURS}`, OURS],
    ['ONLY_EMPTY', '- Mine', OURS],
  ])('import with %s, with and without an existing checklist', async (mode, there, none) => {
    const { it, admin, withRival, ended } = wide;
    const [filled, empty] = await withRival(2);
    await filled?.edit(update('- Mine\n'));
    await it.settled();
    const { job } = await admin.import({ mode });
    await ended(job?.id);
    expect((await filled?.text())?.trimEnd()).toBe(there);
    expect(await empty?.text()).toBe(none);
  });

  test("a repeated import keeps later changes, and merges changes of the rival's checklist", async () => {
    const { it, admin, withRival, fieldsOf, ended } = wide;
    const [issue] = await withRival(1);
    await admin.import();
    await it.settled();
    await issue?.edit(update(`${OURS}\n- And more`));
    it.tracker.granted.set('other', ADMIN);
    const again = await jobsOf(it, 'other').import();
    expect(await ended(again.job?.id)).toMatchObject({ done: 0, skipped: 1 });
    expect(await issue?.text()).toBe(`${OURS}\n- And more`);

    fieldsOf(issue?.id ?? '')[RIVAL_FIELD] = 'New';
    await admin.import({ mode: 'APPEND' });
    await it.settled();
    expect(await issue?.text()).toBe(`${OURS}\n- And more\n- New`);
  });

  test("repeated changes back and forth in the rival's checklist are each imported", async () => {
    const { it, admin, withRival, fieldsOf } = wide;
    const [issue] = await withRival(1);
    for (const text of ['A', 'B', 'A', 'B']) {
      fieldsOf(issue?.id ?? '')[RIVAL_FIELD] = text;
      await admin.import({ mode: 'OVERRIDE' });
      await it.settled();
      expect(await issue?.text()).toBe(`- ${text}`);
    }
  });

  test('an import of one issue says what it did, or why there was nothing to do', async () => {
    const { it, admin, withRival, ended } = wide;
    const [issue] = await withRival(1);
    const empty = await newIssue(it);
    const said = async (issueId: string | undefined, mode: string) => {
      const { job } = await admin.import({ issueId, mode });
      return (await ended(job?.id)).log.map(({ message }) => message);
    };
    expect(await said(issue?.id, 'APPEND')).toEqual([expect.stringMatching(/^\d items? imported\./)]);
    expect(await said(issue?.id, 'APPEND')).toEqual([jobs.importedBefore]);
    expect(await said(issue?.id, 'OVERRIDE')).toEqual([jobs.sameItems]);
    expect(await said(empty.id, 'APPEND')).toEqual([jobs.noSource]);
    const { job } = await admin.synchronize({ issueId: empty.id });
    expect((await ended(job?.id)).log.map(({ message }) => message)).toEqual([jobs.noChecklist]);
  });

  test('for one issue, a repeated import fills an emptied checklist, or replaces it', async () => {
    const { it, admin, withRival } = wide;
    const [issue] = await withRival(1);
    const issueId = issue?.id ?? '';
    const imported = async (mode: string) => {
      await admin.import({ issueId, mode });
      await it.settled();
      return (await issue?.text())?.trimEnd();
    };
    expect(await imported('APPEND')).toBe(OURS);
    expect(await imported('APPEND')).toBe(OURS);
    await issue?.edit(update('- Mine\n'));
    expect(await imported('APPEND')).toBe('- Mine');
    expect(await imported('OVERRIDE')).toBe(OURS);
    await issue?.edit({ kind: 'clearChecklist' });
    expect(await imported('APPEND')).toBe(OURS);
  });

  test('a dry run reports the effects and changes nothing', async () => {
    const { it, admin, withRival, ended, revisions } = wide;
    const issues = await withRival(2);
    await newIssue(it);
    const writes = () => it.tracker.calls.filter(({ method, path }) => method === 'PUT' || path.includes('properties'));
    const before = writes().length;
    const { job } = await admin.import({ dryRun: true });
    expect(await ended(job?.id)).toMatchObject({
      ...{ state: 'DONE', dryRun: true, seen: 3, done: 2, skipped: 1 },
      log: issues.map(({ id }) => ({ issue: `P-${id}`, message: '3 items would be imported.' })),
    });
    expect(writes()).toHaveLength(before);
    expect(await revisions()).toEqual([]);
    expect(await use().raw('select 1 from imported where tenant = $1', [it.tenant.id])).toEqual([]);
  });

  test('an issue that refuses is reported and skipped, the others continue', async () => {
    const { it, admin, withRival, fieldsOf, ended } = wide;
    const [one, two, three] = await withRival(3);
    fieldsOf(two?.id ?? '')[RIVAL_FIELD] = 'x'.repeat(33_000);
    it.tracker.faults.push(({ method, path }) =>
      method === 'GET' && path === `/rest/api/2/issue/${three?.id}` ? new Response('{}', { status: 403 }) : undefined,
    );
    const { job } = await admin.import();
    expect(await ended(job?.id)).toMatchObject({
      ...{ state: 'DONE', done: 1, failed: 2 },
      log: [
        { issue: `P-${one?.id}`, message: '3 items imported.' },
        { issue: `P-${two?.id}`, message: expect.stringContaining('too large') },
        { issue: `P-${three?.id}`, message: expect.stringContaining('permission') },
      ],
    });
  });

  test('an issue whose property cannot be written is imported, too', async () => {
    provokes({ errors: /CopyRefused/, retries: true });
    const { it, admin, withRival, ended } = wide;
    const [issue] = await withRival(1);
    it.tracker.faults.push(call => (isPropertyWrite(call) ? new Response('{}', { status: 403 }) : undefined));
    const { job } = await admin.import();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', done: 1, failed: 0 });
    const reading = await issue?.read();
    expect([reading?.text, reading?.notices]).toEqual([OURS, [expect.stringContaining('error 403')]]);
  });
});
