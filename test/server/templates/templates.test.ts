import { expect, test, vi } from 'vitest';
import { limitReached, templates as messages, refusals } from '../../../src/domain/messages.ts';
import { startApp } from '../support/app.ts';
import { askAs, refused } from '../support/ask.ts';
import { EDITOR } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { IN_PROJECT, notOfProject, notOfSite, onTemplateSites } from '../support/templates.ts';

vi.setConfig({ testTimeout: 60_000 });

onTemplateSites((site, use) => {
  const { run, fromText, made, byId, list, names } = site;

  test('from text: of the site, or of a project', async () => {
    expect(await fromText('admin', {})).toMatchObject({
      message: 'Template has been created successfully.',
      errors: [],
      template: { name: 'Release', projectId: null, itemCount: 2, isDefault: false, account: 'admin' },
    });
    await made('lead', { projectId: PROJECT, name: ' Only   here ' });
    expect(await names('editor', IN_PROJECT)).toEqual(['Only here', 'Release']);
    expect(await names('admin')).toEqual(['Only here', 'Release']);
    expect(await names('editor', `${IN_PROJECT}, scope: PROJECT`)).toEqual(['Only here']);
    expect(await names('editor', `${IN_PROJECT}, scope: GLOBAL, search: "ELE"`)).toEqual(['Release']);
    expect(await names('editor', `${IN_PROJECT}, search: "%"`)).toEqual([]);
    expect(await names('editor', `${IN_PROJECT}, sort: UPDATED, descending: true`)).toEqual(['Only here', 'Release']);
    expect(await list('editor', `${IN_PROJECT}, first: 1, skip: 1`)).toMatchObject({
      total: 2,
      templates: [{ name: 'Release' }],
    });
  });

  test('permissions to view and change templates', async () => {
    const global = await made('admin');
    const here = await made('lead', { projectId: PROJECT });
    for (const account of ['lead', 'editor', 'anonymous']) {
      expect(await fromText(account, { name: 'Other' })).toMatchObject(notOfSite);
      expect(await run(account, 'updateTemplate', { id: global.id, name: 'Other' })).toMatchObject(notOfSite);
      expect(await run(account, 'updateTemplate', { id: here.id, projectId: null })).toMatchObject(
        account === 'lead' ? notOfSite : notOfProject,
      );
      expect(await byId(account, 'deleteTemplate', global.id)).toMatchObject(notOfSite);
      await expect(list(account)).rejects.toThrow(refusals.permission);
    }
    expect(await fromText('editor', { projectId: PROJECT, name: 'Other' })).toMatchObject(notOfProject);
    expect(await fromText('lead', { projectId: OTHER_PROJECT, name: 'Other' })).toMatchObject(notOfProject);
    expect(await byId('editor', 'deleteTemplate', here.id)).toMatchObject(notOfProject);
    await expect(list('viewer', IN_PROJECT)).rejects.toThrow(refusals.permission);
    await expect(list('editor', `projectId: "${OTHER_PROJECT}"`)).rejects.toThrow(refusals.permission);
    const find = (account: string, args: string) => askAs(site.it, account).ask(`{ template(${args}) { name } }`);
    expect(await find('editor', `id: "${here.id}"`)).toEqual({ name: 'Release' });
    expect(await find('editor', `id: "${global.id}", ${IN_PROJECT}`)).toEqual({ name: 'Release' });
    await expect(find('editor', `id: "${global.id}"`)).rejects.toThrow(refusals.permission);
    await expect(find('viewer', `id: "${here.id}"`)).rejects.toThrow(refusals.permission);
    await expect(find('admin', `id: "' or 1"`)).rejects.toThrow(messages.notFound);
    const other = await startApp(use().store);
    other.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    await expect(askAs(other, 'admin').ask(`{ template(id: "${global.id}") { name } }`)).rejects.toThrow(
      messages.notFound,
    );
    await other.app.close();
  });

  test.each([
    ['', 'REQUIRED', 'This field is required.'],
    [' ab ', 'TOO_SHORT', 'Please lengthen this text to 3 characters or more.'],
    ['x'.repeat(141), 'TOO_LONG', 'This is too long. It should be at most 140 characters long.'],
    [' RELEASE  notes', 'NOT_UNIQUE', 'This is already taken.'],
  ])('the name %j is refused', async (name, code, message) => {
    await made('admin', { name: 'Release Notes' });
    const { id } = await made('admin', { name: 'x'.repeat(140) });
    expect(await fromText('admin', { name })).toMatchObject(refused(code, 'name', message));
    expect(await run('admin', 'updateTemplate', { id, name })).toMatchObject(refused(code, 'name', message));
    expect(await run('admin', 'duplicateTemplate', { id, name })).toMatchObject(refused(code, 'name', message));
    expect(await run('admin', 'updateTemplate', { id, name: 'abc' })).toMatchObject({ errors: [] });
  });

  test.each([
    ['', 'CHECKLIST_REQUIRED', "Checklist can't be empty."],
    [' \n\t', 'CHECKLIST_REQUIRED', "Checklist can't be empty."],
    ['x'.repeat(33_000), 'TOO_LARGE', expect.stringContaining('33,002 of 32,268')],
  ])('the text %#', async (text, code, message) => {
    expect(await fromText('admin', { text })).toMatchObject(refused(code, 'text', message));
    const { id } = await made('admin');
    expect(await run('admin', 'updateTemplate', { id, text })).toMatchObject(refused(code, 'text', message));
  });

  test('of two concurrent equal names, one is refused', async () => {
    const both = await Promise.all([fromText('admin', {}), fromText('admin', { name: 'RELEASE' })]);
    expect(both.flatMap(({ errors }) => errors)).toMatchObject([{ code: 'NOT_UNIQUE', field: 'name' }]);
  });

  test('duplicates get numbered names', async () => {
    const { id } = await made('lead', { projectId: PROJECT });
    const copy = (account: string, input = {}) => run(account, 'duplicateTemplate', { id, ...input });
    expect(await copy('lead')).toMatchObject({
      message: 'Template has been duplicated successfully.',
      template: { name: 'Release (copy)', projectId: PROJECT, text: '- a\n# h\n+ b' },
    });
    expect(await copy('lead')).toMatchObject({ template: { name: 'Release (copy 2)' } });
    expect(await copy('admin', { projectId: null, name: 'Global' })).toMatchObject({ template: { projectId: null } });
    expect(await copy('editor')).toMatchObject(notOfProject);
    expect(await copy('lead', { id: 'none' })).toMatchObject(refused('NOT_FOUND', 'id', messages.notFound));
    const long = await made('admin', { name: 'x'.repeat(140) });
    expect(await run('admin', 'duplicateTemplate', { id: long.id })).toMatchObject({
      template: { name: `${'x'.repeat(133)} (copy)` },
    });
  });

  test('a template is moved to the site, or to a project', async () => {
    const { id } = await made('lead', { projectId: PROJECT });
    expect(await run('admin', 'updateTemplate', { id, projectId: null })).toMatchObject({
      template: { projectId: null },
    });
    await made('lead', { projectId: PROJECT });
    expect(await run('admin', 'updateTemplate', { id, projectId: PROJECT })).toMatchObject(
      refused('NOT_UNIQUE', 'name', 'This is already taken.'),
    );
    expect(await run('lead', 'updateTemplate', { id, projectId: PROJECT })).toMatchObject(notOfSite);
    expect(await run('admin', 'updateTemplate', { id, projectId: OTHER_PROJECT })).toMatchObject({ errors: [] });
    expect(await run('lead', 'updateTemplate', { id, projectId: PROJECT })).toMatchObject(notOfProject);
  });

  test('the limits refuse growth only', async () => {
    const ids = [];
    for (const name of ['One', 'Two', 'Three', 'Four']) ids.push((await made('admin', { name })).id);
    const full = refused('LIMIT_REACHED', 'project', limitReached.globalTemplates);
    const [first = '', second = ''] = ids;
    expect(await fromText('admin', { name: 'Five' })).toMatchObject(full);
    expect(await run('admin', 'duplicateTemplate', { id: first })).toMatchObject(full);
    const here = await made('lead', { projectId: PROJECT });
    expect(await run('admin', 'updateTemplate', { id: here.id, projectId: null })).toMatchObject(full);
    expect(
      await run('admin', 'updateTemplate', { id: first, name: 'First', text: '- more\n- and more' }),
    ).toMatchObject({
      errors: [],
    });
    await byId('admin', 'deleteTemplate', second);
    await made('admin', { name: 'Five' });
    expect(await byId('admin', 'restoreTemplate', second)).toMatchObject(full);
    for (const name of ['Two', 'Three']) await made('lead', { projectId: PROJECT, name });
    expect(await fromText('lead', { projectId: PROJECT, name: 'Four' })).toMatchObject(
      refused('LIMIT_REACHED', 'project', limitReached.projectTemplates),
    );
    expect(
      await askAs(site.it, 'editor').ask(
        `{ templates(${IN_PROJECT}) { globalRoom { count most } projectRoom { count most } } }`,
      ),
    ).toEqual({ globalRoom: { count: 4, most: 4 }, projectRoom: { count: 3, most: 3 } });
  });

  test('concurrent edits of one template are merged', async () => {
    const base = '- Tell support today\n- b\n- c';
    const { id } = await made('admin', { name: 'Shared', text: base });
    const save = (text: string, baseText?: string) => run('admin', 'updateTemplate', { id, text, baseText });
    expect(await save('- Tell support tomorrow\n- b\n- c', base)).toMatchObject({ errors: [] });
    expect(await save('- Tell support today\n- b\n- c3', base)).toMatchObject({
      errors: [],
      template: { text: '- Tell support tomorrow\n- b\n- c3' },
    });
    const own = '- Tell support on Monday\n- b\n- c';
    expect(await save(own, base)).toMatchObject(refused('CHANGED_MEANWHILE', 'text', messages.sameLines));
    expect(await save(own)).toMatchObject({ errors: [], template: { text: own } });
  });

  test('a NUL in a search is refused with a message, and reaches no database', async () => {
    const search = JSON.stringify('a\u0000b');
    await expect(site.list('admin', `search: ${search}`)).rejects.toThrow(refusals.nul);
    expect(site.it.logged.filter(line => line.includes('"level":50'))).toEqual([]);
    const { store } = use();
    const ask = store.tenant('any', tx =>
      tx.selectFrom('template').select('id').where('tenant', '=', 'any').where('key', '=', 'a\u0000').execute(),
    );
    await expect(ask).rejects.toMatchObject({ code: 'UNREADABLE', message: refusals.nul });
  });

  test('a name has no controls of the direction of text', async () => {
    const { name } = await site.made('admin', { name: '\u202ERelease\u202C \u2066list\u2069' });
    expect(name).toBe('Release list');
  });
});
