import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { pruneTenant } from '../../../src/server/jobs/pruning.ts';
import { type CommandContext, readArguments } from '../../../src/server/operators/program.ts';
import { createTenants } from '../../../src/server/platform/tenants.ts';
import { createTrackers } from '../../../src/server/platform/tracker/trackers.ts';
import { background } from '../../../src/server/quota/work.ts';
import { createVault } from '../../../src/server/store/vault.ts';
import { programOf } from '../../run/built.ts';
import { freePort } from '../../run/free-port.ts';
import { runNode } from '../../run/spawn.ts';
import { startApp, type TestApp, testVault } from '../support/app.ts';
import { askAs } from '../support/ask.ts';
import { add, newIssue, update } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { provokes } from '../support/left-behind.ts';
import { createDatabase } from '../support/postgres.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { open } from '../support/stored-queue.ts';
import { onBothStores } from '../support/stores.ts';

const NAME = 'site.example.net';
const TEXT = 'Confidential release';

onBothStores(use => {
  let it: TestApp;
  let operated: CommandContext;

  beforeEach(async () => {
    // A site of its own: its name has to be the only one.
    for (const table of ['tenant', 'revision', 'queue']) await use().raw(`delete from ${table}`);
    it = await startApp(use().store);
    const { store } = use();
    const vault = testVault();
    const trackerOf = createTrackers({ metrics: it.metrics, quota: it.quota, send: it.tracker.fetch });
    operated = {
      ...{ store, vault, find: createTenants(store, vault).find, mostPoints: 1_000, now: it.now },
      settled: () => Promise.resolve(),
      tracker: tenant => trackerOf(tenant, background('sweep')),
      prune: tenant => pruneTenant(store, tenant, {}),
    };
    return () => it.app.close();
  });

  /** Runs the command. Whatever it prints has no text of a checklist and no secret. */
  async function run(...args: string[]) {
    const asked = readArguments(args);
    const answer = 'answer' in asked ? asked.answer : await asked.run(operated);
    for (const secret of [TEXT, it.tenant.secret]) expect(answer.output + answer.errors).not.toContain(secret);
    return answer;
  }
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).output);

  async function installed() {
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    return tenant;
  }

  async function checklist() {
    const issue = await newIssue(it);
    await issue.edit(update(`- ${TEXT}`));
    await issue.edit(add('- more'));
    return issue;
  }

  test('sites are listed with their size and last use', async () => {
    await checklist();
    const { output, code } = await run('tenants');
    expect(code).toBe(0);
    expect(output).toMatch(/^Site +Tenant +Installed/);
    expect(output).toMatch(
      new RegExp(`^${NAME} +${it.tenant.id} +Connect +1 +2 +[\\d.]+ kB +\\d{4}-\\d\\d-\\d\\d$`, 'm'),
    );
    const [site] = await json('tenants');
    expect(site).toMatchObject({ id: it.tenant.id, name: NAME, installed: true, checklists: 1, revisions: 2 });
    expect(site.size).toBeGreaterThan(500);
    await it.tenants.uninstall(it.tenant.id);
    expect((await run('tenants')).output).toMatch(/ no +\d{4}-\d\d-\d\d /);
  });

  test('a site is exported to a new file of its owner, and never over another one', async () => {
    await checklist();
    const folder = await mkdtemp(join(tmpdir(), 'checklist-operators-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'site.ndjson');
    expect((await run('export', NAME, file)).output).toContain(`written to ${file}.`);
    const exported = await readFile(file, 'utf8');
    expect(exported).toContain(TEXT);
    expect(exported).not.toContain(it.tenant.secret);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await run('export', NAME, file)).toMatchObject({ code: 1, errors: expect.stringContaining('exists') });
  });

  test('a site is removed only with its name repeated, and where the app is installed only on request', async () => {
    await checklist();
    const rows = () => use().raw('select tenant from revision where tenant = $1', [it.tenant.id]);
    expect(await run('remove', it.tenant.id)).toMatchObject({
      code: 1,
      errors: `Nothing was removed. Repeat the name of the site: --confirm ${NAME}\n`,
    });
    expect((await run('remove', NAME, '--confirm', it.tenant.id)).code).toBe(1);
    expect(await run('remove', NAME, '--confirm', NAME)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('has the app installed'),
    });
    expect(await rows()).toHaveLength(2);
    await it.tenants.uninstall(it.tenant.id);
    expect(await run('remove', NAME, '--confirm', NAME)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^\d+ rows of site.example.net removed.$/m),
    });
    expect(await rows()).toEqual([]);
    expect(await json('tenants')).toEqual([]);
    expect(await run('remove', NAME, '--confirm', NAME)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('No site'),
    });
  });

  test('an installed site that is removed works again once it is installed again', async () => {
    const issue = await checklist();
    // A server that does not know yet that the site is uninstalled.
    const pending = issue.edit(add('- at that moment')).catch(() => undefined);
    operated.settled = async () => {
      expect(await it.tenants.find(it.tenant.id)).toBeUndefined();
      await pending;
    };
    expect((await run('remove', NAME, '--confirm', NAME, '--installed')).code).toBe(0);
    expect(await it.tenants.find(it.tenant.id)).toBeUndefined();
    expect(await use().raw('select 1 from revision where tenant = $1', [it.tenant.id])).toEqual([]);
    await it.tenants.install({ ...it.tenant, url: `https://${NAME}` });
    expect(await it.tenants.find(it.tenant.id)).toBeDefined();
  });

  test('two sites of one name are distinguished by their ids', async () => {
    await it.tenants.install({ id: 'another', url: `https://${NAME}`, secret: 'a secret of a decent length' });
    expect(await run('export', NAME, 'file')).toMatchObject({ code: 1, errors: expect.stringContaining('another') });
    expect((await run('remove', 'another', '--confirm', NAME, '--installed')).code).toBe(0);
    expect(await it.tenants.find(it.tenant.id)).toBeDefined();
  });

  test('old history is pruned now', async () => {
    const issue = await checklist();
    await use().raw(`update revision set created = now() - interval '800 days' where issue = $1`, [issue.id]);
    expect((await run('prune')).output).toBe('1 site: 1 version deleted, 0 uninstalled sites removed.\n');
    expect(await json('prune')).toEqual({
      sites: [{ tenant: it.tenant.id, name: NAME, revisions: 0, removed: 0 }],
      failed: [],
    });
  });

  test('due and failed work is listed', async () => {
    expect((await run('due')).output).toBe('No work waits.\n');
    const queue = open(use().store);
    await queue.add('sync', { tenant: it.tenant.id, issue: '7' }, { key: '7' });
    await queue.add('sweep', { tenant: it.tenant.id }, { key: 'sweep' });
    await use().raw(`update queue set failed = 'TrackerRefused', due = now() - interval '1 hour' where name = 'sweep'`);
    const { output } = await run('due');
    expect(output).toMatch(/^sync +waiting +1 +0$/m);
    expect(output).toMatch(new RegExp(`^sweep +sweep +${it.tenant.id} +TrackerRefused +\\d`, 'm'));
    expect(await json('due')).toMatchObject({ failed: [{ name: 'sweep', failed: 'TrackerRefused' }] });
  });

  test("points of the tracker's hour are shown as all processes shared them", async () => {
    const issue = await checklist();
    await issue.read();
    await it.quota.exchange();
    const { used, limit, sites } = await json('quota');
    expect(limit).toBe(1_000);
    expect(used).toBeGreaterThan(0);
    expect(sites).toEqual([{ tenant: it.tenant.id, name: NAME, points: used, own: false }]);
    expect((await run('quota')).output).toMatch(new RegExp(`^${used} of 1,000 points used, until \\d`));
  });

  test('the copies of an issue are compared with the tracker', async () => {
    const issue = await checklist();
    await it.settled();
    expect(await json('check', NAME, issue.id)).toMatchObject({ property: { state: 'equal' }, version: 2 });
    expect((await run('check', NAME, issue.id)).code).toBe(0);

    await issue.edit(add('- not written yet'));
    expect(await json('check', NAME, issue.id)).toMatchObject({ property: { state: 'waits' }, version: 3 });
    await it.settled();
    const properties = it.tracker.issues.get(issue.id)?.properties ?? {};
    for (const key of Object.keys(properties)) properties[key] = '- written by another program';
    expect(await run('check', NAME, issue.id)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^property +differs, and nothing is due/m),
    });
    await it.sync.noticed({ tenant: await installed(), account: 'other' }, issue.id, {
      kind: 'property',
      mayHide: false,
    });
    expect(await json('check', NAME, issue.id)).toMatchObject({ property: { state: 'waits' } });
    for (const key of Object.keys(properties)) delete properties[key];
    await it.settled();
    for (const key of Object.keys(properties)) delete properties[key];
    expect(await json('check', NAME, issue.id)).toMatchObject({ property: { state: 'differs' } });

    it.tracker.issues.delete(issue.id);
    expect(await run('check', NAME, issue.id)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('does not show'),
    });
    expect(await run('check', NAME, '4711')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('No checklist'),
    });
    await it.tenants.uninstall(it.tenant.id);
    expect((await run('check', NAME, issue.id)).errors).toContain('does not have the app installed');
  });

  test('all that is stored of a site is compared, differences are listed and repaired', async () => {
    const [issue, other] = [await checklist(), await checklist()];
    await it.settled();
    expect((await run('check', NAME)).output).toBe('2 issues compared: 0 with differences, 0 with refused copies.\n');
    await use().raw('update checklist set open = 7 where issue = $1', [issue.id]);
    for (const id of [issue.id, other.id])
      await use().raw("update checklist set project = '10000' where issue = $1", [id]);
    expect(await json('check', NAME, issue.id)).toMatchObject({
      property: { state: 'equal' },
      differences: ['counts'],
    });
    expect(await run('check', NAME)).toMatchObject({ code: 1, output: expect.stringMatching(/^PR-\d+ +counts/m) });
    expect(await run('check', NAME, '--project', '4711')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('no project "4711"'),
    });
    expect(await json('check', NAME, '--project', OTHER_PROJECT)).toMatchObject({ issues: 0, findings: [] });
    expect(await json('check', NAME, '--project', 'P10000')).toMatchObject({
      issues: 2,
      findings: [{ issue: issue.id, differences: ['counts'] }],
    });
    expect(await run('check', NAME, '--project', '10000', '--repair')).toMatchObject({
      code: 1,
      output: expect.stringContaining('1 issue repaired'),
    });
    expect(await use().raw('select open from checklist where issue = $1', [issue.id])).toEqual([{ open: 2 }]);
    expect(await use().raw("select key from queue where name = 'sync'")).toEqual([{ key: issue.id }]);
  });

  test("another app's value counts as equal while it has the newest text, whichever was read before", async () => {
    provokes({ differences: true });
    const issue = await checklist();
    await it.settled();
    const properties = it.tracker.issues.get(issue.id)?.properties ?? {};
    const place = (text: string) => {
      for (const key of Object.keys(properties)) properties[key] = text;
    };
    const seen = { epoch: '', seq: 0, name: 'Checklist', text: '- seen' };
    await use().raw('update sync set property_seen = $2 where issue = $1', [issue.id, JSON.stringify(seen)]);
    place(`- ${TEXT}\n- more`);
    expect(await json('check', NAME)).toMatchObject({ findings: [] });
    place('- unseen');
    expect(await json('check', NAME)).toMatchObject({ findings: [{ issue: issue.id, differences: ['property'] }] });
    expect(await json('check', NAME, issue.id)).toMatchObject({ property: { state: 'differs' } });
  });

  test('refused copies are listed with their reason and next try', async () => {
    provokes({ errors: /CopyRefused/, retries: true });
    const issue = await checklist();
    await it.settled();
    it.tracker.faults = [({ method }) => (method === 'PUT' ? new Response('{}', { status: 403 }) : undefined)];
    await issue.edit(add('- more'));
    await it.settled();
    const { refused } = await json('due');
    expect(refused).toMatchObject([
      { name: NAME, copy: 'property', reason: 'forbidden', issues: 1 },
      { name: NAME, copy: 'field', reason: 'forbidden', issues: 1 },
    ]);
    expect(Date.parse(refused[0].next)).toBeGreaterThan(Date.now());
    expect((await run('due')).output).toContain('Copies that the tracker refuses');
    expect(await json('check', NAME)).toMatchObject({
      findings: [{ issue: issue.id, property: { refused: 'forbidden' }, field: { refused: 'forbidden' } }],
    });
    const time = String.raw`\d{4}-\d\d-\d\dT\S+`;
    expect((await run('check', NAME)).output).toMatch(
      new RegExp(`^PR-\\d+ .* property: forbidden, field: forbidden +${time}$`, 'm'),
    );
    const single = await run('check', NAME, issue.id, '--repair');
    expect(single.code).toBe(1);
    expect(single.output).toMatch(new RegExp(`^field +differs, and is due +forbidden +${time}$`, 'm'));
    expect(single.output).toContain('1 issue repaired');
  });

  test('an issue that the tracker hides or denies is counted, and looked for by each sweep', async () => {
    provokes({ errors: /CopyRefused/, retries: true });
    const [hidden, denied] = [await checklist(), await checklist()];
    await it.settled();
    const tenant = await installed();
    it.tracker.issues.delete(hidden.id);
    it.tracker.faults = [
      ({ path }) => (path.includes(`/issue/${denied.id}`) ? new Response('{}', { status: 403 }) : undefined),
    ];
    for (const { id, edit } of [hidden, denied]) {
      await edit(add('- more'));
      await it.sync.noticed({ tenant, account: 'eve' }, id, { kind: 'updated', mayHide: false });
    }
    await it.background.work(it.jobs);
    it.tracker.issues.delete(denied.id);
    const { output } = await run('check', NAME);
    expect(output).toContain(
      '2 issues compared: 0 with differences, 1 with refused copies, 2 that the tracker does not show.',
    );
    expect(output).toMatch(
      new RegExp(`^PR-${denied.id} +property: forbidden, field: forbidden +with the next sweep$`, 'm'),
    );
    expect((await run('due')).output).toMatch(/ property +forbidden +1 issue +with the next sweep$/m);
    expect(await run('check', NAME, hidden.id)).toEqual({
      ...{ output: '', code: 1 },
      errors: 'The tracker does not show the issue to the app. Each hourly sweep looks for it.\n',
    });
  });

  test('projects that refuse their copies are listed with the reason and the next try, and repaired', async () => {
    provokes({ errors: /copies in projects/, retries: true });
    it.tracker.granted.set('admin', ['ADMINISTER']);
    it.tracker.faults = [
      ({ method, path }) =>
        method === 'PUT' && path.includes(`/project/${PROJECT}/`) ? new Response('{}', { status: 403 }) : undefined,
    ];
    await askAs(it, 'admin').mutate('createStatus', { name: 'On hold', color: 'red', checked: false });
    await it.settled();
    const key = `P${PROJECT}`;
    const { refused } = await json('due');
    expect(refused).toMatchObject([
      { name: NAME, copy: 'statuses', reason: 'forbidden', issues: 0, projects: 1, projectKeys: [key] },
    ]);
    expect(Date.parse(refused[0].next)).toBeGreaterThan(Date.now());
    const time = String.raw`\d{4}-\d\d-\d\dT\S+`;
    expect((await run('due')).output).toMatch(
      new RegExp(`^${NAME} +statuses +forbidden +1 project: ${key} +${time}$`, 'm'),
    );
    const found = await run('check', NAME);
    expect(found.code).toBe(1);
    expect(found.output).toMatch(new RegExp(`^${key} +statuses +forbidden +${time}$`, 'm'));
    expect(await json('check', NAME, '--project', PROJECT, '--repair')).toMatchObject({
      projects: [{ key, copy: 'statuses', refused: 'forbidden' }],
    });
    expect(await use().raw("select tenant, key from queue where name = 'mirror'")).toEqual([
      { tenant: it.tenant.id, key: 'mirror' },
    ]);
    it.tracker.faults = [];
    it.background.pass();
    await it.settled();
    expect((await run('check', NAME)).code).toBe(0);
    expect(await json('due')).toMatchObject({ refused: [] });
  });

  test('secrets are sealed with the new key, and values that no key opens are named', async () => {
    provokes({ differences: true });
    const [older, newer] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)];
    operated = { ...operated, vault: createVault(newer, [older]) };
    expect((await run('reseal', '--dry-run')).output).toContain('1 value to be sealed');
    expect(await json('reseal')).toMatchObject({ old: 1, sealed: 1, unknown: 0 });
    expect((await run('reseal')).output).toContain('0 values sealed with ENCRYPTION_KEY, 1 were before.');
    operated = { ...operated, vault: createVault(older) };
    expect(await run('reseal')).toMatchObject({ code: 1, output: expect.stringContaining(NAME) });
  });
});

test.each([
  [[], 2, 'Usage'],
  [['--help'], 0, 'Exit code 0: fine.'],
  [['erase'], 2, 'There is no command "erase"'],
  [['export', 'one'], 2, 'admin.js export TENANT FILE'],
  [['tenants', '--everything'], 2, '--everything'],
])('%j ends with %i and says how it is used', (args, code, said) => {
  const asked = readArguments(args);
  const answer = 'answer' in asked ? asked.answer : undefined;
  expect(answer?.code).toBe(code);
  expect((answer?.output ?? '') + (answer?.errors ?? '')).toContain(said);
});

test('the program reads the settings of the server, and ends with a code for each refusal', async () => {
  const url = await createDatabase(inject('postgres'), { template: inject('template') });
  const launch = async (env: Record<string, string>, ...args: string[]) => {
    const { ended, printed } = runNode([...programOf('server/admin'), ...args], { PATH: process.env.PATH, ...env });
    return { code: await ended, printed: printed() };
  };
  const env = { DATABASE_URL: url, ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') };
  expect(await launch(env, 'tenants', '--json')).toEqual({ code: 0, printed: '[]\n' });
  const { ENCRYPTION_KEY: _, ...incomplete } = env;
  expect(await launch(incomplete, 'tenants')).toMatchObject({
    code: 78,
    printed: expect.stringContaining('ENCRYPTION_KEY'),
  });
  const away = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`;
  const silent = await launch({ ...env, DATABASE_URL: away }, 'tenants');
  expect(silent).toMatchObject({ code: 69, printed: expect.stringContaining('The database does not answer') });
  expect(silent.printed).not.toContain('    at ');
});
