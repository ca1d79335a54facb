import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { templateSubject } from '../../../../src/domain/templates/subjects.ts';
import { publish } from '../../../../src/server/store/live-events.ts';
import { EDITOR, newIssue } from '../../support/checklists.ts';
import { PROJECT } from '../../support/issue-creation.ts';
import { onLive } from '../../support/live.ts';

/** Who has an editor open, and where. */
onLive(({ use, it, listen, accountWith }) => {
  test('an editor that stays on its row causes no event', async () => {
    const account = accountWith();
    const issue = await newIssue(it, EDITOR, account);
    const watcher = await listen(accountWith(), [issue.id]);
    const query = 'mutation ($id: ID!, $row: Int!) { placeEditor(subjectId: $id, row: $row, mark: "0a1b2c3d") }';
    for (const row of [3, 3, 3, 4]) await it.graphql(account, query, { id: issue.id, row });
    await use().store.tenant(it.tenant.id, tx => publish(tx, it.tenant.id, { kind: 'settings' }));
    await expect.poll(() => watcher.events.at(-1)).toEqual({ kind: 'settings' });
    expect(watcher.events.filter(({ kind }) => kind === 'presence')).toHaveLength(2);
  });

  test('presence of ended and crashed streams is deleted', async () => {
    const { raw } = use();
    const [issue, other] = [await newIssue(it), await newIssue(it)];
    const [editor, passer, next] = [accountWith(), accountWith(), accountWith()];
    const query = 'mutation ($id: ID!) { placeEditor(subjectId: $id, row: 3, mark: "0a1b2c3d") }';
    const places = () => raw('select account from presence_place where account = any($1)', [[editor, passer]]);
    await listen(editor, [issue.id], [issue.id]);
    for (const account of [editor, passer]) await it.graphql(account, query, { id: issue.id });
    await expect.poll(places).toHaveLength(2);
    // The state after a process was killed.
    await raw("update presence set expires = now() - interval '1 second' where account = $1", [editor]);
    const last = await listen(next, [other.id], [other.id]);
    await expect.poll(() => raw('select account from presence where account = $1', [next])).toHaveLength(1);
    last.stop();
    await expect.poll(places).toEqual([]);
  });

  test('other users see who has an editor open, until it is closed', async () => {
    const issue = await newIssue(it);
    const [editor, reader] = [accountWith(), accountWith()];
    const editors = async (account: string) => {
      const query = 'query ($id: ID!) { editors(subjectId: $id) { account row mark } }';
      return (await it.graphql(account, query, { id: issue.id })).data?.editors;
    };
    const looking = await listen(reader, [issue.id]);
    const writing = await listen(editor, [issue.id], [issue.id]);
    await expect.poll(() => looking.events.at(-1)).toEqual({ kind: 'presence', issue: issue.id, by: [editor] });
    expect(await editors(reader)).toEqual([{ account: editor, row: null, mark: null }]);
    expect(await editors(editor)).toEqual([]);
    writing.stop();
    await expect.poll(() => editors(reader)).toEqual([]);
    await expect.poll(() => looking.events.filter(({ kind }) => kind === 'presence')).toHaveLength(2);
  });

  test('a reader is not listed as an editor, and editors are listed to viewers only', async () => {
    const issue = await newIssue(it);
    const reader = accountWith(['BROWSE_PROJECTS']);
    await listen(reader, [issue.id], [issue.id]);
    const ask = (account: string) =>
      it.graphql(account, 'query ($id: ID!) { editors(subjectId: $id) { account } }', { id: issue.id });
    expect((await ask(accountWith())).data?.editors).toEqual([]);
    expect((await ask(accountWith([]))).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });

  test('editors of a template are listed to its other editors', async () => {
    const insert =
      "insert into template (tenant, id, project, name, key, text, items, account) values ($1, $2, $3, $2, $2, '- a', 1, '')";
    const [site, own] = [`site-${randomUUID()}`, `own-${randomUUID()}`];
    await use().raw(insert, [it.tenant.id, site, null]);
    await use().raw(insert, [it.tenant.id, own, PROJECT]);
    const [admin, lead, other] = [
      accountWith([...EDITOR, 'ADMINISTER']),
      accountWith([...EDITOR, 'ADMINISTER_PROJECTS']),
      accountWith([...EDITOR, 'ADMINISTER_PROJECTS']),
    ];
    const ask = (account: string, id: string) =>
      it.graphql(account, 'query ($id: ID!) { editors(subjectId: $id) { account row } }', { id: templateSubject(id) });
    const place = (account: string, id: string) =>
      it.graphql(account, 'mutation ($id: ID!) { placeEditor(subjectId: $id, row: 1, mark: "0a1b2c3d") }', {
        id: templateSubject(id),
      });
    const both = [templateSubject(site), templateSubject(own)];
    const looking = await listen(other, both);
    const writing = await listen(lead, both, both);
    await listen(admin, both, both);
    await expect.poll(async () => (await ask(other, own)).data?.editors).toHaveLength(2);
    expect(new Set(looking.events.slice(1).map(event => JSON.stringify(event)))).toEqual(
      new Set(
        [lead, admin].map(account => JSON.stringify({ kind: 'presence', issue: templateSubject(own), by: [account] })),
      ),
    );
    expect((await place(lead, own)).data?.placeEditor).toBe(true);
    expect((await ask(admin, own)).data?.editors).toEqual([{ account: lead, row: 1 }]);
    // Only site administrators can change a site template.
    expect((await ask(admin, site)).data?.editors).toEqual([]);
    for (const account of [lead, accountWith()]) {
      expect((await ask(account, site)).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
      expect((await place(account, site)).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    }
    for (const id of ['none', "' or 1"]) expect((await ask(admin, id)).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    writing.stop();
    await expect.poll(async () => (await ask(admin, own)).data?.editors).toEqual([]);
  });

  test('other users see the row of an open editor', async () => {
    const issue = await newIssue(it);
    const [editor, reader] = [accountWith(), accountWith()];
    const editors = async () => {
      const query = 'query ($id: ID!) { editors(subjectId: $id) { account row mark } }';
      return (await it.graphql(reader, query, { id: issue.id })).data?.editors;
    };
    const move = (account: string, row: number, mark = '0a1b2c3d') =>
      it.graphql(
        account,
        'mutation ($id: ID!, $row: Int!, $mark: String!) { placeEditor(subjectId: $id, row: $row, mark: $mark) }',
        { id: issue.id, row, mark },
      );
    const looking = await listen(reader, [issue.id]);
    const writing = await listen(editor, [issue.id], [issue.id]);
    await expect.poll(editors).toHaveLength(1);
    const before = looking.events.length;
    expect((await move(editor, 3)).data?.placeEditor).toBe(true);
    expect(await editors()).toEqual([{ account: editor, row: 3, mark: '0a1b2c3d' }]);
    await expect.poll(() => looking.events.length).toBeGreaterThan(before);
    await move(editor, 4, 'ffffffff');
    expect(await editors()).toEqual([{ account: editor, row: 4, mark: 'ffffffff' }]);
    writing.stop();
    await expect.poll(editors).toEqual([]);
    await listen(editor, [issue.id], [issue.id]);
    await expect.poll(editors).toEqual([{ account: editor, row: null, mark: null }]);
  });

  test('other users see the row that is edited in the panel, until it is closed or its page is gone', async () => {
    const { raw } = use();
    const issue = await newIssue(it);
    const [editor, reader] = [accountWith(), accountWith()];
    const editors = async () => {
      const query = 'query ($id: ID!) { editors(subjectId: $id) { account row mark } }';
      return (await it.graphql(reader, query, { id: issue.id })).data?.editors;
    };
    const edit = (account: string, row?: number, mark = '0a1b2c3d') =>
      it.graphql(
        account,
        'mutation ($id: ID!, $row: Int, $mark: String) { editRow(issueId: $id, row: $row, mark: $mark) }',
        {
          id: issue.id,
          ...(row !== undefined && { row, mark }),
        },
      );
    const looking = await listen(reader, [issue.id]);
    const events = () => looking.events.filter(({ kind }) => kind === 'presence');
    expect((await edit(editor, 2)).data?.editRow).toBe(true);
    expect(await editors()).toEqual([{ account: editor, row: 2, mark: '0a1b2c3d' }]);
    await expect.poll(() => events()).toEqual([{ kind: 'presence', issue: issue.id, by: [editor] }]);
    // Repeated for an open field: no event.
    await edit(editor, 2);
    await edit(editor, 5);
    await expect.poll(() => events()).toHaveLength(2);
    expect(await editors()).toEqual([{ account: editor, row: 5, mark: '0a1b2c3d' }]);
    await edit(editor);
    expect(await editors()).toEqual([]);
    await edit(editor, 5);
    await raw("update presence set expires = now() - interval '1 second' where account = $1", [editor]);
    expect(await editors()).toEqual([]);
    await edit(editor, 5);
    expect(await editors()).toHaveLength(1);
    expect((await edit(editor, -1)).data?.editRow).toBe(false);
    expect((await edit(editor, 1, 'text')).data?.editRow).toBe(false);
  });

  test('the position of an editor requires edit permission and valid values', async () => {
    const issue = await newIssue(it);
    const mutation =
      'mutation ($id: ID!, $row: Int!, $mark: String!) { placeEditor(subjectId: $id, row: $row, mark: $mark) }';
    const move = (account: string, row: number, mark: string) =>
      it.graphql(account, mutation, { id: issue.id, row, mark });
    const answer = await move(accountWith(['BROWSE_PROJECTS']), 1, '0a1b2c3d');
    expect(answer.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    expect((await move(accountWith(), -1, '0a1b2c3d')).data?.placeEditor).toBe(false);
    expect((await move(accountWith(), 1, 'Write the secret plan')).data?.placeEditor).toBe(false);
  });
});
