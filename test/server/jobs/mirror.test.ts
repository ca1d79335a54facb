import { beforeEach, expect, test } from 'vitest';
import { jobs as messages } from '../../../src/domain/messages.ts';
import { parseRegistry } from '../../../src/domain/registry.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { askAs } from '../support/ask.ts';
import { add, EDITOR, newIssue, update } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { jobsOf } from '../support/jobs.ts';
import { provokes } from '../support/left-behind.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { onStore } from '../support/stores.ts';

const MINUTE = 60_000;

/** The projects' copies of statuses and templates, where some projects refuse them. */
onStore(use => {
  let it: TestApp;
  beforeEach(async () => {
    // Of the sites of other tests.
    await use().raw('delete from project_copy');
    await use().raw('delete from tenant');
    it = await startApp(use().store);
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    return () => it.app.close();
  });

  const create = (name: string) =>
    askAs(it, 'admin').mutate('createStatus', { name, color: 'red', checked: false }, 'job { id }');
  const refusals = () =>
    askAs(it, 'admin').ask('{ storedData { refused { copy reason issues projects projectKeys } } }');
  async function check() {
    const { job } = await jobsOf(it, 'admin').check();
    await it.settled();
    return jobsOf(it, 'admin').find(job?.id ?? '');
  }
  const held = (project: string) =>
    parseRegistry(it.tracker.projects.get(project)?.[storageKey('statuses')])?.map(({ slug }) => slug) ?? [];

  test.each([400, 403, 404, 409, 500])(
    'a project that answers with %d stops no other one, and is tried again',
    async status => {
      provokes({ errors: /copies in projects/, retries: true });
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
      const reason = status === 403 ? 'forbidden' : 'refused';
      expect(it.background.later()).toEqual([{ name: 'mirror', key: 'mirror', after: 2 * MINUTE }]);
      const refused = { copy: 'statuses', reason, issues: 0, projects: 1, projectKeys: [`P${PROJECT}`] };
      expect(await refusals()).toEqual({ refused: [refused] });
      expect(await it.metrics.registry.metrics()).toMatch(
        new RegExp(`copies_refused\\{copy="statuses",reason="${reason}"\\} [1-9]`),
      );
      expect((await check()).log.map(({ message }) => message)).toEqual([
        messages.copyRefused('statuses', `P${PROJECT}`),
      ]);
      it.tracker.faults = [];
      it.background.pass();
      await it.settled();
      expect(held(PROJECT)).toContain('on_hold');
      expect(it.background.later()).toEqual([]);
      expect(await refusals()).toEqual({ refused: [] });
      expect((await check()).log).toEqual([]);
    },
  );

  test('a check names the copies that it repaired', async () => {
    await create('On hold');
    await it.settled();
    delete it.tracker.projects.get(PROJECT)?.[storageKey('statuses')];
    expect((await check()).log.map(({ message }) => message)).toEqual([
      messages.copyRepaired('statuses', `P${PROJECT}`),
    ]);
    expect(held(PROJECT)).toContain('on_hold');
  });

  test('an old copy that a lost write brings back late is replaced', async () => {
    let delayed: unknown;
    it.tracker.faults = [
      ({ method, path, body }) => {
        if (method !== 'PUT' || !path.includes(`/project/${PROJECT}/`) || delayed) return undefined;
        delayed = body;
        return new Response('', { status: 503 });
      },
    ];
    await create('On hold');
    await it.settled();
    await create('QA');
    await it.settled();
    // Its sender got no answer, and repeated the write before the second status.
    Object.assign(it.tracker.projects.get(PROJECT) ?? {}, { [storageKey('statuses')]: delayed });
    expect(held(PROJECT)).not.toContain('qa');
    expect(await it.release('compare-copies')).toEqual([]);
    await it.settled();
    expect(held(PROJECT)).toContain('qa');
    const before = it.tracker.calls.length;
    expect(await it.release('compare-copies')).toEqual([]);
    await it.settled();
    expect(it.tracker.calls.length).toBe(before);
  });

  test('a project that refuses for long is tried at growing pauses, and logged once', async () => {
    provokes({ errors: /copies in projects/, retries: true });
    it.tracker.faults = [({ method }) => (method === 'PUT' ? new Response('{}', { status: 403 }) : undefined)];
    await create('On hold');
    await it.settled();
    const pauses: number[] = [];
    for (let tries = 0; tries < 10; tries += 1) {
      pauses.push((it.background.later()[0]?.after ?? 0) / MINUTE);
      await use().raw('update project_copy set due = now()');
      it.background.pass();
      await it.settled();
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 360, 360]);
    expect(it.logged.filter(line => line.includes('Incomplete'))).toHaveLength(1);
  });

  test('a project that refuses several changes and checks in a row is tried each time, and after minutes', async () => {
    provokes({ errors: /copies in projects/, retries: true });
    it.tracker.faults = [({ method }) => (method === 'PUT' ? new Response('{}', { status: 403 }) : undefined)];
    const tries = () => it.tracker.calls.filter(({ method }) => method === 'PUT').length;
    for (const name of ['On hold', 'QA', 'Waiting', 'Blocked']) {
      const before = tries();
      await create(name);
      await it.settled();
      await check();
      expect(tries()).toBeGreaterThan(before + 1);
    }
    expect(Math.round((it.background.later()[0]?.after ?? 0) / MINUTE)).toBe(2);
    expect(it.logged.filter(line => line.includes('Incomplete'))).toHaveLength(1);
  });

  test('the search for lost work finds refused copies without a job, and keeps the time of their next try', async () => {
    provokes({ errors: /copies in projects/, retries: true });
    it.tracker.faults = [({ method }) => (method === 'PUT' ? new Response('{}', { status: 403 }) : undefined)];
    await create('On hold');
    await it.settled();
    it.background.lose();
    await it.recoverProjects();
    const [job] = it.background.later();
    expect(job).toMatchObject({ name: 'mirror', key: 'mirror' });
    expect(Math.round((job?.after ?? 0) / MINUTE)).toBe(2);
    it.tracker.faults = [];
    it.background.pass();
    await it.settled();
    it.background.lose();
    await it.recoverProjects();
    expect(it.background.later()).toEqual([]);
  });

  test.each([
    ['the queue was lost', async () => it.background.lose()],
    [
      'the app was uninstalled before',
      async () => {
        await it.tenants.uninstall(it.tenant.id);
        await it.settled();
        await it.tenants.install({ ...it.tenant, url: 'https://site.example.net' });
      },
    ],
  ])('the search for lost work finds copies that were not written because %s', async (_why, lose) => {
    await create('On hold');
    await lose();
    await it.settled();
    expect(held(PROJECT)).toEqual([]);
    await it.recoverProjects();
    await it.settled();
    expect(held(PROJECT)).toContain('on_hold');
    await it.recoverProjects();
    expect(it.background.waiting()).toEqual([]);
  });

  test('projects lose what a restored backup does not know', async () => {
    const version = 'select copies_wanted, copies_confirmed, copies_watch from tenant where tenant = $1';
    await create('QA');
    await it.settled();
    const [backup] = await use().raw(version, [it.tenant.id]);
    await create('On hold');
    await it.settled();
    await use().raw(`delete from status where tenant = $1 and name = 'On hold'`, [it.tenant.id]);
    await use().raw(
      'update tenant set (copies_wanted, copies_confirmed, copies_watch) = ($2, $3, $4) where tenant = $1',
      [...[it.tenant.id, backup?.copies_wanted, backup?.copies_confirmed, backup?.copies_watch]],
    );
    await use().raw('delete from watch');
    await it.watch.renew();
    await it.recoverProjects();
    it.background.pass();
    await it.settled();
    expect(held(PROJECT)).toEqual(['todo', 'in_progress', 'done', 'skipped', 'qa']);
  });

  test("only the project's administrators see and check its stored data", async () => {
    it.tracker.granted.set('lead', [...EDITOR, 'ADMINISTER_PROJECTS']);
    it.tracker.granted.set('editor', EDITOR);
    const counts = (account: string) => askAs(it, account).ask(`{ storedData(projectId: "${PROJECT}") { stale } }`);
    expect(await counts('lead')).toEqual({ stale: 0 });
    await expect(counts('editor')).rejects.toThrow('permission');
    await expect(askAs(it, 'lead').ask('{ storedData { stale } }')).rejects.toThrow('permission');
    expect((await jobsOf(it, 'lead').check({ projectId: PROJECT })).errors).toEqual([]);
    expect((await jobsOf(it, 'editor').check({ projectId: PROJECT })).errors).toMatchObject([{ code: 'FORBIDDEN' }]);
    expect((await jobsOf(it, 'lead').check()).errors).toMatchObject([{ code: 'FORBIDDEN' }]);
  });

  test.each(['down', 500] as const)(
    'projects in a row that fail (%s) while the tracker answers stop no other one',
    async failure => {
      provokes({ errors: /copies in projects/, retries: true });
      const third = '10002';
      it.tracker.projects.set(third, {});
      it.tracker.faults = [
        ({ method, path }) => {
          if (method !== 'PUT' || path.includes(`/project/${third}/`)) return undefined;
          return failure === 'down' ? 'down' : new Response('{}', { status: failure });
        },
      ];
      await create('On hold');
      await it.settled();
      expect(held(third)).toContain('on_hold');
      expect(await refusals()).toEqual({
        refused: [
          {
            ...{ copy: 'statuses', reason: 'refused', issues: 0, projects: 2 },
            projectKeys: [`P${PROJECT}`, `P${OTHER_PROJECT}`],
          },
        ],
      });
      it.tracker.faults = [];
      it.background.pass();
      await it.settled();
      for (const project of [PROJECT, OTHER_PROJECT]) expect(held(project)).toContain('on_hold');
      expect(await refusals()).toEqual({ refused: [] });
    },
  );

  test('a tracker that does not answer is asked for one more project', async () => {
    await create('On hold');
    let isDown = false;
    it.tracker.faults = [
      ({ method, path }) => {
        isDown ||= method === 'PUT' && path.includes(`/project/${OTHER_PROJECT}/`);
        return isDown || method === 'PUT' ? 'down' : undefined;
      },
    ];
    const before = it.tracker.calls.length;
    expect(await it.background.work(it.jobs)).toHaveLength(1);
    const tried = new Set(it.tracker.calls.slice(before).flatMap(({ method, path }) => (method === 'PUT' ? path : [])));
    expect(tried.size).toBe(2);
    it.tracker.faults = [];
    await it.settled();
    for (const project of [PROJECT, OTHER_PROJECT]) expect(held(project)).toContain('on_hold');
  });

  // As where the app's access ends while statuses change: the tracker does not list the project then.
  const hide = () => void delete it.tracker.projects.get(PROJECT)?.[storageKey('statuses')];

  test('a project that was hidden takes its copies once the tracker shows an issue of it again', async () => {
    const issue = await newIssue(it, EDITOR, 'editor');
    await issue.edit(update('- a'));
    await it.settled();
    const shown = it.tracker.issues.get(issue.id);
    it.tracker.issues.delete(issue.id);
    await issue.edit(add('b'));
    await create('On hold');
    await it.settled();
    hide();
    if (shown) it.tracker.issues.set(issue.id, shown);
    it.background.pass();
    await it.settled();
    expect(held(PROJECT)).toEqual([]);
    await it.recoverProjects();
    it.background.pass();
    await it.settled();
    expect(held(PROJECT)).toContain('on_hold');
  });

  test('the copies are compared again daily', async () => {
    await create('On hold');
    await it.settled();
    await it.recoverProjects();
    it.background.pass();
    await it.settled();
    hide();
    await it.jobs.prune({ tenant: it.tenant.id }, { signal: new AbortController().signal, lastTry: false });
    await it.recoverProjects();
    it.background.pass();
    await it.settled();
    expect(held(PROJECT)).toContain('on_hold');
  });
});
