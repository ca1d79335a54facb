import { describe, expect, test, vi } from 'vitest';
import { templates as messages } from '../../../src/domain/messages.ts';
import { refused } from '../support/ask.ts';
import { EDITOR, newIssue, own, update } from '../support/checklists.ts';
import { PROJECT } from '../support/making.ts';
import { mutate } from '../support/mutate.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { notOfProject, notOfSite, onTemplateSites } from '../support/templates.ts';

vi.setConfig({ testTimeout: 60_000 });

onTemplateSites((site, use) => {
  const { run, made } = site;

  describe('from a checklist', () => {
    const save = (account: string, input: Record<string, unknown>) =>
      run(account, 'createTemplateFromChecklist', { name: 'Saved', keepStatuses: false, projectId: PROJECT, ...input });

    test('all items are to do again, or stay as they are', async () => {
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

  test('several are applied at once, in their order, once for a client id', async () => {
    const one = await made('admin', { name: 'One', text: '- one\n' });
    const two = await made('lead', { projectId: PROJECT, name: 'Two', text: '> two' });
    const issue = await newIssue(site.it, ['BROWSE_PROJECTS', own('addItems')], 'adder');
    await use().raw('update tenant set manage_permissions = true where tenant = $1', [site.it.tenant.id]);
    issue.store('- there');
    const { epoch, seq, hash } = await issue.read();
    const apply = (templateIds: string[], clientId = 'once') =>
      mutate(site.it, 'adder', issue, 'applyTemplateToChecklist', {
        base: { epoch, seq, hash },
        clientId,
        templateIds,
        mode: 'APPEND',
      });
    for (let times = 1; times <= 2; times += 1) expect(await apply([two.id, one.id])).toMatchObject({ errors: [] });
    expect(issue.text()).toBe('- there\n- > two\n- one');
    const again = { templateIds: [one.id, two.id], mode: 'APPEND' };
    expect(await mutate(site.it, 'adder', issue, 'applyTemplateToChecklist', again)).toMatchObject({ errors: [] });
    expect(issue.text()).toBe('- there\n- > two\n- one\n- one\n\n> two');
    expect(await apply([], 'none')).toMatchObject({ errors: [{ code: 'REQUIRED', field: 'templateIds' }] });
    const many = Array.from({ length: 21 }, () => one.id);
    expect(await apply(many, 'many')).toMatchObject({ errors: [{ code: 'TOO_LARGE', field: 'templateIds' }] });
    expect(await apply([one.id, 'none'], 'gone')).toMatchObject({
      errors: [{ code: 'NOT_FOUND', field: 'templateIds' }],
    });
  });
});
