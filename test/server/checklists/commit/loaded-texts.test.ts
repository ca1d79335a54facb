import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { appOf, startApp } from '../../support/app.ts';
import { EDITOR, newIssue, update } from '../../support/checklists.ts';
import { mutate } from '../../support/mutate.ts';
import { putTemplate } from '../../support/put-template.ts';
import { onStore } from '../../support/stores.ts';

const rows = (word: string, count = 900) =>
  Array.from({ length: count }, (_, index) => `- ${word} ${index}`).join('\n');

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  const template = async (text: string) => {
    const id = randomUUID();
    const values = { id, project: null, name: id, text };
    await use().store.tenant(it.tenant.id, tx => putTemplate(tx, it.tenant.id, 'admin', values));
    return id;
  };
  /** An issue with a short checklist, and changes of it by an account of its own. */
  const started = async () => {
    const account = randomUUID();
    const issue = await newIssue(it, EDITOR, account);
    await issue.edit(update('- a'));
    const run = (kind: string, values: Record<string, unknown>) => mutate(it, account, issue, kind, values);
    const apply = (templateIds: readonly string[]) => run('applyTemplateToChecklist', { templateIds, mode: 'APPEND' });
    it.turns.length = 0;
    return { account, issue, run, apply };
  };

  test('a large template is applied in a turn of its author, a small one without', async () => {
    const { account, issue, apply } = await started();
    const [small, large] = [await template('- b'), await template(rows('row'))];
    expect(await apply([small])).toMatchObject({ errors: [] });
    expect(it.turns).toEqual([]);
    expect(await apply([large])).toMatchObject({ errors: [] });
    expect(it.turns).toEqual([account]);
    expect((await issue.read()).text).toBe(`- a\n- b\n${rows('row')}`);
  });

  test('together, templates are refused beyond what the property holds, before they are read', async () => {
    const { issue, apply } = await started();
    const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => template(rows(`list ${index}`))));
    const refused = { errors: [{ code: 'TOO_LARGE', field: 'templateIds' }], checklist: null };
    expect(await apply(ids)).toMatchObject(refused);
    expect(it.turns).toEqual([]);
    expect((await issue.read()).text).toBe('- a');
    // What is left of the room is refused by the merge.
    expect(await apply(ids.slice(0, 3))).toMatchObject({ errors: [{ code: 'TOO_LARGE' }], checklist: null });
    expect((await issue.read()).text).toBe('- a');
  });

  test('a large version is restored in a turn of its author', async () => {
    const { account, issue, run } = await started();
    const { checklist } = await issue.edit(update(rows('row')));
    await issue.edit(update('- short'));
    it.turns.length = 0;
    const { epoch, seq } = checklist;
    expect(await run('restoreChecklistRevision', { epoch, seq })).toMatchObject({ errors: [] });
    expect(it.turns).toEqual([account]);
    expect((await issue.read()).text).toBe(rows('row'));
  });
});
