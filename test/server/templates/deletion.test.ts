import * as v from 'valibot';
import { describe, expect, test, vi } from 'vitest';
import { templates as messages, refusals } from '../../../src/domain/messages.ts';
import { askAs, refused } from '../support/ask.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { notOfSite, onTemplateSites } from '../support/templates.ts';

vi.setConfig({ testTimeout: 60_000 });

onTemplateSites((site, use) => {
  const { made, byId, list, names } = site;

  test('a deletion is undone, with the old name if it is free', async () => {
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
    expect(await byId('editor', 'restoreTemplate', id)).toMatchObject(notOfSite);
    expect(await byId('admin', 'restoreTemplate', id)).toMatchObject({ errors: [], template: { id } });
    expect(await names('admin')).toEqual(['Release']);
    await use().raw(`update template set deleted = now() - interval '31 days' where id = $1`, [second.id]);
    await site.it.checklists.prune(site.it.tenant.id);
    expect(await byId('admin', 'restoreTemplate', second.id)).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
  });

  test('deleted templates are listed for 30 days, to those who can restore them', async () => {
    const deletedBy = (account: string, project?: string) =>
      askAs(site.it, account).ask(
        `query run($projectId: ID) { deletedTemplates(projectId: $projectId) {
          name projectId itemCount deleted restorableUntil } }`,
        { projectId: project ?? null },
      );
    const ofSite = await made('admin', { name: 'Of the site' });
    const ofProject = await made('admin', { name: 'Of the project', projectId: PROJECT });
    const old = await made('admin', { name: 'Too old' });
    for (const { id } of [ofSite, ofProject, old]) await byId('admin', 'deleteTemplate', id);
    await made('admin', { name: 'Kept' });
    const ago = (id: string, interval: string) =>
      use().raw(`update template set deleted = now() - interval '${interval}' where id = $1`, [id]);
    await ago(ofSite.id, '1 day');
    await ago(old.id, '31 days');
    const inProject = { name: 'Of the project', projectId: PROJECT, itemCount: 2 };
    const all = [inProject, { name: 'Of the site', projectId: null }];
    const answer = await deletedBy('admin');
    expect(answer).toMatchObject(all);
    const [, first] = v.parse(v.array(v.object({ deleted: v.string(), restorableUntil: v.string() })), answer);
    if (!first) throw new Error('No deleted template.');
    expect(Date.parse(first.restorableUntil) - Date.parse(first.deleted)).toBe(30 * 86_400_000);
    expect(await deletedBy('admin', PROJECT)).toMatchObject(all);
    expect(await deletedBy('lead', PROJECT)).toMatchObject([inProject]);
    await expect(deletedBy('lead')).rejects.toThrow(refusals.permission);
    await expect(deletedBy('editor', PROJECT)).rejects.toThrow(refusals.projectAdmin);
    await byId('lead', 'restoreTemplate', ofProject.id);
    expect(await deletedBy('lead', PROJECT)).toEqual([]);
  });

  describe('during the permission check of a change', () => {
    /** Runs once, during a permission check. */
    const meanwhile = (happens: () => Promise<unknown>) => {
      let due = true;
      site.it.tracker.meanwhile.push(({ path }) => {
        if (!due || !path.endsWith('/permissions/check')) return undefined;
        due = false;
        return happens();
      });
    };
    const set = (id: string, columns: string) => use().raw(`update template set ${columns} where id = $1`, [id]);
    const gone = refused('NOT_FOUND', 'id', messages.notFound);

    test('moved to the site, a template is neither deleted nor restored', async () => {
      const { id } = await made('admin', { projectId: PROJECT });
      meanwhile(() => set(id, 'project = null'));
      expect(await byId('lead', 'deleteTemplate', id)).toMatchObject(gone);
      expect(await names('admin')).toEqual(['Release']);
      await set(id, `project = '${PROJECT}', deleted = now()`);
      meanwhile(() => set(id, 'project = null'));
      expect(await byId('lead', 'restoreTemplate', id)).toMatchObject(gone);
      expect(await names('admin')).toEqual([]);
    });

    test('edited, a template is returned with its new text', async () => {
      const { id } = await made('admin', { projectId: PROJECT });
      meanwhile(() => set(id, `text = '- newer'`));
      expect(await byId('lead', 'deleteTemplate', id)).toMatchObject({ template: { text: '- newer' } });
    });

    test('deleted, or restored with another text, a template stays so', async () => {
      const { id } = await made('admin', { projectId: PROJECT });
      meanwhile(() => set(id, 'deleted = now()'));
      expect(await byId('lead', 'deleteTemplate', id)).toMatchObject(gone);
      meanwhile(() => set(id, `deleted = null, text = '- newer'`));
      expect(await byId('lead', 'restoreTemplate', id)).toMatchObject(gone);
      expect((await list('admin')).templates).toMatchObject([{ text: '- newer' }]);
    });
  });
});
