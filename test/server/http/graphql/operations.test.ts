import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { starters } from '../../../../src/domain/templates/starters.ts';
import { demoTemplate } from '../../../../src/domain/templates.ts';
import { appOf, startApp } from '../../support/app.ts';
import { EDITOR, type IssueWork, newIssue, own } from '../../support/checklists.ts';
import { PROJECT } from '../../support/issue-creation.ts';
import { mutate } from '../../support/mutate.ts';
import { putTemplate } from '../../support/put-template.ts';
import { onStore } from '../../support/stores.ts';

const TEXT = '# One\n- a\n- b\n# Two\n- c';
const a = { index: 1, text: 'a' };
const one = { index: 0, text: 'One' };

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  async function issueWith(text: string, granted = EDITOR): Promise<IssueWork & { account: string }> {
    const account = randomUUID();
    const issue = await newIssue(it, granted, account);
    await issue.store(text);
    return { ...issue, account };
  }

  const run = async (name: string, input: Record<string, unknown>, text = TEXT) => {
    const issue = await issueWith(text);
    const answer = await mutate(it, issue.account, issue, name, input);
    return { ...answer, stored: await issue.text() };
  };

  const template = async (text: string, project: string | null = null) => {
    const id = randomUUID();
    const { tenant } = it;
    await use().store.tenant(tenant.id, tx =>
      putTemplate(tx, tenant.id, 'alice', { id, project, name: 'A template', text }),
    );
    return id;
  };

  describe('each operation has its effect', () => {
    test.each<[string, Record<string, unknown>, string]>([
      ['updateChecklistFromText', { text: '- other' }, '- other'],
      ['addChecklistItemsFromText', { text: 'new', index: 1 }, '# One\n- new\n- a\n- b\n# Two\n- c'],
      ['setItemStatus', { target: a, status: 'done' }, '# One\n+ a\n- b\n# Two\n- c'],
      ['updateChecklistItem', { target: a, values: { text: 'A' } }, '# One\n- A\n- b\n# Two\n- c'],
      ['updateChecklistItem', { target: a, values: { mandatory: true } }, '# One\n- ! a\n- b\n# Two\n- c'],
      ['updateChecklistItem', { target: a, values: { details: 'x\ny' } }, '# One\n- a\n> x\n> y\n- b\n# Two\n- c'],
      [
        'updateChecklistItem',
        { target: a, values: { assignee: 'ana' } },
        '# One\n- a [~accountid:ana]\n- b\n# Two\n- c',
      ],
      [
        'updateChecklistItem',
        { target: a, values: { dueDate: '2026-12-01' } },
        '# One\n- a 2026-12-01\n- b\n# Two\n- c',
      ],
      ['deleteChecklistItem', { target: a }, '# One\n- b\n# Two\n- c'],
      [
        'changeChecklistItems',
        {
          edits: [
            { kind: 'setItemStatus', target: a, status: 'done' },
            { kind: 'updateChecklistItem', target: { index: 2, text: 'b' }, values: { dueDate: '2026-12-01' } },
            { kind: 'deleteChecklistItem', target: { index: 4, text: 'c' } },
          ],
        },
        '# One\n+ a\n- b 2026-12-01\n# Two\n',
      ],
      ['moveChecklistItem', { targets: [a], section: false, index: 5 }, '# One\n- b\n# Two\n- c\n- a'],
      ['moveChecklistItem', { targets: [one], section: true, index: 5 }, '# Two\n- c\n# One\n- a\n- b'],
      ['clearChecklist', {}, ''],
      ['applyDemoTemplateToChecklist', { mode: 'REPLACE' }, demoTemplate.text],
      ['applyDemoTemplateToChecklist', { mode: 'APPEND' }, `${TEXT}\n${demoTemplate.text.trimEnd()}`],
    ])('%s %#', async (name, input, text) => {
      expect(await run(name, input)).toMatchObject({ errors: [], checklist: { text }, stored: text });
    });

    test('updateChecklistItem clears assignee and due date with null, and replaces mentions by names', async () => {
      const text = '- ask [~accountid:ana] first [~accountid:bob] 2026-12-01';
      const target = { index: 0, text: text.slice(2) };
      const cleared = await run(
        'updateChecklistItem',
        { target, values: { assignee: null, names: { ana: 'Ana' } } },
        text,
      );
      expect(cleared).toMatchObject({ errors: [], stored: '- ask Ana first 2026-12-01' });
      const undated = await run('updateChecklistItem', { target, values: { dueDate: null } }, text);
      expect(undated.stored).toBe('- ask [~accountid:ana] first [~accountid:bob]');
    });
  });

  describe('templates', () => {
    test('templates are appended, added to a section, or replace the checklist', async () => {
      const templateId = await template('- t1\n- t2');
      const apply = async (place: object) =>
        (await run('applyTemplateToChecklist', { templateIds: [templateId], ...place })).stored;
      expect(await apply({ mode: 'APPEND' })).toBe(`${TEXT}\n- t1\n- t2`);
      expect(await apply({ mode: 'APPEND', section: one })).toBe('# One\n- a\n- b\n- t1\n- t2\n# Two\n- c');
      expect(await apply({ mode: 'REPLACE', section: one })).toBe('# One\n- t1\n- t2\n# Two\n- c');
      expect(await apply({ mode: 'REPLACE' })).toBe('- t1\n- t2');
    });

    test("starter templates are applied with the site's own, and count as uses of none", async () => {
      const [starter] = starters;
      const templateIds = [await template('- t1'), starter?.id ?? ''];
      const { stored, errors } = await run('applyTemplateToChecklist', { templateIds, mode: 'REPLACE' });
      expect(errors).toEqual([]);
      expect(stored).toBe(`- t1\n${starter?.text}`);
      const only = await run('applyTemplateToChecklist', { templateIds: ['starter:bug'], mode: 'APPEND' });
      expect(only.stored).toContain('Root cause is found');
      expect(await run('applyTemplateToChecklist', { templateIds: ['starter:none'], mode: 'APPEND' })).toMatchObject({
        errors: [{ code: 'NOT_FOUND', field: 'templateIds' }],
      });
      expect(await use().raw("select 1 from template_use where template like 'starter:%'")).toEqual([]);
    });

    test('templates of other projects and other sites are not found', async () => {
      const issue = await issueWith(TEXT);
      const apply = async (templateId: string) =>
        mutate(it, issue.account, issue, 'applyTemplateToChecklist', { templateIds: [templateId], mode: 'APPEND' });
      expect(await apply(await template('- mine', PROJECT))).toMatchObject({ errors: [] });
      const refused = { errors: [{ code: 'NOT_FOUND', field: 'templateIds' }], checklist: null };
      expect(await apply(await template('- of another project', '10001'))).toMatchObject(refused);
      const [elsewhere, id] = [await startApp(use().store), randomUUID()];
      const foreign = { id, project: null, name: 'Foreign', text: '- foreign' };
      await use().store.tenant(elsewhere.tenant.id, tx => putTemplate(tx, elsewhere.tenant.id, 'eve', foreign));
      await elsewhere.app.close();
      expect(await apply(id)).toMatchObject(refused);
      expect(await apply('\u0000')).toMatchObject(refused);
      expect(await issue.text()).toBe(`${TEXT}\n- mine`);
    });

    test('with the permission to add items only, templates are appended, but replace nothing', async () => {
      await use().raw('update tenant set manage_permissions = true where tenant = $1', [it.tenant.id]);
      const issue = await issueWith(TEXT, ['BROWSE_PROJECTS', own('addItems')]);
      const apply = (mode: string) => mutate(it, issue.account, issue, 'applyDemoTemplateToChecklist', { mode });
      expect(await apply('REPLACE')).toMatchObject({ errors: [{ code: 'FORBIDDEN' }] });
      expect(await apply('APPEND')).toMatchObject({ errors: [] });
      await use().raw('update tenant set manage_permissions = false where tenant = $1', [it.tenant.id]);
    });
  });

  test('changes of several rows require the permission for each', async () => {
    await use().raw('update tenant set manage_permissions = true where tenant = $1', [it.tenant.id]);
    const issue = await issueWith(TEXT, ['BROWSE_PROJECTS', own('setStatus')]);
    const tick = { kind: 'setItemStatus', target: a, status: 'done' };
    const send = (...edits: object[]) => mutate(it, issue.account, issue, 'changeChecklistItems', { edits });
    expect(await send(tick, { kind: 'deleteChecklistItem', target: one })).toMatchObject({
      errors: [{ code: 'FORBIDDEN' }],
    });
    expect(await send(tick, { kind: 'setItemStatus', target: { index: 2, text: 'b' }, status: 'done' })).toMatchObject({
      errors: [],
      checklist: { text: '# One\n+ a\n+ b\n# Two\n- c' },
    });
    await use().raw('update tenant set manage_permissions = false where tenant = $1', [it.tenant.id]);
  });

  test('restoring a revision merges later foreign changes and is a revision, too', async () => {
    const issue = await issueWith('- a\n- b');
    const first = await mutate(it, issue.account, issue, 'setItemStatus', {
      target: { index: 0, text: 'a' },
      status: 'done',
    });
    const { checklist } = first;
    await mutate(it, issue.account, issue, 'updateChecklistFromText', { text: '- z' });
    const seen = await issue.read();
    await mutate(it, issue.account, issue, 'addChecklistItemsFromText', { text: 'new' });
    const { epoch, seq } = checklist ?? {};
    const base = { epoch: seen.epoch, seq: seen.seq, hash: seen.hash };
    const restored = await mutate(it, issue.account, issue, 'restoreChecklistRevision', { epoch, seq, base });
    expect(restored).toMatchObject({ errors: [], checklist: { text: '+ a\n- b\n- new' } });
    expect(await mutate(it, issue.account, issue, 'restoreChecklistRevision', { epoch, seq: 99 })).toMatchObject({
      errors: [{ code: 'NOT_FOUND', field: 'seq', message: 'This version of the checklist is no longer available.' }],
    });
    expect(await mutate(it, issue.account, issue, 'restoreChecklistRevision', { epoch: '\u0000', seq })).toMatchObject({
      errors: [{ code: 'NOT_FOUND' }],
    });
  });

  describe('a repeated client id is the same change', () => {
    test.each<[string, Record<string, unknown>]>([
      ['updateChecklistFromText', { text: '- other' }],
      ['addChecklistItemsFromText', { text: 'new' }],
      ['setItemStatus', { target: a, status: 'done' }],
      ['updateChecklistItem', { target: a, values: { details: 'x' } }],
      ['deleteChecklistItem', { target: a }],
      [
        'changeChecklistItems',
        {
          edits: [
            { kind: 'deleteChecklistItem', target: a },
            { kind: 'deleteChecklistItem', target: one },
          ],
        },
      ],
      ['moveChecklistItem', { targets: [a], section: false, index: 5 }],
      ['clearChecklist', {}],
      ['applyDemoTemplateToChecklist', { mode: 'APPEND' }],
    ])('%s', async (name, input) => {
      const issue = await issueWith(TEXT);
      const { epoch, seq, hash } = await issue.read();
      const sent = { ...input, base: { epoch, seq, hash }, clientId: randomUUID() };
      const [one, two] = [
        await mutate(it, issue.account, issue, name, sent),
        await mutate(it, issue.account, issue, name, sent),
      ];
      expect(one.errors).toEqual([]);
      expect(two).toEqual(one);
      expect((await issue.read()).seq).toBe(one.checklist?.seq);
    });

    test('a repeated client id succeeds after its template was deleted', async () => {
      const issue = await issueWith(TEXT);
      const templateId = await template('- t');
      const { epoch, seq, hash } = await issue.read();
      const sent = { templateIds: [templateId], mode: 'APPEND', base: { epoch, seq, hash }, clientId: randomUUID() };
      const first = await mutate(it, issue.account, issue, 'applyTemplateToChecklist', sent);
      await use().raw('delete from template where id = $1', [templateId]);
      expect(await mutate(it, issue.account, issue, 'applyTemplateToChecklist', sent)).toEqual(first);
      const again = { templateIds: [templateId], mode: 'APPEND' };
      expect(await mutate(it, issue.account, issue, 'applyTemplateToChecklist', again)).toMatchObject({
        errors: [{ code: 'NOT_FOUND', message: expect.stringContaining('no longer exists') }],
      });
    });
  });

  describe('a refusal names the invalid input, and nothing is changed', () => {
    const huge = 'x'.repeat(70_000);
    const gone = { index: 7, text: 'gone' };
    const values = (given: object) => ({ target: a, values: given });
    test.each<[string, Record<string, unknown>, string, string | null]>([
      ['updateChecklistFromText', { text: ' \n' }, 'CHECKLIST_REQUIRED', 'text'],
      ['updateChecklistFromText', { text: '- a', name: 'ab' }, 'TOO_SHORT', 'name'],
      ['updateChecklistFromText', { text: '- a', name: ' ' }, 'REQUIRED', 'name'],
      ['updateChecklistFromText', { text: '- a', name: 'n'.repeat(141) }, 'TOO_LONG', 'name'],
      ['updateChecklistFromText', { text: huge }, 'TOO_LARGE', 'text'],
      ['updateChecklistFromText', { text: 'x'.repeat(33_000) }, 'TOO_LARGE', 'text'],
      ['addChecklistItemsFromText', { text: ' > ' }, 'REQUIRED', 'text'],
      ['setItemStatus', { target: gone, status: 'done' }, 'CHANGED_MEANWHILE', 'target'],
      ['setItemStatus', { target: a, status: 'nowhere' }, 'UNKNOWN_STATUS', 'status'],
      ['setItemStatus', { target: one, status: 'done' }, 'NOT_AN_ITEM', 'target'],
      ['updateChecklistItem', values({ text: ' ' }), 'REQUIRED', 'text'],
      ['updateChecklistItem', values({ details: huge }), 'TOO_LARGE', 'text'],
      // Each mention of the account would become it.
      ['updateChecklistItem', values({ assignee: null, names: { x: 'x'.repeat(256) } }), 'TOO_LONG', 'names'],
      ['updateChecklistItem', values({ assignee: 'a b' }), 'INVALID_PERSON', 'assignee'],
      ['updateChecklistItem', values({ dueDate: '2026-02-30' }), 'INVALID_DAY', 'dueDate'],
      ['deleteChecklistItem', { target: gone }, 'CHANGED_MEANWHILE', 'target'],
      ['changeChecklistItems', { edits: [] }, 'REQUIRED', 'edits'],
      [
        'changeChecklistItems',
        { edits: Array(1_001).fill({ kind: 'deleteChecklistItem', target: a }) },
        'TOO_LARGE',
        'edits',
      ],
      // Each value is a reading of its row.
      [
        'changeChecklistItems',
        {
          edits: Array(501).fill({
            kind: 'updateChecklistItem',
            target: a,
            values: { text: 'b', mandatory: true, names: {} },
          }),
        },
        'TOO_LARGE',
        'edits',
      ],
      [
        'updateChecklistItem',
        { target: one, values: { gates: Array.from({ length: 1_001 }, (_, index) => `Gate ${index}`) } },
        'TOO_LARGE',
        'values',
      ],
      // One refused edit refuses all.
      [
        'changeChecklistItems',
        {
          edits: [
            { kind: 'deleteChecklistItem', target: a },
            { kind: 'setItemStatus', target: one, status: 'done' },
          ],
        },
        'NOT_AN_ITEM',
        'target',
      ],
      [
        'changeChecklistItems',
        {
          edits: [
            { kind: 'setItemStatus', target: a, status: 'done' },
            { kind: 'deleteChecklistItem', target: a },
          ],
        },
        'CHANGED_MEANWHILE',
        'target',
      ],
      [
        'changeChecklistItems',
        {
          edits: [
            { kind: 'updateChecklistItem', target: a, values: { text: huge } },
            { kind: 'deleteChecklistItem', target: one },
          ],
        },
        'TOO_LARGE',
        'text',
      ],
      ['moveChecklistItem', { targets: [], section: false, index: 0 }, 'REQUIRED', 'targets'],
      ['moveChecklistItem', { targets: [a], section: true, index: 0 }, 'NOT_A_HEADER', 'target'],
      ['moveChecklistItem', { targets: Array(1_001).fill(a), section: false, index: 0 }, 'TOO_LARGE', 'targets'],
      ['applyDemoTemplateToChecklist', { mode: 'APPEND', section: a }, 'NOT_A_HEADER', 'target'],
      ['applyTemplateToChecklist', { templateIds: ['none'], mode: 'APPEND' }, 'NOT_FOUND', 'templateIds'],
      ['clearChecklist', { base: { epoch: 'e', seq: 1, hash: 'h' } }, 'BASE_UNKNOWN', 'base'],
      ['clearChecklist', { clientId: 'a b' }, 'UNKNOWN', 'clientId'],
      ['clearChecklist', { issueId: '../../myself' }, 'NOT_FOUND', null],
    ])('%s %#', async (name, input, code, field) => {
      const { errors, checklist, stored } = await run(name, input);
      expect(errors).toMatchObject([{ code, field, message: expect.stringMatching(/\w+.*\.$/) }]);
      expect(checklist).toBeNull();
      expect(stored).toBe(TEXT);
    });

    test('the limit of an edition refuses growth, but no ticks', async () => {
      const limited = await startApp(use().store, {}, 3);
      const account = randomUUID();
      const issue = await newIssue(limited, EDITOR, account);
      await issue.store(TEXT);
      expect(await mutate(limited, account, issue, 'addChecklistItemsFromText', { text: 'd' })).toMatchObject({
        checklist: null,
        errors: [
          {
            code: 'LIMIT_REACHED',
            field: 'text',
            message: 'Reached maximum allowed items for Smart Checklist Free version',
          },
        ],
      });
      expect(await issue.text()).toBe(TEXT);
      const ticked = await mutate(limited, account, issue, 'setItemStatus', { target: a, status: 'done' });
      expect(ticked.errors).toEqual([]);
      await limited.app.close();
    });

    test('removing a mention inside a sentence needs a name; names of object properties are not accounts', async () => {
      for (const person of ['ana', 'constructor', '__proto__']) {
        const text = `- ask [~accountid:${person}] first`;
        const target = { index: 0, text: text.slice(2) };
        const { errors } = await run('updateChecklistItem', { target, values: { assignee: null } }, text);
        expect(errors).toMatchObject([{ code: 'NAME_REQUIRED', field: 'names' }]);
      }
    });
  });
});
