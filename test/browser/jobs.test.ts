import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { edition } from '../../src/domain/edition.ts';
import { graphql, session } from './api.ts';
import { onSite } from './fixture.ts';
import { people, type Site } from './site.ts';

/** Jobs over a whole project and site: server and tracker together, including a server killed during a job. */

const property = `${edition.key}.checklist`;

let site: Site;
let mia: Page;

onSite(async started => {
  site = started;
  mia = await site.visitor(people.admin);
});

const job = 'job { id state total seen done skipped failed log { issue message } }';
const errors = 'errors { code message }';

/** Queries in a new session, since a killed server does not know the previous one. */
async function ask(query: string, variables: object, issue = 'WEB-1') {
  const { data } = await graphql(site.programs, mia, await session(site.programs, mia, issue), query, variables);
  return data;
}

const importChecklists = (input: object) =>
  ask(
    `mutation start($input: ImportFromIssueChecklistInput!) {
      started: importFromIssueChecklist(input: $input) { message ${job} ${errors} }
    }`,
    { input },
  );

const synchronize = (input: object) =>
  ask(
    `mutation start($input: SynchronizeStoragesInput!) {
      started: synchronizeStorages(input: $input) { message ${job} ${errors} }
    }`,
    { input },
  );

async function ended(id: string) {
  const found = async () =>
    (await ask(`query find($id: ID!) { ${job.replace('job {', 'job(id: $id) {')} }`, { id })).job;
  await expect.poll(async () => (await found()).state, { timeout: 60_000 }).not.toMatch(/QUEUED|RUNNING/);
  return found();
}

const rest = (path: string) => `${site.programs.tracker.url}/rest/api/2/${path}`;

async function issue(key: string) {
  return (await mia.request.get(rest(`issue/${key}?properties=*all&expand=names`))).json();
}

/** The property's text and the field's. */
async function stored(key: string) {
  const { properties, names, fields } = await issue(key);
  const field = Object.keys(names).find(id => names[id] === 'Checklist Text');
  return { property: properties[property]?.text, field: fields[field ?? ''] };
}

test('checklists of another app are imported, with a dry run first, and only once', async () => {
  const items = ['# Rollout', '[x] Tell support', '[] Watch the graphs'];
  for (const key of ['WEB-3', 'WEB-4']) {
    const answer = await mia.request.put(rest(`issue/${key}/properties/checklist`), { data: { items } });
    expect(answer.ok()).toBe(true);
  }
  const projectId = (await issue('WEB-3')).fields.project.id;
  const before = await stored('WEB-3');
  const rehearsal = await importChecklists({ projectId, mode: 'ONLY_EMPTY', dryRun: true });
  expect(rehearsal.started).toMatchObject({ message: 'Import has started successfully.', errors: [] });
  expect(await ended(rehearsal.started.job.id)).toMatchObject({ state: 'DONE', failed: 0 });
  expect(await stored('WEB-3')).toEqual(before);

  const first = await importChecklists({ projectId, mode: 'APPEND', dryRun: false });
  const { done } = await ended(first.started.job.id);
  expect(done).toBeGreaterThanOrEqual(2);
  const text = async () => (await stored('WEB-3')).property;
  await expect.poll(text).toContain('# Rollout\n+ Tell support\n- Watch the graphs');
  const imported = await text();

  const second = await importChecklists({ projectId, mode: 'APPEND', dryRun: false });
  expect(await ended(second.started.job.id)).toMatchObject({ state: 'DONE', done: 0, failed: 0 });
  expect(await text()).toBe(imported);
});

test('a site is synchronised although its server is killed during the job', async () => {
  const { started } = await synchronize({});
  expect(started).toMatchObject({ message: 'Synchronization has started succesfully.', errors: [] });
  await site.programs.addon.kill('SIGKILL');
  await site.programs.addon.start();
  const { state, failed, seen, total } = await ended(started.job.id);
  expect({ state, failed }).toEqual({ state: 'DONE', failed: 0 });
  expect(seen).toBeGreaterThanOrEqual(total);
  // The field now has the string of WEB-6's property.
  await expect.poll(async () => (await stored('WEB-6')).field).toContain('Reproduce on staging');
});

test('only an administrator can start a job', async () => {
  const emma = await site.visitor(people.editor);
  const token = await session(site.programs, emma, 'WEB-1');
  const mutation = `mutation { synchronizeStorages(input: {}) { job { id } ${errors} } }`;
  const { data } = await graphql(site.programs, emma, token, mutation, {});
  expect(data.synchronizeStorages).toMatchObject({ job: null, errors: [{ code: 'FORBIDDEN' }] });
});
