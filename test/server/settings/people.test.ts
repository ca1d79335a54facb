import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { askAs } from '../support/ask.ts';
import { EDITOR, newIssue, tick, update } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

/** What the tracker says of a person besides the account's id. */
const person = {
  accountId: 'ana-account',
  displayName: 'Ana Confidential',
  emailAddress: 'ana@people.example',
  avatarUrls: { '16x16': 'https://avatars.example/ana.png' },
};
const secrets = [person.displayName, person.emailAddress, 'avatars.example', '192.0.2.77'];

onStore(use => {
  /** Each table with its rows as text. */
  async function dump(): Promise<[table: string, rows: string][]> {
    const tables = await use().raw("select table_name from information_schema.tables where table_schema = 'public'");
    const dumped: [string, string][] = [];
    for (const { table_name: name } of tables) {
      const rows = await use().raw(`select row_to_json(t)::text as row from "${String(name)}" t`);
      dumped.push([String(name), rows.map(({ row }) => String(row)).join('\n')]);
    }
    return dumped;
  }

  test('of people the database keeps account ids, whatever the tracker says of them', async () => {
    const it = await startApp(use().store);
    it.tracker.granted.set(person.accountId, [...EDITOR, 'ADMINISTER']);
    const issue = await newIssue(it, EDITOR, person.accountId);
    const held = it.tracker.issues.get(issue.id);
    if (!held) throw new Error('No issue.');
    Object.assign(held.fields, { assignee: person, reporter: person });
    await issue.edit(update(`- a [~accountid:${person.accountId}] 2026-11-30`));
    await issue.edit(tick(0, `a [~accountid:${person.accountId}] 2026-11-30`));
    await issue.writeField('- theirs', person.accountId);
    for (const entry of held.histories ?? []) Object.assign(entry, { author: person });
    const path = `/webhooks/issue-updated?issueId=${issue.id}`;
    const event = { user: person, issue: { id: issue.id, fields: { assignee: person, creator: person } } };
    const sent = await it.app.inject({
      ...{ method: 'POST', url: path, payload: event, remoteAddress: '192.0.2.77' },
      headers: { authorization: `JWT ${it.requestToken('POST', path, { sub: person.accountId })}` },
    });
    expect(sent.statusCode).toBe(204);
    await it.settled();
    const template = { name: 'Release', text: '- a' };
    await askAs(it, person.accountId).mutate('createTemplateFromText', template, 'template { id }');

    const dumped = await dump();
    expect(dumped.length).toBeGreaterThan(30);
    for (const [table, rows] of dumped) {
      for (const secret of secrets) expect(rows.includes(secret), `${secret} in ${table}`).toBe(false);
    }
    const named = dumped.filter(([, rows]) => rows.includes(person.accountId)).map(([table]) => table);
    expect(named).toContain('revision');
    await it.app.close();
  });
});
