import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { storage } from '../../../src/domain/messages.ts';
import { CHANNEL } from '../../../src/server/store/live-events.ts';
import { startAgain, startApp } from '../support/app.ts';
import { add, type IssueWork, newIssue } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { linesOf, onSync } from '../support/sync.ts';
import { type Fault, OWN_FIELD, RIVAL_FIELD, writeFields } from '../support/tracker.ts';

const MINUTE = 60_000;

/** Copies that the tracker refuses for a time, without a change of the checklist afterwards. */
onSync(({ use, it, work }) => {
  beforeEach(() => provokes({ errors: /CopyRefused/, retries: true }));

  const isWrite: Record<string, (call: Parameters<Fault>[0]) => boolean> = {
    property: ({ method, path }) => method === 'PUT' && path.includes('/properties/'),
    field: ({ method, path }) => method === 'PUT' && /\/issue\/\d+$/.test(path),
  };
  const refuse = (copy: string, status: number) => {
    it.tracker.faults = [call => (isWrite[copy]?.(call) ? new Response('{}', { status }) : undefined)];
  };
  async function ofSite() {
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('No tenant.');
    return it.sync.of(tenant);
  }
  const states = (issue: IssueWork) =>
    use().raw('select property_refused, field_refused, property_tries, field_tries from sync where issue = $1', [
      issue.id,
    ]);
  /** Lets the time of the next try come. */
  async function pass(issue: IssueWork) {
    await use().raw('update sync set property_retry = now(), field_retry = now() where issue = $1', [issue.id]);
    it.background.pass();
    await it.settled();
  }

  describe.each(['property', 'field'])('the %s', copy => {
    test.each([400, 401, 403, 404, 405, 409, 413, 415])(
      'refused with %d is written once the tracker takes it',
      async status => {
        const issue = await work.settledIssue('- a');
        refuse(copy, status);
        const errors = it.logged.length;
        await issue.edit(add('b'));
        await it.settled();
        const reason = status === 401 || status === 403 ? 'forbidden' : 'refused';
        expect(await states(issue)).toMatchObject([{ [`${copy}_refused`]: reason, [`${copy}_tries`]: 1 }]);
        expect(it.logged.slice(errors).filter(line => line.includes('CopyRefused'))).toHaveLength(1);
        const notice = { property: storage.propertyRefused(status), field: storage.fieldRefused }[copy];
        expect((await issue.read()).copyNotice).toBe(notice);
        const metrics = await it.metrics.registry.metrics();
        expect(metrics).toMatch(new RegExp(`copies_refused\\{copy="${copy}",reason="${reason}"\\} [1-9]`));
        it.tracker.faults = [];
        await pass(issue);
        await work.quiet(issue, '- a\n- b');
        const { notices, copyNotice } = await issue.read();
        expect([notices, copyNotice]).toEqual([[], undefined]);
        expect(await states(issue)).toMatchObject([{ [`${copy}_refused`]: null, [`${copy}_tries`]: 0 }]);
      },
    );

    test('refused or taken again notifies open panels, once each', async () => {
      const issue = await work.settledIssue('- a');
      const notified: unknown[] = [];
      const stop = await use().store.listen(
        CHANNEL,
        payload => {
          const { kind, issue: id, seq } = JSON.parse(payload);
          if (kind === 'checklist' && id === issue.id && seq === undefined) notified.push(payload);
        },
        () => {},
      );
      onTestFinished(stop);
      refuse(copy, 403);
      await issue.edit(add('b'));
      await it.settled();
      await expect.poll(() => notified.length).toBe(1);
      await pass(issue);
      it.tracker.faults = [];
      await pass(issue);
      await work.quiet(issue, '- a\n- b');
      await expect.poll(() => notified.length).toBe(2);
    });

    test('refused for long is tried at growing pauses, and one line of the log', async () => {
      const issue = await work.settledIssue('- a');
      refuse(copy, 403);
      await issue.edit(add('b'));
      const pauses: number[] = [];
      const errors = it.logged.length;
      await it.settled();
      for (let tries = 0; tries < 10; tries += 1) {
        pauses.push(Math.round((it.background.later()[0]?.after ?? 0) / MINUTE));
        const calls = await work.callsOf(() => pass(issue));
        // The field once with mail to watchers and once without: what is refused may be either.
        expect(calls).toEqual(copy === 'field' ? ['write field', 'write field'] : ['write property']);
      }
      expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 360, 360]);
      expect(it.logged.slice(errors).filter(line => line.includes('CopyRefused'))).toHaveLength(1);
      it.tracker.faults = [];
      await pass(issue);
      await work.quiet(issue, '- a\n- b');
    });

    test('refused while the issue is read again and again is tried each time, and after minutes', async () => {
      const issue = await work.settledIssue('- a');
      refuse(copy, 403);
      const errors = it.logged.length;
      await issue.edit(add('b'));
      await it.settled();
      for (let reads = 0; reads < 8; reads += 1) {
        await work.event(issue);
        expect(await work.callsOf(it.settled)).toContain(`write ${copy}`);
      }
      expect(Math.round((it.background.later()[0]?.after ?? 0) / MINUTE)).toBeLessThanOrEqual(4);
      expect(it.logged.slice(errors).filter(line => line.includes('CopyRefused'))).toHaveLength(1);
      it.tracker.faults = [];
      await pass(issue);
      await work.quiet(issue, '- a\n- b');
    });

    test.each<[string, (issue: IssueWork) => Promise<unknown>]>([
      ['changed', async issue => issue.edit(add('c'))],
      ['equalized', async issue => (await ofSite()).equalize(issue.id)],
      ['read and made due', async issue => (await ofSite()).refresh(issue.id)],
    ])('refused while the issue is %s again and again is tried each time, and after minutes', async (_name, does) => {
      const issue = await work.settledIssue('- a');
      refuse(copy, 403);
      await issue.edit(add('b'));
      await it.settled();
      for (let times = 0; times < 6; times += 1) {
        expect(
          await work.callsOf(async () => {
            await does(issue);
            await it.settled();
          }),
        ).toContain(`write ${copy}`);
      }
      expect(Math.round((it.background.later()[0]?.after ?? 0) / MINUTE)).toBe(2);
      it.tracker.faults = [];
      await pass(issue);
      await pass(issue);
      await work.quiet(issue, (await issue.read()).text);
    });

    test('refused, and its job lost: the search for lost work keeps the time of the next try', async () => {
      const issue = await work.settledIssue('- a');
      refuse(copy, 403);
      await issue.edit(add('b'));
      await it.settled();
      it.background.lose();
      await it.sync.recover();
      expect(it.background.waiting()).not.toContain('sync');
      expect(it.background.later()).toContainEqual(expect.objectContaining({ name: 'sync', key: issue.id }));
      it.tracker.faults = [];
      await pass(issue);
      await work.quiet(issue, '- a\n- b');
    });

    test('that lacks the newest revision without a job is found by the search for lost work', async () => {
      const issue = await work.settledIssue('- a');
      await issue.edit(add('b'));
      it.background.lose();
      await it.sync.recover();
      await it.settled();
      await work.quiet(issue, '- a\n- b');
    });
  });

  test('a refused copy of an issue that is no longer shown is still counted, without a time', async () => {
    const issue = await work.settledIssue('- a');
    refuse('field', 403);
    await issue.edit(add('b'));
    await it.settled();
    const counted = async () =>
      /copies_refused\{copy="field",reason="forbidden"\} (\d+)/.exec(await it.metrics.registry.metrics());
    const before = (await counted())?.[1];
    it.tracker.faults = [
      ({ path }) => (path.includes(`/issue/${issue.id}`) ? new Response('{}', { status: 404 }) : undefined),
    ];
    await work.event(issue);
    await it.settled();
    expect(
      await use().raw('select 1 as one from sync where issue = $1 and missing is not null', [issue.id]),
    ).toHaveLength(1);
    expect((await counted())?.[1]).toBe(before);
    await use().raw('delete from sync where missing is not null');
  });

  test('refused copies of a site that uninstalled the app are not counted', async () => {
    const other = await startApp(use().store);
    onTestFinished(() => other.app.close());
    const issue = await newIssue(other);
    await issue.edit(add('a'));
    await other.settled();
    const counted = async () => {
      const counts = /copies_refused\{copy="field",reason="refused"\} (\d+)/.exec(await it.metrics.registry.metrics());
      return Number(counts?.[1]);
    };
    const before = await counted();
    other.tracker.faults = [
      ({ method, path }) =>
        method === 'PUT' && /\/issue\/\d+$/.test(path) ? new Response('{}', { status: 409 }) : undefined,
    ];
    await issue.edit(add('b'));
    await other.settled();
    expect(await counted()).toBe(before + 1);
    await other.tenants.uninstall(other.tenant.id);
    expect(await counted()).toBe(before);
  });

  describe('a refused read', () => {
    const refuseReads = (issue: IssueWork, status: number) => {
      it.tracker.faults = [
        ({ method, path }) =>
          method === 'GET' && path.endsWith(`/issue/${issue.id}`) ? new Response('{}', { status }) : undefined,
      ];
    };

    test.each([400, 401, 410, 451])('with %d is a state with growing pauses and one line of the log', async status => {
      const issue = await work.settledIssue('- a');
      refuseReads(issue, status);
      const errors = it.logged.length;
      await issue.edit(add('b'));
      await work.event(issue);
      await it.settled();
      const reason = status === 401 ? 'forbidden' : 'refused';
      expect(await states(issue)).toMatchObject([{ property_refused: reason, property_tries: 1 }]);
      expect((await issue.read()).copyNotice).toBe(storage.propertyRefused(status));
      expect(await it.metrics.registry.metrics()).toMatch(
        new RegExp(`copies_refused\\{copy="property",reason="${reason}"\\} [1-9]`),
      );
      const pauses: number[] = [];
      for (let tries = 0; tries < 4; tries += 1) {
        pauses.push(Math.round((it.background.later()[0]?.after ?? 0) / MINUTE));
        expect(await work.callsOf(() => pass(issue))).toEqual(['read issue']);
      }
      expect(pauses).toEqual([2, 4, 8, 16]);
      for (let reads = 0; reads < 3; reads += 1) {
        await work.event(issue);
        await it.settled();
      }
      expect(await states(issue)).toMatchObject([{ property_tries: 5, field_refused: reason }]);
      expect(it.logged.slice(errors).filter(line => line.includes('CopyRefused'))).toHaveLength(1);
      it.background.lose();
      await it.sync.recover();
      expect(it.background.waiting()).not.toContain('sync');
      it.tracker.faults = [];
      await pass(issue);
      await work.quiet(issue, '- a\n- b');
      expect(await states(issue)).toMatchObject([{ property_refused: null, property_tries: 0, field_refused: null }]);
    });

    test('is tried at once with the next change', async () => {
      const issue = await work.settledIssue('- a');
      refuseReads(issue, 410);
      await work.event(issue);
      await it.settled();
      it.tracker.faults = [];
      await issue.edit(add('b'));
      await it.settled();
      await work.quiet(issue, '- a\n- b');
    });

    test('of an issue whose copies are not written leaves no refusal', async () => {
      const issue = await newIssue(it);
      work.held(issue).fields[RIVAL_FIELD] = '- theirs';
      await issue.read();
      refuseReads(issue, 410);
      await work.event(issue);
      await it.settled();
      it.tracker.faults = [];
      await work.event(issue);
      await it.settled();
      expect(await states(issue)).toMatchObject([{ property_refused: null, property_tries: 0 }]);
    });

    test('by a project that denies the app for a moment is repeated without a sweep', async () => {
      const issue = await work.settledIssue('- a');
      refuseReads(issue, 403);
      await issue.edit(add('b'));
      await work.event(issue);
      await it.settled();
      it.tracker.faults = [];
      expect(it.background.later()).toContainEqual(expect.objectContaining({ name: 'sync', key: issue.id }));
      await pass(issue);
      await work.quiet(issue, '- a\n- b');
    });

    test('by a project that denies the app is a state of copies that are due, until the app may read it', async () => {
      const [issue, unchanged] = [await work.settledIssue('- a'), await work.settledIssue('- a')];
      it.tracker.faults = [
        ({ path }) =>
          [issue, unchanged].some(({ id }) => path.includes(`/issue/${id}`))
            ? new Response('{}', { status: 403 })
            : undefined,
      ];
      const errors = it.logged.length;
      await issue.edit(add('b'));
      for (const each of [issue, unchanged, issue]) {
        await work.event(each);
        await it.settled();
      }
      expect(await states(issue)).toMatchObject([
        { property_refused: 'forbidden', property_tries: 1, field_refused: 'forbidden' },
      ]);
      expect(await states(unchanged)).toMatchObject([{ property_refused: null, field_refused: null }]);
      expect((await issue.read()).copyNotice).toBe(storage.propertyRefused(403));
      expect(await it.metrics.registry.metrics()).toMatch(/copies_refused\{copy="property",reason="forbidden"\} [1-9]/);
      expect(it.logged.slice(errors).filter(line => line.includes('CopyRefused'))).toHaveLength(1);
      it.tracker.faults = [];
      await pass(issue);
      await pass(unchanged);
      await it.jobs.sweep({ tenant: it.tenant.id }, { signal: new AbortController().signal, lastTry: false });
      await it.settled();
      await work.quiet(issue, '- a\n- b');
      expect(await states(issue)).toMatchObject([{ property_refused: null, property_tries: 0, field_refused: null }]);
    });
  });

  describe('a refused list of fields', () => {
    /** Starts another process, which has not looked up the field, while the tracker refuses to list the fields. */
    async function refuseFields(status: number) {
      const another = await startAgain(it, {
        store: use().store,
        send: it.tracker.fetch,
        background: it.background,
      });
      onTestFinished(() => another.app.close());
      it.tracker.faults = [({ path }) => (path === '/rest/api/2/field' ? new Response('{}', { status }) : undefined)];
      return another;
    }

    test.each([403, 404, 410])('with %d keeps nothing but the field from being written', async status => {
      const issue = await work.settledIssue('- a');
      const another = await refuseFields(status);
      const errors = another.logged.length;
      await issue.edit(add('b'));
      await another.settled();
      expect(await issue.stored()).toMatchObject({ text: '- a\n- b' });
      const refused = { property_refused: null, field_refused: status === 403 ? 'forbidden' : 'refused' };
      expect(await states(issue)).toMatchObject([{ ...refused, field_tries: 1 }]);
      expect(await use().raw('select missing from sync where issue = $1', [issue.id])).toEqual([{ missing: null }]);
      expect(another.logged.slice(errors).filter(line => line.includes('CopyRefused'))).toHaveLength(1);
      expect(Math.round((it.background.later()[0]?.after ?? 0) / MINUTE)).toBe(2);
      it.tracker.faults = [];
      await pass(issue);
      await work.quiet(issue, '- a\n- b');
    });

    test('leaves foreign changes of the field to its next try', async () => {
      const issue = await work.settledIssue('- a');
      const another = await refuseFields(403);
      writeFields(work.held(issue), { [OWN_FIELD]: '- a\n- theirs' }, 'mallory');
      await work.event(issue);
      await another.settled();
      await issue.edit(add('b'));
      await another.settled();
      expect(await issue.stored()).toMatchObject({ text: '- a\n- b' });
      it.tracker.faults = [];
      await pass(issue);
      const { text } = await issue.read();
      expect(linesOf(text)).toEqual(['- a', '- b', '- theirs']);
      await work.quiet(issue, text);
    });

    test('keeps no sweep from comparing properties', async () => {
      const issue = await work.settledIssue('- a');
      const another = await refuseFields(403);
      work.place(issue, '- a\n- theirs');
      const run = { signal: new AbortController().signal, lastTry: false };
      await expect(another.jobs.sweep({ tenant: it.tenant.id }, run)).rejects.toThrow('changelogs of fields');
      await another.settled();
      it.tracker.faults = [];
      await pass(issue);
      expect((await issue.read()).text).toBe('- a\n- theirs');
      await work.quiet(issue, '- a\n- theirs');
    });
  });

  test('a 404 to a call that is not of the issue makes no missing issue', async () => {
    const issue = await work.settledIssue('- a');
    work.place(issue, { v: 1, text: '- a\n- theirs' });
    await work.event(issue, 'property');
    await it.settled();
    let swaps = 0;
    it.tracker.faults = [
      ({ path }) => {
        if (!path.startsWith('/rest/api/3/issue/properties/')) return undefined;
        swaps += 1;
        return new Response('{}', { status: 404 });
      },
    ];
    await issue.edit(add('b'));
    await work.event(issue, 'property');
    await it.settled();
    expect(swaps).toBe(1);
    expect(await use().raw('select missing, property_refused from sync where issue = $1', [issue.id])).toEqual([
      { missing: null, property_refused: 'refused' },
    ]);
  });

  test('a field off the screen is looked for after an hour, with one read', async () => {
    const issue = await work.settledIssue('- a');
    const { [OWN_FIELD]: name = '', ...others } = it.tracker.names;
    it.tracker.names = others;
    await use().raw('update sync set field = null, field_text = null where issue = $1', [issue.id]);
    await issue.edit(add('b'));
    await it.settled();
    expect(await states(issue)).toMatchObject([{ field_refused: 'screen' }]);
    const { notices, copyNotice } = await issue.read();
    expect([notices, copyNotice]).toEqual([[storage.fieldNotOnScreen], undefined]);
    expect(Math.round((it.background.later()[0]?.after ?? 0) / MINUTE)).toBe(60);
    expect(await work.callsOf(() => pass(issue))).toEqual(['read issue']);
    it.tracker.names = { ...others, [OWN_FIELD]: name };
    await pass(issue);
    await work.quiet(issue, '- a\n- b');
  });

  test('refused copies do not keep an administrator from choosing another field', async () => {
    const issue = await work.settledIssue('- a');
    refuse('field', 403);
    await issue.edit(add('b'));
    await it.settled();
    expect(await it.sync.finish(it.tenant.id)).toBe(false);
    it.tracker.faults = [];
    await it.settled();
    await work.quiet(issue, '- a\n- b');
  });

  test('the sweep makes a copy due that lacks the newest revision, and costs it no further read', async () => {
    const issue = await work.settledIssue('- a');
    await issue.edit(add('b'));
    it.background.lose();
    await use().raw('update sync set property_written = null, field_written = null where issue = $1', [issue.id]);
    await it.jobs.sweep({ tenant: it.tenant.id }, { signal: new AbortController().signal, lastTry: false });
    expect((await work.callsOf(it.settled)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'write field',
      'write property',
    ]);
    await work.quiet(issue, '- a\n- b');
  });
});
