import { beforeEach, expect, test } from 'vitest';
import { appOf, startApp } from '../support/app.ts';
import { askAs } from '../support/ask.ts';
import { add, EDITOR, newIssue } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';

/** Values of lists that cannot be read count as unknown: their row is off or left out, the other ones go on. */
onStore(use => {
  const it = appOf(beforeEach, () => startApp(use().store));
  beforeEach(async () => {
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
  });
  const damage = (statement: string) => use().raw(statement, [it.tenant.id]);
  const admin = () => askAs(it, 'admin');

  test('ids of rows in the history', async () => {
    provokes({ differences: true });
    const issue = await newIssue(it, EDITOR, 'editor');
    await issue.edit(add('a'));
    await issue.edit(add('b'));
    await damage(`update revision set rows = '7' where tenant = $1`);
    const entries = await admin().ask(
      'query history($id: ID!) { checklistHistory(issueId: $id) { entries { changes { kind } } } }',
      { id: issue.id },
    );
    expect(entries).toEqual({ entries: [{ changes: [{ kind: 'ADDED' }] }, { changes: [{ kind: 'ADDED' }] }] });
    await admin().ask('query touches($id: ID!) { checklistTouches(issueId: $id) { kind } }', { id: issue.id });
  });

  const WEBHOOK = `insert into webhook (tenant, id, direction, name, url, events, projects, enabled, with_text, automated, account)
    values ($1,`;
  test('webhooks', async () => {
    await damage(`${WEBHOOK} 'a', 'OUTGOING', 'a', 'https://a.example', '7', '[]', true, false, false, 'admin')`);
    await damage(
      `${WEBHOOK} 'b', 'OUTGOING', 'b', 'https://b.example', '[]', '{"x": 1}', true, false, false, 'admin')`,
    );
    await damage(`${WEBHOOK} 'c', 'OUTGOING', 'c', 'https://c.example', '[]', '[]', true, false, false, 'admin')`);
    const issue = await newIssue(it, EDITOR, 'editor');
    await issue.edit(add('a'));
    expect(await admin().ask('{ webhooks { id enabled projectIds } }')).toEqual([
      { id: 'a', enabled: false, projectIds: [] },
      { id: 'b', enabled: false, projectIds: [] },
      { id: 'c', enabled: true, projectIds: [] },
    ]);
  });

  test('rules that add templates', async () => {
    for (const [id, projects, moment] of [
      ['a', '7', 'CREATED'],
      ['b', '[]', 'SOMETIME'],
      ['c', '[]', 'CREATED'],
    ])
      await damage(`insert into template_rule
        (tenant, id, template, projects, issue_types, moment, statuses, enabled, account, position)
        values ($1, '${id}', 't', '${projects}', '[]', '${moment}', '[]', true, 'admin', 1)`);
    expect(await admin().ask('{ templateAssignments { id enabled } }')).toEqual([
      { id: 'a', enabled: false },
      { id: 'b', enabled: false },
      { id: 'c', enabled: true },
    ]);
  });

  test('permissions that were granted', async () => {
    const issue = await newIssue(it, EDITOR, 'editor');
    await damage(`update access_grant set granted = '7', sees = 'all' where tenant = $1`);
    await issue.edit(add('a'));
    expect(await issue.read()).toMatchObject({ text: '- a' });
  });
});
