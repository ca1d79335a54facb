import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { limitReached, templates as messages, refusals } from '../../../src/domain/messages.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import { parseDefaultTemplate, parseTemplateIndex, parseTemplateTexts } from '../../../src/domain/templates.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { askAs, refused } from '../support/ask.ts';
import { EDITOR, newIssue, own, update } from '../support/checklists.ts';
import { PROJECT } from '../support/making.ts';
import { mutate } from '../support/mutate.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { onBothStores } from '../support/stores.ts';

vi.setConfig({ testTimeout: 60_000 });

const SEEN = 'id name text projectId itemCount isDefault isGettingStarted account';
const templateShape = z.object({
  id: z.string(),
  name: z.string(),
  text: z.string(),
  projectId: z.string().nullable(),
  itemCount: z.number(),
  isDefault: z.boolean(),
});
const payloadShape = z.object({ template: templateShape });
const pageShape = z.object({ templates: z.array(templateShape), total: z.number() });

const markedShape = z.object({ templates: z.array(z.object({ name: z.string(), isDefault: z.boolean() })) });

onBothStores(use => {
  let it: TestApp;

  beforeEach(async () => {
    it = await startApp(use().store, {}, undefined, undefined, { globalTemplates: 4, projectTemplates: 3 });
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    it.tracker.granted.set('lead', [...EDITOR, 'ADMINISTER_PROJECTS']);
    it.tracker.granted.set('editor', EDITOR);
    it.tracker.granted.set('viewer', ['BROWSE_PROJECTS']);
    return () => it.app.close();
  });

  const run = (account: string, name: string, input: Record<string, unknown>) =>
    askAs(it, account).mutate(name, input, `template { ${SEEN} }`);
  const fromText = (account: string, values: Record<string, unknown>) =>
    run(account, 'createTemplateFromText', { name: 'Release', text: '- a\n# h\n+ b', ...values });
  const made = async (account: string, values: Record<string, unknown> = {}) =>
    payloadShape.parse(await fromText(account, values)).template;
  const byId = (account: string, name: 'deleteTemplate' | 'restoreTemplate', id: string) =>
    askAs(it, account).ask(
      `mutation run($id: ID!) { ${name}(id: $id) { message errors { code field message } template { ${SEEN} } } }`,
      { id },
    );
  const list = async (account: string, args = '') =>
    pageShape.parse(
      await askAs(it, account).ask(`{ templates${args && `(${args})`} { total templates { ${SEEN} } } }`),
    );
  const names = async (account: string, args = '') => (await list(account, args)).templates.map(({ name }) => name);
  const inProject = `projectId: "${PROJECT}"`;
  const site = refused('FORBIDDEN', null, refusals.permission);
  const project = refused('FORBIDDEN', null, refusals.projectAdmin);

  test('from text: of the site, or of a project', async () => {
    expect(await fromText('admin', {})).toMatchObject({
      message: 'Template has been created successfully.',
      errors: [],
      template: { name: 'Release', projectId: null, itemCount: 2, isDefault: false, account: 'admin' },
    });
    await made('lead', { projectId: PROJECT, name: ' Only   here ' });
    expect(await names('editor', inProject)).toEqual(['Only here', 'Release']);
    expect(await names('admin')).toEqual(['Only here', 'Release']);
    expect(await names('editor', `${inProject}, scope: PROJECT`)).toEqual(['Only here']);
    expect(await names('editor', `${inProject}, scope: GLOBAL, search: "ELE"`)).toEqual(['Release']);
    expect(await names('editor', `${inProject}, search: "%"`)).toEqual([]);
    expect(await names('editor', `${inProject}, sort: UPDATED, descending: true`)).toEqual(['Only here', 'Release']);
    expect(await list('editor', `${inProject}, first: 1, skip: 1`)).toMatchObject({
      total: 2,
      templates: [{ name: 'Release' }],
    });
  });

  test('who may see and change what', async () => {
    const global = await made('admin');
    const here = await made('lead', { projectId: PROJECT });
    for (const account of ['lead', 'editor', 'anonymous']) {
      expect(await fromText(account, { name: 'Other' })).toMatchObject(site);
      expect(await run(account, 'updateTemplate', { id: global.id, name: 'Other' })).toMatchObject(site);
      expect(await run(account, 'updateTemplate', { id: here.id, projectId: null })).toMatchObject(
        account === 'lead' ? site : project,
      );
      expect(await byId(account, 'deleteTemplate', global.id)).toMatchObject(site);
      await expect(list(account)).rejects.toThrow(refusals.permission);
    }
    expect(await fromText('editor', { projectId: PROJECT, name: 'Other' })).toMatchObject(project);
    expect(await fromText('lead', { projectId: OTHER_PROJECT, name: 'Other' })).toMatchObject(project);
    expect(await byId('editor', 'deleteTemplate', here.id)).toMatchObject(project);
    await expect(list('viewer', inProject)).rejects.toThrow(refusals.permission);
    await expect(list('editor', `projectId: "${OTHER_PROJECT}"`)).rejects.toThrow(refusals.permission);
    const find = (account: string, args: string) => askAs(it, account).ask(`{ template(${args}) { name } }`);
    expect(await find('editor', `id: "${here.id}"`)).toEqual({ name: 'Release' });
    expect(await find('editor', `id: "${global.id}", ${inProject}`)).toEqual({ name: 'Release' });
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

  test('the same name twice at once is taken once', async () => {
    const both = await Promise.all([fromText('admin', {}), fromText('admin', { name: 'RELEASE' })]);
    expect(both.flatMap(({ errors }) => errors)).toMatchObject([{ code: 'NOT_UNIQUE', field: 'name' }]);
  });

  describe('from a checklist', () => {
    const save = (account: string, input: Record<string, unknown>) =>
      run(account, 'createTemplateFromChecklist', { name: 'Saved', keepStatuses: false, projectId: PROJECT, ...input });

    test('all items are to do again, or stay as they are', async () => {
      const issue = await newIssue(it, EDITOR, 'editor');
      await issue.edit(update('# h\n+ a\n> + detail\nx ! b\n~ c'));
      expect(await save('editor', { issueId: issue.id })).toMatchObject({
        message: 'Template has been created successfully.',
        template: { text: '# h\n- a\n> + detail\n- ! b\n- c', projectId: PROJECT },
      });
      expect(await save('editor', { issueId: issue.id, name: 'Kept', keepStatuses: true })).toMatchObject({
        template: { text: '# h\n+ a\n> + detail\nx ! b\n~ c' },
      });
    });

    test('refusals', async () => {
      const issue = await newIssue(it, EDITOR, 'editor');
      expect(await save('editor', { issueId: issue.id })).toMatchObject(
        refused('CHECKLIST_REQUIRED', 'issueId', messages.noChecklist),
      );
      await issue.edit(update('- a'));
      expect(await save('editor', { issueId: issue.id, projectId: null })).toMatchObject(site);
      expect(await save('editor', { issueId: issue.id, projectId: OTHER_PROJECT })).toMatchObject(project);
      expect(await save('viewer', { issueId: issue.id })).toMatchObject(site);
      expect(await save('editor', { issueId: '7' })).toMatchObject(site);
      expect(await save('admin', { issueId: issue.id, projectId: null })).toMatchObject({ errors: [] });
    });
  });

  test('duplicating tells names apart', async () => {
    const { id } = await made('lead', { projectId: PROJECT });
    const copy = (account: string, input = {}) => run(account, 'duplicateTemplate', { id, ...input });
    expect(await copy('lead')).toMatchObject({
      message: 'Template has been duplicated successfully.',
      template: { name: 'Release (copy)', projectId: PROJECT, text: '- a\n# h\n+ b' },
    });
    expect(await copy('lead')).toMatchObject({ template: { name: 'Release (copy 2)' } });
    expect(await copy('admin', { projectId: null, name: 'Global' })).toMatchObject({ template: { projectId: null } });
    expect(await copy('editor')).toMatchObject(project);
    expect(await copy('lead', { id: 'none' })).toMatchObject(refused('NOT_FOUND', 'id', messages.notFound));
    const long = await made('admin', { name: 'x'.repeat(140) });
    expect(await run('admin', 'duplicateTemplate', { id: long.id })).toMatchObject({
      template: { name: `${'x'.repeat(133)} (copy)` },
    });
  });

  test('a template is made global, or a project’s', async () => {
    const { id } = await made('lead', { projectId: PROJECT });
    expect(await run('admin', 'updateTemplate', { id, projectId: null })).toMatchObject({
      template: { projectId: null },
    });
    await made('lead', { projectId: PROJECT });
    expect(await run('admin', 'updateTemplate', { id, projectId: PROJECT })).toMatchObject(
      refused('NOT_UNIQUE', 'name', 'This is already taken.'),
    );
    expect(await run('lead', 'updateTemplate', { id, projectId: PROJECT })).toMatchObject(site);
    expect(await run('admin', 'updateTemplate', { id, projectId: OTHER_PROJECT })).toMatchObject({ errors: [] });
    expect(await run('lead', 'updateTemplate', { id, projectId: PROJECT })).toMatchObject(project);
  });

  test('a deletion is taken back, with its name if that is free', async () => {
    const { id } = await made('admin');
    expect(await byId('admin', 'deleteTemplate', id)).toMatchObject({
      message: 'Template has been deleted successfully.',
      template: { id },
    });
    expect(await byId('admin', 'deleteTemplate', id)).toMatchObject(refused('NOT_FOUND', 'id', messages.notFound));
    expect(await names('admin')).toEqual([]);
    const second = await made('admin');
    expect(await byId('admin', 'restoreTemplate', id)).toMatchObject(
      refused('NOT_UNIQUE', 'name', 'This is already taken.'),
    );
    await byId('admin', 'deleteTemplate', second.id);
    expect(await byId('editor', 'restoreTemplate', id)).toMatchObject(site);
    expect(await byId('admin', 'restoreTemplate', id)).toMatchObject({ errors: [], template: { id } });
    expect(await names('admin')).toEqual(['Release']);
    await use().raw(`update template set deleted = now() - interval '31 days' where id = $1`, [second.id]);
    await it.checklists.prune();
    expect(await byId('admin', 'restoreTemplate', second.id)).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
  });

  describe('while somebody is looked up who may change a template', () => {
    /** Happens once, while the tracker is asked who may do what. */
    const meanwhile = (happens: () => Promise<unknown>) => {
      let due = true;
      it.tracker.meanwhile.push(({ path }) => {
        if (!due || !path.endsWith('/permissions/check')) return undefined;
        due = false;
        return happens();
      });
    };
    const set = (id: string, columns: string) => use().raw(`update template set ${columns} where id = $1`, [id]);
    const gone = refused('NOT_FOUND', 'id', messages.notFound);

    test('it becomes another’s, and is neither deleted nor taken back', async () => {
      const { id } = await made('admin', { projectId: PROJECT });
      meanwhile(() => set(id, 'project = null'));
      expect(await byId('lead', 'deleteTemplate', id)).toMatchObject(gone);
      expect(await names('admin')).toEqual(['Release']);
      await set(id, `project = '${PROJECT}', deleted = now()`);
      meanwhile(() => set(id, 'project = null'));
      expect(await byId('lead', 'restoreTemplate', id)).toMatchObject(gone);
      expect(await names('admin')).toEqual([]);
    });

    test('it is written anew, and the answer says so', async () => {
      const { id } = await made('admin', { projectId: PROJECT });
      meanwhile(() => set(id, `text = '- newer'`));
      expect(await byId('lead', 'deleteTemplate', id)).toMatchObject({ template: { text: '- newer' } });
    });

    test('it is deleted, or back already with another text, and stays so', async () => {
      const { id } = await made('admin', { projectId: PROJECT });
      meanwhile(() => set(id, 'deleted = now()'));
      expect(await byId('lead', 'deleteTemplate', id)).toMatchObject(gone);
      meanwhile(() => set(id, `deleted = null, text = '- newer'`));
      expect(await byId('lead', 'restoreTemplate', id)).toMatchObject(gone);
      expect((await list('admin')).templates).toMatchObject([{ text: '- newer' }]);
    });
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
      await askAs(it, 'editor').ask(
        `{ templates(${inProject}) { globalRoom { count most } projectRoom { count most } } }`,
      ),
    ).toEqual({ globalRoom: { count: 4, most: 4 }, projectRoom: { count: 3, most: 3 } });
  });

  test('of two who write one template each keeps the lines of the other', async () => {
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

  test('the default one comes first in what projects hold', async () => {
    const global = await made('admin', { name: 'Zulu' });
    const here = await made('lead', { projectId: PROJECT, name: 'Alpha' });
    const mark = (account: string, projectId: string | null, templateId: string | null) =>
      askAs(it, account).ask(
        `mutation run($projectId: ID, $templateId: ID) { setDefaultTemplate(projectId: $projectId, templateId: $templateId) {
          errors { code field message } template { name isDefault } } }`,
        { projectId, templateId },
      );
    const marked = async (project: string | null) => {
      const query = 'query run($project: ID) { templates(projectId: $project) { templates { name isDefault } } }';
      const { templates } = markedShape.parse(await askAs(it, 'admin').ask(query, { project }));
      return templates.filter(({ isDefault }) => isDefault).map(({ name }) => name);
    };
    expect(await mark('lead', null, global.id)).toMatchObject(site);
    expect(await mark('admin', null, here.id)).toMatchObject(refused('NOT_FOUND', 'id', messages.notFound));
    expect(await mark('admin', null, global.id)).toMatchObject({ template: { name: 'Zulu', isDefault: true } });
    await it.settled();
    const held = (id: string, thing: 'template-index' | 'templates' | 'default-template') =>
      it.tracker.projects.get(id)?.[storageKey(thing)];
    const offered = (id: string) => parseTemplateIndex(held(id, 'template-index'))?.templates.map(({ name }) => name);
    expect(offered(PROJECT)).toEqual(['Zulu', 'Alpha']);
    expect(offered(OTHER_PROJECT)).toEqual(['Zulu']);
    await mark('lead', PROJECT, here.id);
    await it.settled();
    expect(offered(PROJECT)).toEqual(['Alpha', 'Zulu']);
    expect(parseTemplateTexts(held(PROJECT, 'templates'))).toEqual({ [global.id]: global.text, [here.id]: here.text });
    expect(parseDefaultTemplate(held(PROJECT, 'default-template'))).toBe(here.id);
    expect(await marked(PROJECT)).toEqual(['Alpha']);
    expect(await marked(OTHER_PROJECT)).toEqual(['Zulu']);
    // Each where it belongs.
    expect(await marked(null)).toEqual(['Alpha', 'Zulu']);
    // None is none, though the site has one.
    await mark('lead', PROJECT, null);
    await it.settled();
    expect(await marked(PROJECT)).toEqual([]);
    expect(await marked(null)).toEqual(['Zulu']);
    expect(parseDefaultTemplate(held(PROJECT, 'default-template'))).toBe(null);
    expect(parseDefaultTemplate(held(OTHER_PROJECT, 'default-template'))).toBe(global.id);
    await mark('lead', PROJECT, global.id);
    expect(await marked(PROJECT)).toEqual(['Zulu']);
    await byId('admin', 'deleteTemplate', global.id);
    await it.settled();
    expect(offered(PROJECT)).toEqual(['Alpha']);
    expect(parseDefaultTemplate(held(PROJECT, 'default-template'))).toBe(null);
  });

  describe('files', () => {
    const file = (account: string, args = '') => askAs(it, account).ask(`{ exportTemplates${args} }`);
    const take = (account: string, input: Record<string, unknown>) =>
      askAs(it, account).mutate(
        'importTemplates',
        input,
        'templates { name text projectId } notTaken { name message }',
      );

    test('what is written is read again, names told apart', async () => {
      await made('lead', { projectId: PROJECT, name: 'One', text: '- a "quoted"\n> ü' });
      const two = await made('lead', { projectId: PROJECT, name: 'Two' });
      await made('admin', { name: 'Global' });
      expect(JSON.parse(z.string().parse(await file('editor', `(${inProject}, ids: ["${two.id}"])`)))).toEqual({
        format: 'smart-checklist-templates',
        version: 1,
        templates: [{ name: 'Two', text: '- a\n# h\n+ b' }],
      });
      const written = await file('editor', `(${inProject})`);
      expect(await take('admin', { file: written })).toMatchObject({
        errors: [],
        templates: [
          { name: 'One', text: '- a "quoted"\n> ü', projectId: null },
          { name: 'Two', projectId: null },
        ],
        notTaken: [],
      });
      expect(await take('lead', { file: written, projectId: PROJECT })).toMatchObject({
        templates: [{ name: 'One (2)' }],
        notTaken: [{ name: 'Two', message: limitReached.projectTemplates }],
      });
    });

    test('refusals', async () => {
      const head = { format: 'smart-checklist-templates', version: 1 };
      for (const wrong of ['', 'x', '[]', '{}', JSON.stringify({ ...head, version: 2, templates: [] })]) {
        expect(await take('admin', { file: wrong })).toMatchObject(refused('UNREADABLE', 'file', messages.unreadable));
      }
      expect(await take('admin', { file: 'x'.repeat(400_001) })).toMatchObject({
        errors: [{ code: 'TOO_LARGE', field: 'file' }],
      });
      expect(await take('editor', { file: '' })).toMatchObject(site);
      expect(await take('editor', { file: '', projectId: PROJECT })).toMatchObject(project);
      const templates = [
        { name: 'x', text: '- a' },
        { name: 'Empty', text: '' },
        { name: 'Fine', text: 'a' },
      ];
      expect(await take('admin', { file: JSON.stringify({ ...head, templates }) })).toMatchObject({
        templates: [{ name: 'Fine' }],
        notTaken: [{ name: 'x' }, { name: 'Empty', message: "Checklist can't be empty." }],
      });
      await expect(file('viewer', `(${inProject})`)).rejects.toThrow(refusals.permission);
    });
  });

  test('several are applied at once, in their order, once for a client id', async () => {
    const one = await made('admin', { name: 'One', text: '- one\n' });
    const two = await made('lead', { projectId: PROJECT, name: 'Two', text: '> two' });
    const issue = await newIssue(it, ['BROWSE_PROJECTS', own('addItems')], 'adder');
    await use().raw('update tenant set manage_permissions = true where tenant = $1', [it.tenant.id]);
    issue.store('- there');
    const { epoch, seq, hash } = await issue.read();
    const apply = (templateIds: string[], clientId = 'once') =>
      mutate(it, 'adder', issue, 'applyTemplateToChecklist', {
        base: { epoch, seq, hash },
        clientId,
        templateIds,
        mode: 'APPEND',
      });
    for (let times = 1; times <= 2; times += 1) expect(await apply([two.id, one.id])).toMatchObject({ errors: [] });
    expect(issue.text()).toBe('- there\n- > two\n- one');
    const again = { templateIds: [one.id, two.id], mode: 'APPEND' };
    expect(await mutate(it, 'adder', issue, 'applyTemplateToChecklist', again)).toMatchObject({ errors: [] });
    expect(issue.text()).toBe('- there\n- > two\n- one\n- one\n\n> two');
    expect(await apply([], 'none')).toMatchObject({ errors: [{ code: 'REQUIRED', field: 'templateIds' }] });
    const many = Array.from({ length: 21 }, () => one.id);
    expect(await apply(many, 'many')).toMatchObject({ errors: [{ code: 'TOO_LARGE', field: 'templateIds' }] });
    expect(await apply([one.id, 'none'], 'gone')).toMatchObject({
      errors: [{ code: 'NOT_FOUND', field: 'templateIds' }],
    });
  });
});
