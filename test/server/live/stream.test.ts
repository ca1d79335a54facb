import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failures } from '../../../src/domain/messages.ts';
import { templateSubject } from '../../../src/domain/subjects.ts';
import { publish } from '../../../src/server/store/live-events.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { EDITOR, newIssue, tick, update, workOn } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { onBothStores } from '../support/stores.ts';

const event = v.looseObject({ kind: v.string() });

onBothStores(use => {
  let it: TestApp;
  let address: string;
  const readers: AbortController[] = [];

  beforeAll(async () => {
    it = await startApp(use().store);
    address = await it.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    for (const reader of readers) reader.abort();
    await it.app.close();
  });

  const post = async (body: unknown, account: string) => {
    const reader = new AbortController();
    readers.push(reader);
    const answer = await fetch(`${address}/api/live`, {
      method: 'POST',
      headers: { authorization: `JWT ${await it.session(account)}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: reader.signal,
    });
    return { answer, stop: () => reader.abort() };
  };

  /** Opens a stream as a browser does, and records its events. */
  async function listen(account: string, issues: string[], editing: string[] = [], assigned = false) {
    const { answer, stop } = await post({ issues, editing, assigned }, account);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events: v.InferOutput<typeof event>[] = [];
    const ended = (async () => {
      let text = '';
      for await (const bytes of answer.body ?? []) {
        text += new TextDecoder().decode(bytes);
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) {
          if (part.startsWith('data: ')) events.push(v.parse(event, JSON.parse(part.slice('data: '.length))));
        }
      }
    })().catch(() => undefined);
    await expect.poll(() => events[0]).toEqual({ kind: 'open' });
    return { events, stop, ended };
  }

  const accountWith = (granted = EDITOR) => {
    const account = randomUUID();
    it.tracker.granted.set(account, granted);
    return account;
  };

  test('a change is sent to streams with the issue, and to no others', async () => {
    const author = accountWith();
    const issue = await newIssue(it, EDITOR, author);
    const other = await newIssue(it);
    const here = await listen(accountWith(), [issue.id]);
    const there = await listen(accountWith(), [other.id]);
    await issue.edit(update('- a'));
    await expect.poll(() => here.events.at(-1)).toMatchObject({ kind: 'checklist', issue: issue.id });
    expect(here.events.at(-1)).toHaveProperty('by', [author]);
    expect(there.events).toEqual([{ kind: 'open' }]);
  });

  test("an event of the whole tenant is sent to each of its streams, and to no other tenant's", async () => {
    const stream = await listen(accountWith(), []);
    await use().store.tenant('another', tx => publish(tx, 'another', { kind: 'templates' }));
    await use().store.tenant(it.tenant.id, tx => publish(tx, it.tenant.id, { kind: 'settings' }));
    await expect.poll(() => stream.events.at(-1)).toEqual({ kind: 'settings' });
    expect(stream.events).toHaveLength(2);
  });

  test('events of an issue that the account cannot view are not sent', async () => {
    const issue = await newIssue(it);
    const stream = await listen(accountWith([]), [issue.id, 'no id', '999999']);
    await issue.edit(update('- secret'));
    await use().store.tenant(it.tenant.id, tx => publish(tx, it.tenant.id, { kind: 'settings' }));
    await expect.poll(() => stream.events.at(-1)).toEqual({ kind: 'settings' });
    expect(stream.events).toEqual([{ kind: 'open' }, { kind: 'settings' }]);
  });

  test('without a session or a valid body the stream is refused', async () => {
    const none = await fetch(`${address}/api/live`, { method: 'POST' });
    expect(none.status).toBe(401);
    expect((await post({ issues: 'all' }, accountWith())).answer.status).toBe(400);
    expect((await post({ issues: Array(101).fill('1') }, accountWith())).answer.status).toBe(400);
  });

  test('an invalid answer of the tracker is a server error', async () => {
    it.tracker.faults = [
      ({ path }) => (path.endsWith('/check') ? new Response('{"globalPermissions":5}', { status: 200 }) : undefined),
    ];
    const { answer } = await post({ issues: ['1'] }, accountWith());
    it.tracker.faults = [];
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ error: failures.unknown });
  });

  test('the number of streams per account is limited', async () => {
    const account = accountWith();
    const streams = await Promise.all(Array.from({ length: 20 }, () => listen(account, [])));
    const { answer } = await post({ issues: [] }, account);
    expect(answer.status).toBe(429);
    streams[0]?.stop();
    await expect.poll(async () => (await post({ issues: [] }, account)).answer.status).toBe(200);
  });

  test('concurrent requests do not exceed the limit', async () => {
    const account = accountWith();
    const issue = await newIssue(it, EDITOR, account);
    const answers = await Promise.all(Array.from({ length: 30 }, () => post({ issues: [issue.id] }, account)));
    const statuses = answers.map(({ answer }) => answer.status).toSorted();
    expect(statuses).toEqual([...Array(20).fill(200), ...Array(10).fill(429)]);
  });

  test('a refused stream does not count', async () => {
    const account = accountWith();
    it.tracker.faults = [({ path }) => (path.endsWith('/check') ? 'down' : undefined)];
    const refused = Array.from({ length: 25 }, () => post({ issues: ['1'] }, account));
    for (const { answer } of await Promise.all(refused)) expect([429, 502]).toContain(answer.status);
    it.tracker.faults = [];
    expect((await post({ issues: [] }, account)).answer.status).toBe(200);
  });

  test('permissions for all issues of a stream take one request', async () => {
    const account = accountWith();
    const issues = await Promise.all(Array.from({ length: 100 }, () => newIssue(it, EDITOR, account)));
    const ids = issues.map(({ id }) => id);
    const before = it.tracker.calls.length;
    const { answer } = await post({ issues: ids, editing: ids.slice(0, 20) }, account);
    expect(answer.status).toBe(200);
    expect(it.tracker.calls.slice(before).map(({ path }) => path)).toEqual(['/rest/api/3/permissions/check']);
  });

  test('an unknown issue does not prevent events of the others', async () => {
    const account = accountWith();
    const author = accountWith();
    const issue = await newIssue(it, EDITOR, author);
    it.tracker.faults = [
      ({ path, body }) =>
        path.endsWith('/check') && JSON.stringify(body).includes('987654')
          ? new Response('{"errorMessages":["No such issue."]}', { status: 400 })
          : undefined,
    ];
    const stream = await listen(account, [issue.id, '987654']);
    it.tracker.faults = [];
    await issue.edit(update('- a'));
    await expect.poll(() => stream.events.at(-1)).toMatchObject({ kind: 'checklist', issue: issue.id });
  });

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

  test('a stream with assigned items gets an event, without the issue, when the account gains, keeps or loses an item', async () => {
    const issue = await newIssue(it);
    const [assignee, other] = [accountWith(), accountWith()];
    const [here, there, elsewhere] = [
      await listen(assignee, [], [], true),
      await listen(other, [], [], true),
      await listen(assignee, []),
    ];
    const received = () => here.events.filter(({ kind }) => kind === 'assigned').length;
    await issue.edit(update(`- a [~accountid:${assignee}]\n- b`));
    await expect.poll(received).toBe(1);
    await issue.edit(tick(1, 'b'));
    await expect.poll(received).toBe(2);
    await issue.edit(update('- a\n- b'));
    await expect.poll(received).toBe(3);
    await issue.edit(update('- a\n- c'));
    await issue.edit(update(`- a [~accountid:${assignee}]`));
    await expect.poll(received).toBe(4);
    expect(here.events.slice(1)).toEqual(Array(4).fill({ kind: 'assigned' }));
    expect([...there.events, ...elsewhere.events]).toEqual([{ kind: 'open' }, { kind: 'open' }]);
  });

  test('more accounts than an event can hold do not prevent saving', async () => {
    const issue = await newIssue(it);
    const ids = Array.from({ length: 200 }, (_, index) => `${index}${'x'.repeat(120)}`);
    await issue.edit(update(ids.map(id => `- a [~accountid:${id}]`).join('\n')));
    await issue.edit(update(ids.map(id => `- b [~accountid:${id}]`).join('\n')));
    expect(await issue.text()).toContain('- b');
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
    await expect.poll(() => looking.events.at(-1)).toEqual({ kind: 'presence', issue: issue.id });
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
      new Set([JSON.stringify({ kind: 'presence', issue: templateSubject(own) })]),
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
    await expect.poll(() => events()).toEqual([{ kind: 'presence', issue: issue.id }]);
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

  test('events are sent between processes', async () => {
    const second = await use().second?.();
    if (!second) return;
    const issue = await newIssue(it);
    const stream = await listen(accountWith(), [issue.id]);
    await second.tenant(it.tenant.id, tx => publish(tx, it.tenant.id, { kind: 'checklist', issue: issue.id }));
    await expect.poll(() => stream.events.at(-1)).toEqual({ kind: 'checklist', issue: issue.id });
  });

  test('a transaction that is rolled back sends no event', async () => {
    const stream = await listen(accountWith(), []);
    const failing = use().store.tenant(it.tenant.id, async tx => {
      await publish(tx, it.tenant.id, { kind: 'templates' });
      throw new Error('No.');
    });
    await expect(failing).rejects.toThrow('No.');
    await use().store.tenant(it.tenant.id, tx => publish(tx, it.tenant.id, { kind: 'settings' }));
    await expect.poll(() => stream.events.at(-1)).toEqual({ kind: 'settings' });
    expect(stream.events).toHaveLength(2);
  });

  test('streams of an uninstalled tenant end', async () => {
    const issue = await newIssue(it);
    // A stream whose end writes presence.
    const stream = await listen(accountWith(), [issue.id], [issue.id]);
    await it.tenants.uninstall(it.tenant.id);
    await stream.ended;
    await it.tenants.install({ ...it.tenant, url: 'https://site.example.net' });
  });

  test('closing the server ends its streams', async () => {
    const another = await startApp(use().store);
    const port = await another.app.listen({ port: 0, host: '127.0.0.1' });
    const answer = await fetch(`${port}/api/live`, {
      method: 'POST',
      headers: { authorization: `JWT ${await another.session('a')}`, 'content-type': 'application/json' },
      body: '{"issues":[]}',
    });
    const read = answer.text();
    await another.app.close();
    expect(await read).toBe('data: {"kind":"open"}\n\n');
  });

  test('permissions of the same issue for another account', async () => {
    const issue = await newIssue(it);
    const reader = accountWith(['BROWSE_PROJECTS']);
    const theirs = await workOn(it, issue.id, reader);
    expect(await theirs.checklists.allowed(issue.id, 'canViewChecklist')).toBe(true);
    expect(await theirs.checklists.allowed(issue.id, 'canEditChecklist')).toBe(false);
    expect(await theirs.checklists.allowed('no id', 'canViewChecklist')).toBe(false);
  });
});
