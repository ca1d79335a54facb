import * as v from 'valibot';
import { beforeEach, expect, test, vi } from 'vitest';
import { templates as messages, refusals } from '../../../src/domain/messages.ts';
import { appOf, startApp } from '../support/app.ts';
import { askAs, refused } from '../support/ask.ts';
import { EDITOR, newIssue } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { mutate } from '../support/mutate.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { onStore } from '../support/stores.ts';

vi.setConfig({ testTimeout: 60_000 });

const treeShape = v.object({
  next: v.nullable(v.string()),
  folders: v.array(
    v.object({
      projectId: v.nullable(v.string()),
      mayChange: v.boolean(),
      templates: v.array(v.object({ id: v.string(), name: v.string(), itemCount: v.number(), isDefault: v.boolean() })),
    }),
  ),
});
const versionsShape = v.object({
  versions: v.array(
    v.object({ version: v.number(), name: v.string(), projectId: v.nullable(v.string()), account: v.string() }),
  ),
  next: v.nullable(v.number()),
});
const usageShape = v.object({ issueCount: v.number(), rules: v.nullable(v.array(v.object({ id: v.string() }))) });
const payloadShape = v.object({
  errors: v.pipe(v.array(v.unknown()), v.length(0)),
  template: v.object({ id: v.string() }),
});

onStore(use => {
  const it = appOf(beforeEach, () => startApp(use().store, {}, undefined, { days: 365, count: 3 }));
  beforeEach(async () => {
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    it.tracker.granted.set('lead', [...EDITOR, 'ADMINISTER_PROJECTS']);
    it.tracker.granted.set('editor', EDITOR);
    it.tracker.granted.set('viewer', ['BROWSE_PROJECTS']);
  });

  const run = (account: string, name: string, input: Record<string, unknown>) =>
    askAs(it, account).mutate(name, input, 'template { id name text projectId }');
  const made = async (account: string, values: Record<string, unknown> = {}) =>
    v.parse(
      payloadShape,
      await run(account, 'createTemplateFromText', { name: 'Release', text: '- a\n- b', ...values }),
    ).template.id;
  const write = async (id: string, values: Record<string, unknown>, account = 'admin') =>
    v.parse(payloadShape, await run(account, 'updateTemplate', { id, ...values }));
  const here = `projectId: "${PROJECT}"`;
  const tree = async (account: string, args = '') =>
    v.parse(
      treeShape,
      await askAs(it, account).ask(
        `{ templateTree${args && `(${args})`} { next folders { projectId mayChange templates { id name itemCount isDefault } } } }`,
      ),
    );
  const versions = async (account: string, id: string, args = '') =>
    v.parse(
      versionsShape,
      await askAs(it, account).ask(
        `{ templateVersions(id: "${id}" ${args}) { next versions { version name projectId account } } }`,
      ),
    );
  const version = (account: string, id: string, number: number, args = '') =>
    askAs(it, account).ask(`{ templateVersion(id: "${id}" version: ${number} ${args}) { version name text } }`);
  const usage = async (account: string, id: string, args = '') =>
    v.parse(
      usageShape,
      await askAs(it, account).ask(`{ templateUsage(id: "${id}" ${args}) { issueCount rules { id } } }`),
    );

  test('folders: all for site administrators, else those of projects with usable templates', async () => {
    const global = await made('admin', { name: 'Zulu' });
    await made('admin', { name: 'Alpha' });
    await made('lead', { projectId: PROJECT });
    await made('admin', { projectId: OTHER_PROJECT, name: 'Forwarder' });
    await askAs(it, 'admin').ask(`mutation { setDefaultTemplate(templateId: "${global}") { errors { code } } }`);
    const names = async (account: string, args = '') =>
      (await tree(account, args)).folders.map(({ projectId, mayChange, templates }) => [
        ...[projectId, mayChange],
        ...templates.map(({ name, isDefault }) => (isDefault ? `${name} (first)` : name)),
      ]);
    const site = (mayChange: boolean) => [null, mayChange, 'Alpha', 'Zulu (first)'];
    expect(new Set(await names('admin'))).toEqual(
      new Set([site(true), [OTHER_PROJECT, true, 'Forwarder'], [PROJECT, true, 'Release']]),
    );
    expect(await names('lead', here)).toEqual([site(false), [PROJECT, true, 'Release']]);
    expect(await names('lead')).toEqual([site(false), [PROJECT, true, 'Release']]);
    expect(await names('editor', here)).toEqual([site(false), [PROJECT, false, 'Release']]);
    expect((await tree('admin')).next).toBeNull();
    for (const account of ['viewer', 'anonymous']) {
      await expect(tree(account, here)).rejects.toThrow(refusals.permission);
    }
    await expect(tree('editor', 'projectId: "1 or 1"')).resolves.toMatchObject({ folders: [{}, {}] });
  });

  test('a project without templates is a folder, too, where requested', async () => {
    expect((await tree('lead', here)).folders).toEqual([
      { projectId: null, mayChange: false, templates: [] },
      { projectId: PROJECT, mayChange: true, templates: [] },
    ]);
    await expect(tree('lead')).rejects.toThrow(refusals.permission);
    expect((await tree('admin')).folders).toEqual([{ projectId: null, mayChange: true, templates: [] }]);
  });

  test('a long list is paged, with deletions in between', async () => {
    const values = `insert into template (tenant, id, project, name, key, text, items, account)
      select $1, 't' || n, case when n % 2 = 0 then null else $2 end, 'Name ' || n, 'name ' || lpad(n::text, 5, '0'), '- a', 1, 'admin'
      from generate_series(1, 5003) n`;
    await use().raw(values, [it.tenant.id, PROJECT]);
    const first = await tree('lead', here);
    const count = ({ folders }: typeof first) => folders.map(({ templates }) => templates.length);
    expect([count(first), first.next]).toEqual([[2500, 2500], 't5000']);
    await use().raw("update template set deleted = now() where tenant = $1 and id = 't5000'", [it.tenant.id]);
    const rest = await tree('lead', `${here} after: "t5000"`);
    expect(rest).toMatchObject({
      next: null,
      folders: [
        { projectId: null, mayChange: false, templates: [{ name: 'Name 5002' }] },
        { projectId: PROJECT, mayChange: true, templates: [{ name: 'Name 5001' }, { name: 'Name 5003' }] },
      ],
    });
    // The page token gives access to no more than the first page.
    await expect(tree('viewer', 'after: "t5000"')).rejects.toThrow(refusals.permission);
    await expect(tree('admin', `after: "' or 1"`)).rejects.toThrow(messages.notFound);
  });

  test('each change is a revision, except for one without effect', async () => {
    const id = await made('lead', { projectId: PROJECT });
    await write(id, { text: '- a\n- c' }, 'lead');
    await write(id, { text: '- a\n- c' });
    await write(id, { name: 'Release train' });
    await write(id, { projectId: null });
    const all = await versions('admin', id);
    expect(all).toEqual({
      next: null,
      versions: [
        { version: 4, name: 'Release train', projectId: null, account: 'admin' },
        { version: 3, name: 'Release train', projectId: PROJECT, account: 'admin' },
        { version: 2, name: 'Release', projectId: PROJECT, account: 'lead' },
        { version: 1, name: 'Release', projectId: PROJECT, account: 'lead' },
      ],
    });
    expect(await versions('editor', id, `${here} first: 2`)).toMatchObject({ next: 3, versions: [{ version: 4 }, {}] });
    expect(await versions('editor', id, `${here} before: 3`)).toMatchObject({
      next: null,
      versions: [{ version: 2 }, { version: 1 }],
    });
    expect(await version('editor', id, 1, here)).toEqual({ version: 1, name: 'Release', text: '- a\n- b' });
    for (const wrong of [0, 5, -1]) await expect(version('admin', id, wrong)).rejects.toThrow(messages.versionNotFound);
    expect(await versions('admin', id, 'before: -1')).toEqual({ versions: [], next: null });
    const { text } = v.parse(v.object({ text: v.string() }), await version('admin', id, 1));
    await write(id, { text, baseText: '- a\n- c' });
    expect((await versions('admin', id)).versions[0]).toMatchObject({ version: 5 });
  });

  test('revisions and usage require permission to use the template', async () => {
    const global = await made('admin');
    const own = await made('lead', { projectId: PROJECT, name: 'Own' });
    const elsewhere = await made('admin', { projectId: OTHER_PROJECT, name: 'Forwarder' });
    for (const [account, id, args] of [
      ['editor', global, ''],
      ['viewer', global, here],
      ['viewer', own, ''],
      ['lead', elsewhere, here],
      ['anonymous', own, here],
    ] as const) {
      await expect(versions(account, id, args)).rejects.toThrow(refusals.permission);
      await expect(version(account, id, 1, args)).rejects.toThrow(refusals.permission);
      await expect(usage(account, id, args)).rejects.toThrow(refusals.permission);
    }
    for (const id of ['none', "' or 1"]) {
      await expect(versions('admin', id)).rejects.toThrow(messages.notFound);
      await expect(usage('admin', id)).rejects.toThrow(messages.notFound);
    }
    const other = await startApp(use().store);
    other.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    for (const asked of [
      `templateVersions(id: "${global}") { next }`,
      `templateUsage(id: "${global}") { issueCount }`,
    ]) {
      await expect(askAs(other, 'admin').ask(`{ ${asked} }`)).rejects.toThrow(messages.notFound);
    }
    expect(await askAs(other, 'admin').ask('{ templateTree { folders { projectId } } }')).toEqual({
      folders: [{ projectId: null }],
    });
    await other.app.close();
  });

  test('the project history of a template stays in the project when the template moves to the site', async () => {
    const id = await made('admin', { projectId: OTHER_PROJECT, text: '- secret' });
    await write(id, { text: '- plain' });
    await write(id, { projectId: null });
    expect((await versions('admin', id)).versions).toHaveLength(3);
    for (const account of ['editor', 'lead']) {
      expect(await versions(account, id, here)).toEqual({
        next: null,
        versions: [{ version: 3, name: 'Release', projectId: null, account: 'admin' }],
      });
      for (const hidden of [1, 2]) {
        await expect(version(account, id, hidden, here)).rejects.toThrow(messages.versionHidden);
      }
      await expect(version(account, id, 4, here)).rejects.toThrow(messages.versionNotFound);
    }
    expect(await version('lead', id, 3, here)).toMatchObject({ text: '- plain' });
  });

  test('rules and issues of a template', async () => {
    const id = await made('admin');
    const rule = (projectIds: string[], account = 'admin') =>
      askAs(it, account).ask(
        `mutation run($input: TemplateAssignmentInput!) { createTemplateAssignment(input: $input) { errors { code } } }`,
        { input: { templateId: id, projectIds, issueTypeIds: [], moment: 'CREATED' } },
      );
    await rule([OTHER_PROJECT]);
    await rule([]);
    const count = async (account: string, args = '') => {
      const { issueCount, rules } = await usage(account, id, args);
      return [issueCount, rules?.length ?? null];
    };
    expect(await count('admin')).toEqual([0, 2]);
    // A rule of all projects applies in this one, too.
    expect(await count('lead', here)).toEqual([0, 1]);
    expect(await count('editor', here)).toEqual([0, null]);

    const issue = await newIssue(it, EDITOR, 'editor');
    const add = (mode: string, clientId: string, templateIds = [id], section?: object) =>
      mutate(it, 'editor', issue, 'applyTemplateToChecklist', { clientId, templateIds, mode, section });
    for (const clientId of ['once', 'once', 'again'])
      expect(await add('APPEND', clientId)).toMatchObject({ errors: [] });
    expect(await count('admin')).toEqual([1, 2]);
    const another = await made('admin', { name: 'Other', text: '# Head\n- c' });
    await add('APPEND', 'head', [another]);
    await add('REPLACE', 'section', [another], { index: 4, text: 'Head' });
    expect(await count('admin')).toEqual([1, 2]);
    await add('REPLACE', 'all', [another]);
    expect(await count('admin')).toEqual([0, 2]);
    expect((await usage('admin', another)).issueCount).toBe(1);
    // Additions since a change are kept when that change is repeated.
    await add('APPEND', 'later');
    await add('REPLACE', 'all', [another]);
    expect(await count('admin')).toEqual([1, 2]);
    await mutate(it, 'editor', issue, 'clearChecklist', {});
    expect((await usage('admin', another)).issueCount).toBe(0);
    expect(await add('APPEND', 'gone', ['none'])).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
    expect(await use().raw('select * from template_use where tenant = $1', [it.tenant.id])).toEqual([]);
  });

  test('a renamed status is a template revision without an author', async () => {
    const answer = v.object({ statuses: v.array(v.object({ slug: v.string(), name: v.string() })) });
    const { statuses } = v.parse(
      answer,
      await askAs(it, 'admin').mutate(
        'createStatus',
        { name: 'On hold', color: 'red', checked: false },
        'statuses { slug name }',
      ),
    );
    const slug = statuses.find(({ name }) => name === 'On hold')?.slug;
    const id = await made('admin', { text: '- [On hold] a' });
    await askAs(it, 'admin').mutate('updateStatus', { slug, name: 'Waiting' });
    expect((await versions('admin', id)).versions).toMatchObject([
      { version: 2, account: '' },
      { version: 1, account: 'admin' },
    ]);
    expect(await version('admin', id, 2)).toMatchObject({ text: '- [Waiting] a' });
  });

  test('old and excess revisions are deleted, except for the newest and recent ones; all go with the template', async () => {
    const id = await made('admin');
    for (const text of ['- b', '- c', '- d', '- e']) await write(id, { text });
    const kept = async () => (await versions('admin', id)).versions.map(({ version }) => version);
    await it.checklists.prune(it.tenant.id);
    expect(await kept()).toEqual([5, 4, 3, 2, 1]);
    const age = (days: number, where: string) =>
      use().raw(
        `update template_version set created = now() - ${days} * interval '1 day' where template = $1 and ${where}`,
        [id],
      );
    await age(40, 'version < 4');
    await it.checklists.prune(it.tenant.id);
    expect(await kept()).toEqual([5, 4, 3]);
    await age(400, 'true');
    await it.checklists.prune(it.tenant.id);
    expect(await kept()).toEqual([5]);
    await askAs(it, 'admin').ask(`mutation { deleteTemplate(id: "${id}") { errors { code } } }`);
    await it.checklists.prune(it.tenant.id);
    const rows = () => use().raw('select version from template_version where template = $1', [id]);
    expect(await rows()).toHaveLength(1);
    await use().raw(`update template set deleted = now() - interval '31 days' where id = $1`, [id]);
    await it.checklists.prune(it.tenant.id);
    expect(await rows()).toEqual([]);
  });

  test('a refused change leaves no revision', async () => {
    const id = await made('admin');
    expect(await run('editor', 'updateTemplate', { id, text: '- x' })).toMatchObject(
      refused('FORBIDDEN', null, refusals.permission),
    );
    expect(await run('admin', 'updateTemplate', { id, text: '- x', name: 'a' })).toMatchObject({
      errors: [{ code: 'TOO_SHORT' }],
    });
    expect((await versions('admin', id)).versions).toHaveLength(1);
  });
});
