import { beforeEach, expect, test, vi } from 'vitest';
import { verdictOf } from '../../../src/server/checklists/decide/consequences.ts';
import { propertyOf, propertyPrint } from '../../../src/server/checklists/decide/property.ts';
import { createEntries } from '../../../src/server/queue/entries.ts';
import { registryPrint } from '../../../src/server/statuses/registries.ts';
import { hashText } from '../../../src/text/document.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { builtIn } from '../../../src/text/status-registry.ts';
import { full } from '../../run/seed.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { askAs } from '../support/ask.ts';
import { add, EDITOR, workOn } from '../support/checklists.ts';
import { createDrivenQueue } from '../support/driven-queue.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { jobsOf } from '../support/jobs.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import { PROPERTY } from '../support/sync.ts';
import { type FakeTracker, isPropertyWrite } from '../support/tracker.ts';

vi.setConfig({ testTimeout: 1_800_000 });

/** Issues of a site, and of a large one. */
const ISSUES = 500;
const MANY_ISSUES = full ? 10_000 : ISSUES;
/** How many of so many issues name the status that is created. */
const affectedOf = (issues: number) => issues / 50;
const AFFECTED = affectedOf(ISSUES);

type Call = FakeTracker['calls'][number];

/** Registries that change on large sites, and large registries that change often. */
onStore(use => {
  let it: TestApp;
  const errors: unknown[] = [];
  beforeEach(async () => {
    // `fill` writes the tracker's issues without fields.
    provokes({ differences: true });
    const { store, raw } = use();
    await raw('delete from queue');
    errors.length = 0;
    it = await startApp(
      ...([store, {}, undefined, undefined, undefined, undefined] as const),
      createDrivenQueue(
        store,
        statement => raw(statement),
        error => errors.push(error),
      ),
    );
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER', 'ADMINISTER_PROJECTS']);
    it.tracker.granted.set('user', EDITOR);
    return () => it.app.close();
  });

  const stale = () =>
    use().raw(
      `select count(*)::integer as count from checklist c where tenant = $1 and indexed_registry is distinct from
        (select coalesce((select print from registry r where r.tenant = c.tenant and r.project = c.project),
          (select print from registry r where r.tenant = c.tenant and r.project = '')))`,
      [it.tenant.id],
    );

  /** Fills the site with issues whose copies and indexes are as they were written before a status was created. */
  async function fill(issues = ISSUES) {
    const affected = affectedOf(issues);
    const texts = { named: '- [On hold] a\n- b', other: '- a\n- b' };
    const rows = (name: keyof typeof texts, from: number, to: number) => {
      const rows = ['aaaaaaaa', 'bbbbbbbb'];
      const version = { epoch: 'e', seq: 1, name: 'Checklist', text: texts[name], rows };
      const print = propertyPrint(propertyOf(version, builtIn));
      const verdict = verdictOf(readChecklist(texts[name], builtIn));
      const values = [it.tenant.id, texts[name], print, registryPrint(builtIn), verdict];
      const issues = `generate_series(${from}, ${to}) as issue`;
      return { values, issues, version };
    };
    for (const [name, from, to] of [
      ['named', 1, affected],
      ['other', affected + 1, issues],
    ] as const) {
      const { values, issues, version } = rows(name, from, to);
      const hash = await hashText(texts[name]);
      await use().raw(
        `with r as (insert into revision (tenant, issue, account, client, kind, epoch, seq, hash, name, text, rows, conflicts)
           select $1, issue::text, 'ann', 'x', 'updateChecklistFromText', 'e', 1, '${hash}', 'Checklist', $2, '["aaaaaaaa","bbbbbbbb"]', '[]'
           from ${issues}),
         s as (insert into sync (tenant, issue, confirmed_epoch, confirmed_seq, property_print, property_registry, verdict,
             field_epoch, field_seq) select $1, issue::text, 'e', 1, $3, $4, $5, 'e', 1 from ${issues})
         insert into checklist (tenant, issue, epoch, seq, source, mirrored, project, items, open, open_mandatory,
             indexed_epoch, indexed_seq, indexed_registry)
           select $1, issue::text, 'e', 1, 'PROPERTY', true, '${PROJECT}', 2, 2, 0, 'e', 1, $4 from ${issues}`,
        values,
      );
      for (let issue = from; issue <= to; issue += 1)
        it.tracker.issues.set(String(issue), {
          properties: { [PROPERTY]: propertyOf(version, builtIn) },
          fields: { customfield_10100: texts[name], customfield_10050: null },
        });
    }
    await it.refreshIndexes();
  }

  const isWriteOf = (issue: number) => (call: Call) => isPropertyWrite(call) && call.path.includes(`/issue/${issue}/`);
  const isWriteOfIssue = (call: Call) => isPropertyWrite(call) && call.path.includes('/issue/');
  const createStatus = () =>
    askAs(it, 'admin').mutate('createStatus', { name: 'On hold', color: 'red', checked: false });
  const editLast = async () => (await workOn(it, String(ISSUES), 'user')).edit(add('by a user'));

  test(`a status that ${affectedOf(MANY_ISSUES)} of ${MANY_ISSUES} issues name costs one write for each, with progress`, async () => {
    await fill(MANY_ISSUES);
    const before = it.tracker.calls.length;
    const progress: number[] = [];
    it.tracker.meanwhile = [
      async call => {
        if (!isWriteOfIssue({ body: undefined, ...call })) return;
        const [job] = await use().raw(`select seen from job where tenant = $1`, [it.tenant.id]);
        progress.push(Number(job?.seen));
      },
    ];
    const started = performance.now();
    await createStatus();
    for (let round = 0; round < 100; round += 1) await it.background.work(it.jobs);
    const seconds = (performance.now() - started) / 1_000;
    expect(await stale()).toEqual([{ count: 0 }]);
    const calls = it.tracker.calls.slice(before);
    expect(calls.filter(isWriteOfIssue)).toHaveLength(affectedOf(MANY_ISSUES));
    expect(calls.map(({ path }) => path)).not.toContainEqual(expect.stringContaining('search/jql'));
    const [job] = await jobsOf(it, 'admin').list();
    // Those that do not name the status are compared without a call.
    const counts = {
      total: MANY_ISSUES,
      seen: MANY_ISSUES,
      done: affectedOf(MANY_ISSUES),
      skipped: MANY_ISSUES - affectedOf(MANY_ISSUES),
      failed: 0,
    };
    expect(job).toMatchObject({ kind: 'REFRESH', state: 'DONE', ...counts });
    expect(progress).toEqual([...new Set(progress)].toSorted((one, other) => one - other));
    expect(progress).toHaveLength(affectedOf(MANY_ISSUES));
    expect(errors).toEqual([]);
    if (full)
      process.stdout.write(
        `${MANY_ISSUES} issues: ${calls.length} calls, ${job?.total} in the job, ${seconds.toFixed(1)} s\n`,
      );
  });

  test('a change by a user is written while a changed registry is carried to the issues', async () => {
    await fill();
    const from = it.tracker.calls.length;
    let writes = 0;
    it.tracker.meanwhile = [
      async call => {
        if (!isWriteOfIssue({ body: undefined, ...call })) return;
        writes += 1;
        if (writes !== 2) return;
        // The job is at work, and other jobs run beside it.
        await editLast();
        await it.background.work(it.jobs);
      },
    ];
    await createStatus();
    for (let round = 0; round < 100; round += 1) await it.background.work(it.jobs);
    const paths = it.tracker.calls
      .slice(from)
      .filter(isWriteOfIssue)
      .map(({ path }) => path);
    // The second write of the job was asked for first.
    expect(paths.findIndex(path => path.includes(`/issue/${ISSUES}/`))).toBe(2);
    expect(paths).toHaveLength(AFFECTED + 1);
    expect(errors).toEqual([]);
  });

  test('a change by a user is taken before the properties that a sweep makes due', async () => {
    await fill();
    // As a restored version leaves it: no job refreshes them.
    await use().raw(
      `insert into status (tenant, slug, name, color, checked, position) values ($1, 'on_hold', 'On hold', 'red', false, 9)`,
      [it.tenant.id],
    );
    await use().raw('update tenant set status_version = status_version + 1 where tenant = $1', [it.tenant.id]);
    const [start] = await use().raw('select now() as time');
    await it.jobs.sweep({ tenant: it.tenant.id }, { signal: new AbortController().signal, lastTry: false });
    await use().raw(`delete from queue where name <> 'write-property'`);
    const due = await use().raw(
      `select extract(epoch from due - $2::timestamptz)::float8 as after from queue where tenant = $1 order by due`,
      [it.tenant.id, start?.time],
    );
    expect(due).toHaveLength(AFFECTED);
    // Each has several seconds to itself, in which other work comes.
    for (const [place, { after }] of due.entries()) expect(after).toBeGreaterThan(6.9 * (place + 1));
    await editLast();
    // As if the sweep had begun with the change: the test may take longer than the first of the pauses.
    await use().raw(
      `update queue set due = due + ((select due from queue where tenant = $1 and key = $2 and name = 'write-property') - $3::timestamptz)
        where tenant = $1 and key <> $2`,
      [it.tenant.id, String(ISSUES), start?.time],
    );
    // The pause after the change.
    await use().raw(
      `update queue set due = due - ((select due from queue where tenant = $1 and key = $2 and name = 'write-property') - now())
        where tenant = $1`,
      [it.tenant.id, String(ISSUES)],
    );
    const claimed = await createEntries(use().store).claim(['write-property'], 1);
    expect(claimed.map(({ key }) => key)).toEqual([String(ISSUES)]);
  });

  test('a change by a user is written while the points of the hour are spent that jobs may use', async () => {
    await fill();
    const reported = {
      'ratelimit-policy': '"global-app-quota";q=65000;w=3600',
      ratelimit: '"global-app-quota";r=16000;t=1800',
    };
    const from = it.tracker.calls.length;
    it.tracker.faults = [
      call => {
        if (!isWriteOfIssue(call)) return undefined;
        it.tracker.faults = [];
        return new Response('{}', { status: 200, headers: reported });
      },
    ];
    await createStatus();
    await it.background.work(it.jobs);
    await editLast();
    for (let round = 0; round < 5; round += 1) await it.background.work(it.jobs);
    const writes = () => it.tracker.calls.slice(from).filter(isWriteOfIssue);
    expect(writes().filter(isWriteOf(ISSUES))).toHaveLength(1);
    expect(writes()).toHaveLength(2);
    const [waiting] = await use().raw(`select extract(epoch from due - now())::float8 as wait from queue
      where name = 'site-wide'`);
    expect(waiting?.wait).toBeGreaterThan(1_700);
    it.elapse(3_600_000);
    await use().raw('update queue set due = now()');
    for (let round = 0; round < 100; round += 1) await it.background.work(it.jobs);
    expect(await stale()).toEqual([{ count: 0 }]);
    expect(errors).toEqual([]);
  });

  test('a registry of 270 statuses that changes ten times at once', async () => {
    const issue = await workOn(it, addIssue(), 'user');
    await issue.edit(add('- [Status 7] a'));
    await use().raw(
      `insert into status (tenant, slug, project, name, color, checked, position)
       select $1, 's' || n, case when n > 200 then '${PROJECT}' end, 'Status ' || n, 'red', false, n
       from generate_series(1, 270) n`,
      [it.tenant.id],
    );
    await use().raw('update tenant set status_version = status_version + 1 where tenant = $1', [it.tenant.id]);
    await it.refreshIndexes();
    const admin = askAs(it, 'admin');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        admin.mutate('updateStatus', { slug: `s${index + 1}`, checked: true, name: `Status ${index + 1} done` }),
      ),
    );
    expect(answers.flatMap(answer => answer.errors)).toEqual([]);
    const open = await use().raw('select kind from job where tenant = $1 and ended is null', [it.tenant.id]);
    expect(open).toEqual([{ kind: 'STATUSES' }]);
    await it.settled();
    expect(await stale()).toEqual([{ count: 0 }]);
    expect(await issue.text()).toContain('[Status 7 done] a');
    expect(await use().raw('select slug, items from status_use where issue = $1', [issue.id])).toEqual([
      { slug: 's7', items: 1 },
    ]);
    expect(await use().raw('select open from checklist where issue = $1', [issue.id])).toEqual([{ open: 0 }]);
    expect(errors).toEqual([]);
  });

  function addIssue() {
    const id = '2000001';
    it.tracker.issues.set(id, { properties: {}, fields: { customfield_10100: null, customfield_10050: null } });
    return id;
  }
});
