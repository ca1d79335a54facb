import { describe, expect, test } from 'vitest';
import { storage } from '../../../src/domain/messages.ts';
import { writeJson } from '../../../src/server/platform/json.ts';
import { add, newIssue, update } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { linesOf, onSync, PROPERTY } from '../support/sync.ts';
import { isPropertyWrite } from '../support/tracker.ts';

/** Values without room in the property, and refused property writes. */
onSync(({ use, it, work }) => {
  test('a foreign value nested thousands deep is moved, and its issue stays writable', async () => {
    const depth = 16_000;
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const issue = await newIssue(it);
    let [isHeld, kept] = [true, ''];
    const written = (value: unknown) => {
      isHeld = false;
      work.place(issue, value);
    };
    it.tracker.faults = [
      ({ method, path, body }) => {
        if (method === 'PUT' && path.endsWith('.foreign')) {
          kept = writeJson(body);
          return new Response('{}');
        }
        if (method === 'PUT' && path.startsWith('/rest/api/3/issue/properties/')) {
          written(Object(body).value);
          return new Response('{}', { status: 303 });
        }
        if (method === 'PUT' && path.includes('/properties/')) written(body);
        if (method !== 'GET' || !path.endsWith(`/issue/${issue.id}`) || !isHeld) return undefined;
        const names = `"id":"${issue.id}","key":"PR-${issue.id}","fields":{},"names":{}`;
        return new Response(`{${names},"properties":{${JSON.stringify(PROPERTY)}:${deep}}}`);
      },
    ];
    expect((await issue.read()).text).toBe('');
    await issue.edit(update('- a'));
    expect(await issue.text()).toBe('- a');
    expect(kept === deep).toBe(true);
    it.tracker.faults = [];
    await issue.edit(add('b'));
    expect(await issue.text()).toBe('- a\n- b');
  });

  describe('too large', () => {
    test("a foreign value without room for the app's properties is moved, and replaced, with a notice", async () => {
      const issue = await work.settledIssue('- a');
      const junk = 'j'.repeat(32_766);
      await issue.store(junk);
      expect((await issue.read()).notices).toHaveLength(1);
      expect(work.held(issue).properties[`${PROPERTY}.foreign`]).toBe(junk);
      await issue.edit(add('b'));
      await work.quiet(issue, '- a\n- b');
      expect((await issue.read()).notices).toEqual([]);
    });
  });

  test('a text without room in the property is not retried forever', async () => {
    // The indexes are those of the text that the test replaces.
    provokes({ differences: true });
    const issue = await work.settledIssue('- a');
    await issue.edit(add('b'));
    await use().raw('update revision set text = $2 where issue = $1 and seq = 2', [issue.id, '- "a"\n'.repeat(6_000)]);
    expect(await work.callsOf(it.settled)).not.toContain('write property');
    expect((await issue.read()).notices).toHaveLength(1);
  });

  describe('a write of the property that the tracker refuses', () => {
    const refuse = (status: number) => {
      it.tracker.faults = [call => (isPropertyWrite(call) ? new Response('{}', { status }) : undefined)];
    };

    test.each([400, 403, 409])(
      'with %d is made again with the next change, and a notice is shown until a write succeeds',
      async status => {
        provokes({ errors: /CopyRefused/, retries: true });
        const issue = await work.settledIssue('- a');
        refuse(status);
        await issue.edit(add('b'));
        const calls = await work.callsOf(it.settled);
        expect(calls.filter(name => name === 'write property')).toHaveLength(1);
        expect(it.background.waiting()).toEqual([]);
        const { text, notices } = await issue.read();
        expect(text).toBe('- a\n- b');
        expect(notices).toEqual([storage.propertyRefused(status)]);
        it.tracker.faults = [];
        await issue.edit(add('c'));
        await work.quiet(issue, '- a\n- b\n- c');
        expect((await issue.read()).notices).toEqual([]);
      },
    );

    test('is reported also without a field, until a write succeeds', async () => {
      // The site has its field back without the job of that choice.
      provokes({ errors: /CopyRefused/, retries: true, differences: true });
      const issue = await work.settledIssue('- a');
      await use().raw('update tenant set mirror = false');
      refuse(403);
      await issue.edit(add('b'));
      await it.settled();
      expect((await issue.read()).notices).toEqual([storage.propertyRefused(403)]);
      it.tracker.faults = [];
      await issue.edit(add('c'));
      await it.settled();
      expect((await issue.read()).notices).toEqual([]);
      expect(await issue.stored()).toMatchObject({ text: '- a\n- b\n- c' });
      await use().raw('update tenant set mirror = true');
    });

    test('with 404 of a deleted issue ends its synchronisation', async () => {
      const issue = await work.settledIssue('- a');
      await issue.edit(add('b'));
      it.tracker.issues.delete(issue.id);
      await work.event(issue, 'deleted');
      await it.settled();
      expect(await use().raw('select 1 from sync where issue = $1', [issue.id])).toEqual([]);
    });
  });

  test('during a long unavailability, changes go on, and in the end both copies hold them all', async () => {
    const issue = await work.settledIssue('- a');
    it.tracker.faults = [({ path }) => (path.endsWith('/permissions/check') ? undefined : 'down')];
    for (let round = 0; round < 12; round += 1) {
      await issue.edit(add(`change ${round}`));
      expect(await it.background.work(it.jobs)).toHaveLength(1);
      expect(it.background.waiting()).toEqual(['sync']);
    }
    it.tracker.faults = [];
    const { text } = await issue.read();
    expect(text.split('\n')).toHaveLength(13);
    await work.quiet(issue, text);
  });

  test('writes lost with the queue are added again at the next start', async () => {
    const issue = await work.settledIssue('- a');
    await issue.edit(add('ours'));
    work.place(issue, '- a\n- theirs');
    await work.event(issue, 'property');
    it.background.lose();
    await it.sync.recover();
    await it.settled();
    expect(linesOf(await issue.text())).toEqual(['- a', '- ours', '- theirs']);
    await it.sync.recover();
    expect(it.background.waiting()).not.toContain('sync');
  });
});
