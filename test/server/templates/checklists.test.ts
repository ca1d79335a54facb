import { describe, expect, test, vi } from 'vitest';
import { templates as messages } from '../../../src/domain/messages.ts';
import { refused } from '../support/ask.ts';
import { EDITOR, newIssue, own, update } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { mutate } from '../support/mutate.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { notOfProject, notOfSite, onTemplateSites } from '../support/templates.ts';

vi.setConfig({ testTimeout: 60_000 });

const NOWHERE = { epoch: '', seq: 0, hash: '', text: '' };

onTemplateSites((site, use) => {
  const { run, made } = site;

  describe('from a checklist', () => {
    const save = (account: string, input: Record<string, unknown>) =>
      run(account, 'createTemplateFromChecklist', { name: 'Saved', keepStatuses: false, projectId: PROJECT, ...input });

    test('items are reset to do, or keep their statuses', async () => {
      const issue = await newIssue(site.it, EDITOR, 'editor');
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
      const issue = await newIssue(site.it, EDITOR, 'editor');
      expect(await save('editor', { issueId: issue.id })).toMatchObject(
        refused('CHECKLIST_REQUIRED', 'issueId', messages.noChecklist),
      );
      await issue.edit(update('- a'));
      expect(await save('editor', { issueId: issue.id, projectId: null })).toMatchObject(notOfSite);
      expect(await save('editor', { issueId: issue.id, projectId: OTHER_PROJECT })).toMatchObject(notOfProject);
      expect(await save('viewer', { issueId: issue.id })).toMatchObject(notOfSite);
      expect(await save('editor', { issueId: '7' })).toMatchObject(notOfSite);
      expect(await save('admin', { issueId: issue.id, projectId: null })).toMatchObject({ errors: [] });
    });
  });

  test('several templates are applied in order, once per client id', async () => {
    const one = await made('admin', { name: 'One', text: '- one\n' });
    const two = await made('lead', { projectId: PROJECT, name: 'Two', text: '> two' });
    const issue = await newIssue(site.it, ['BROWSE_PROJECTS', own('addItems')], 'adder');
    await use().raw('update tenant set manage_permissions = true where tenant = $1', [site.it.tenant.id]);
    await issue.store('- there');
    const { epoch, seq, hash } = await issue.read();
    const apply = (templateIds: string[], clientId = 'once') =>
      mutate(site.it, 'adder', issue, 'applyTemplateToChecklist', {
        base: { epoch, seq, hash },
        clientId,
        templateIds,
        mode: 'APPEND',
      });
    for (let times = 1; times <= 2; times += 1) expect(await apply([two.id, one.id])).toMatchObject({ errors: [] });
    expect(await issue.text()).toBe('- there\n- > two\n- one');
    const again = { templateIds: [one.id, two.id], mode: 'APPEND' };
    expect(await mutate(site.it, 'adder', issue, 'applyTemplateToChecklist', again)).toMatchObject({ errors: [] });
    expect(await issue.text()).toBe('- there\n- > two\n- one\n- one\n\n> two');
    expect(await apply([], 'none')).toMatchObject({ errors: [{ code: 'REQUIRED', field: 'templateIds' }] });
    const many = Array.from({ length: 21 }, () => one.id);
    expect(await apply(many, 'many')).toMatchObject({ errors: [{ code: 'TOO_LARGE', field: 'templateIds' }] });
    expect(await apply([one.id, 'none'], 'gone')).toMatchObject({
      errors: [{ code: 'NOT_FOUND', field: 'templateIds' }],
    });
  });

  test('a project template is applied without a call to the tracker, and not after the issue moved', async () => {
    const { it } = site;
    const { id: template } = await made('lead', { projectId: PROJECT, name: 'Of the project', text: '- one' });
    const issue = await newIssue(it, EDITOR, 'editor');
    const apply = (from?: { base: typeof NOWHERE }) =>
      mutate(it, 'editor', issue, 'applyTemplateToChecklist', { ...from, templateIds: [template], mode: 'APPEND' });
    const readsOf = async (work: () => Promise<unknown>) => {
      const { length } = it.tracker.calls;
      await work();
      return it.tracker.calls.slice(length).filter(({ method, path }) => method === 'GET' && path.endsWith(issue.id));
    };
    // An issue unknown to the database is read once.
    const first = async () => expect(await apply({ base: NOWHERE })).toMatchObject({ errors: [] });
    expect(await readsOf(first)).toHaveLength(1);
    expect(await readsOf(async () => expect(await apply()).toMatchObject({ errors: [] }))).toEqual([]);
    expect((await issue.text()).split('\n')).toEqual(['- one', '- one']);

    const { fields = {} } = it.tracker.issues.get(issue.id) ?? {};
    fields.project = { id: OTHER_PROJECT, key: 'OP' };
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    const changes = [{ id: 'project', name: 'project', to: OTHER_PROJECT }];
    await it.sync.noticed({ tenant, account: 'editor' }, issue.id, { kind: 'updated', mayHide: true, changes });
    await it.settled();
    expect(await apply()).toMatchObject({ errors: [{ code: 'NOT_FOUND', field: 'templateIds' }] });
    expect((await issue.text()).split('\n')).toEqual(['- one', '- one']);
  });
});
