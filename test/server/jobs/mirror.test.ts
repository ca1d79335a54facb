import { beforeEach, expect, test } from 'vitest';
import { parseRegistry } from '../../../src/domain/registry.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { askAs } from '../support/ask.ts';
import { EDITOR } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { onStore } from '../support/stores.ts';

/** The projects' copies of statuses and templates, where some projects refuse them. */
onStore(use => {
  let it: TestApp;
  beforeEach(async () => {
    it = await startApp(use().store);
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    return () => it.app.close();
  });

  const create = (name: string) =>
    askAs(it, 'admin').mutate('createStatus', { name, color: 'red', checked: false }, 'job { id }');
  const held = (project: string) =>
    parseRegistry(it.tracker.projects.get(project)?.[storageKey('statuses')])?.map(({ slug }) => slug) ?? [];

  test.each([400, 403, 404, 409])(
    'a project that refuses with %d stops no other one, and is tried again',
    async status => {
      it.tracker.faults = [
        ({ method, path }) =>
          method === 'PUT' && path.includes(`/project/${PROJECT}/`) ? new Response('{}', { status }) : undefined,
      ];
      await create('On hold');
      await it.settled();
      expect(held(OTHER_PROJECT)).toContain('on_hold');
      expect(held(PROJECT)).toEqual([]);
      expect(it.logged.filter(line => line.includes('Incomplete'))).toEqual([
        expect.stringContaining(`1 done, 1 refused: ${storageKey('statuses')} of project P${PROJECT}`),
      ]);
      expect(it.background.later()).toEqual([{ name: 'mirror', key: 'mirror', after: 3_600_000 }]);
      it.tracker.faults = [];
      it.background.pass();
      await it.settled();
      expect(held(PROJECT)).toContain('on_hold');
      expect(it.background.later()).toEqual([]);
    },
  );

  test('a tracker that does not answer is asked for no further project', async () => {
    await create('On hold');
    it.tracker.faults = [({ method }) => (method === 'PUT' ? 'down' : undefined)];
    const before = it.tracker.calls.length;
    expect(await it.background.work(it.jobs)).toHaveLength(1);
    const tried = new Set(it.tracker.calls.slice(before).flatMap(({ method, path }) => (method === 'PUT' ? path : [])));
    expect(tried.size).toBe(1);
    it.tracker.faults = [];
    await it.settled();
    for (const project of [PROJECT, OTHER_PROJECT]) expect(held(project)).toContain('on_hold');
  });
});
