import * as v from 'valibot';
import { describe, expect, test, vi } from 'vitest';
import { limitReached, templates as messages, refusals } from '../../../src/domain/messages.ts';
import { startApp } from '../support/app.ts';
import { askAs, refused } from '../support/ask.ts';
import { EDITOR } from '../support/checklists.ts';
import { counting } from '../support/counting.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { IN_PROJECT, notOfProject, notOfSite, onTemplateSites } from '../support/templates.ts';

vi.setConfig({ testTimeout: 60_000 });

onTemplateSites((site, use) => {
  const { made } = site;

  describe('files', () => {
    const file = (account: string, args = '') => askAs(site.it, account).ask(`{ exportTemplates${args} }`);
    const take = (account: string, input: Record<string, unknown>) =>
      askAs(site.it, account).mutate(
        'importTemplates',
        input,
        'templates { name text projectId } notTaken { name message }',
      );

    test('an exported file is imported again, with duplicate names numbered', async () => {
      await made('lead', { projectId: PROJECT, name: 'One', text: '- a "quoted"\n> ü' });
      const two = await made('lead', { projectId: PROJECT, name: 'Two' });
      await made('admin', { name: 'Global' });
      expect(JSON.parse(v.parse(v.string(), await file('editor', `(${IN_PROJECT}, ids: ["${two.id}"])`)))).toEqual({
        format: 'smart-checklist-templates',
        version: 1,
        templates: [{ name: 'Two', text: '- a\n# h\n+ b' }],
      });
      const written = await file('editor', `(${IN_PROJECT})`);
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

    test('more than fits into one file is refused with its size; chosen ones are exported', async () => {
      const { id } = await made('admin', { name: 'Small', text: '- a' });
      await use().raw(
        `insert into template (tenant, id, project, name, text, account)
          select $1, 'large-' || n, null, 'Large ' || n, repeat(E'- row\n', 5000), 'admin' from generate_series(1, 40) n`,
        [site.it.tenant.id],
      );
      await expect(file('admin')).rejects.toThrow(messages.exportTooLarge(40 * 30_000 + 3, 1_000_000));
      const some = v.parse(v.string(), await file('admin', `(ids: ["${id}", "large-1", "large-40"])`));
      expect(JSON.parse(some).templates.map(({ name }: { name: string }) => name)).toEqual([
        'Large 1',
        'Large 40',
        'Small',
      ]);
      expect(JSON.parse(v.parse(v.string(), await file('lead', `(${IN_PROJECT})`))).templates).toEqual([]);
    });

    test('refusals', async () => {
      const head = { format: 'smart-checklist-templates', version: 1 };
      for (const wrong of ['', 'x', '[]', '{}', JSON.stringify({ ...head, version: 2, templates: [] })]) {
        expect(await take('admin', { file: wrong })).toMatchObject(refused('UNREADABLE', 'file', messages.unreadable));
      }
      expect(await take('admin', { file: 'x'.repeat(400_001) })).toMatchObject({
        errors: [{ code: 'TOO_LARGE', field: 'file' }],
      });
      expect(await take('editor', { file: '' })).toMatchObject(notOfSite);
      expect(await take('editor', { file: '', projectId: PROJECT })).toMatchObject(notOfProject);
      const templates = [
        { name: 'x', text: '- a' },
        { name: 'Empty', text: '' },
        { name: 'Fine', text: 'a' },
      ];
      expect(await take('admin', { file: JSON.stringify({ ...head, templates }) })).toMatchObject({
        templates: [{ name: 'Fine' }],
        notTaken: [{ name: 'x' }, { name: 'Empty', message: "Checklist can't be empty." }],
      });
      await expect(file('viewer', `(${IN_PROJECT})`)).rejects.toThrow(refusals.permission);
    });

    test('many templates of one name are numbered, with few statements', async () => {
      const { store, counted } = counting(use().store);
      const it = await startApp(store);
      it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
      const sameNames = Array.from({ length: 200 }, (_, index) => ({ name: ' Same', text: `- ${index}` }));
      const file = JSON.stringify({ format: 'smart-checklist-templates', version: 1, templates: sameNames });
      for (const first of [0, 200]) {
        const before = counted();
        const input = { file };
        const fields = 'templates { name text } notTaken { name }';
        const answer = await askAs(it, 'admin').mutate('importTemplates', input, fields);
        expect(counted() - before).toBeLessThan(60);
        expect(answer).toMatchObject({
          errors: [],
          templates: sameNames.map(({ text }, index) => {
            const number = first + index + 1;
            return { name: number === 1 ? 'Same' : `Same (${number})`, text };
          }),
          notTaken: [],
        });
      }
      await it.app.close();
    });
  });
});
