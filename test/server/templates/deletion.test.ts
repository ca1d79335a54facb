import { describe, expect, test, vi } from 'vitest';
import { templates as messages } from '../../../src/domain/messages.ts';
import { refused } from '../support/ask.ts';
import { PROJECT } from '../support/making.ts';
import { notOfSite, onTemplateSites } from '../support/templates.ts';

vi.setConfig({ testTimeout: 60_000 });

onTemplateSites((site, use) => {
  const { made, byId, list, names } = site;

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
    expect(await byId('editor', 'restoreTemplate', id)).toMatchObject(notOfSite);
    expect(await byId('admin', 'restoreTemplate', id)).toMatchObject({ errors: [], template: { id } });
    expect(await names('admin')).toEqual(['Release']);
    await use().raw(`update template set deleted = now() - interval '31 days' where id = $1`, [second.id]);
    await site.it.checklists.prune();
    expect(await byId('admin', 'restoreTemplate', second.id)).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
  });

  describe('while somebody is looked up who may change a template', () => {
    /** Happens once, while the tracker is asked who may do what. */
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
});
