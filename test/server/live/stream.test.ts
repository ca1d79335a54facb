import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { failures } from '../../../src/domain/messages.ts';
import { templateSubject } from '../../../src/domain/subjects.ts';
import { publish } from '../../../src/server/store/live-events.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { EDITOR, newIssue, tick, update, workOn } from '../support/checklists.ts';
import { PROJECT } from '../support/making.ts';
import { onBothStores } from '../support/stores.ts';

const event = z.looseObject({ kind: z.string() });

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

  /** A stream as a browser reads it, with what it has heard so far. */
  async function listen(account: string, issues: string[], editing: string[] = [], assigned = false) {
    const { answer, stop } = await post({ issues, editing, assigned }, account);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const heard: z.infer<typeof event>[] = [];
    const ended = (async () => {
      let text = '';
      for await (const bytes of answer.body ?? []) {
        text += new TextDecoder().decode(bytes);
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) {
          if (part.startsWith('data: ')) heard.push(event.parse(JSON.parse(part.slice('data: '.length))));
        }
      }
    })().catch(() => undefined);
    await expect.poll(() => heard[0]).toEqual({ kind: 'open' });
    return { heard, stop, ended };
  }

  const someone = (granted = EDITOR) => {
    const account = randomUUID();
    it.tracker.granted.set(account, granted);
    return account;
  };

  test('a change is told to whoever shows the issue, and to nobody else', async () => {
    const author = someone();
    const issue = await newIssue(it, EDITOR, author);
    const other = await newIssue(it);
    const here = await listen(someone(), [issue.id]);
    const there = await listen(someone(), [other.id]);
    await issue.edit(update('- a'));
    await expect.poll(() => here.heard.at(-1)).toMatchObject({ kind: 'checklist', issue: issue.id });
    expect(here.heard.at(-1)).toHaveProperty('by', [author]);
    expect(there.heard).toEqual([{ kind: 'open' }]);
  });

  test('what the whole tenant is told, each of its streams hears; another tenant none of it', async () => {
    const stream = await listen(someone(), []);
    await use().store.tenant('another', tx => publish(tx, 'another', { kind: 'templates' }));
    await use().store.tenant(it.tenant.id, tx => publish(tx, it.tenant.id, { kind: 'settings' }));
    await expect.poll(() => stream.heard.at(-1)).toEqual({ kind: 'settings' });
    expect(stream.heard).toHaveLength(2);
  });

  test('an issue that the account may not see is not told of', async () => {
    const issue = await newIssue(it);
    const stream = await listen(someone([]), [issue.id, 'no id', '999999']);
    await issue.edit(update('- secret'));
    await use().store.tenant(it.tenant.id, tx => publish(tx, it.tenant.id, { kind: 'settings' }));
    await expect.poll(() => stream.heard.at(-1)).toEqual({ kind: 'settings' });
    expect(stream.heard).toEqual([{ kind: 'open' }, { kind: 'settings' }]);
  });

  test('without a session, or with a body that is none, there is no stream', async () => {
    const none = await fetch(`${address}/api/live`, { method: 'POST' });
    expect(none.status).toBe(401);
    expect((await post({ issues: 'all' }, someone())).answer.status).toBe(400);
    expect((await post({ issues: Array(101).fill('1') }, someone())).answer.status).toBe(400);
  });

  test('an answer of the tracker that makes no sense is not laid at the door of whoever asked', async () => {
    it.tracker.faults = [
      ({ path }) => (path.endsWith('/check') ? new Response('{"globalPermissions":5}', { status: 200 }) : undefined),
    ];
    const { answer } = await post({ issues: ['1'] }, someone());
    it.tracker.faults = [];
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ error: failures.unknown });
  });

  test('an account has only so many streams', async () => {
    const account = someone();
    const streams = await Promise.all(Array.from({ length: 20 }, () => listen(account, [])));
    const { answer } = await post({ issues: [] }, account);
    expect(answer.status).toBe(429);
    streams[0]?.stop();
    await expect.poll(async () => (await post({ issues: [] }, account)).answer.status).toBe(200);
  });

  test('nor has it more by asking for them at once', async () => {
    const account = someone();
    const issue = await newIssue(it, EDITOR, account);
    const answers = await Promise.all(Array.from({ length: 30 }, () => post({ issues: [issue.id] }, account)));
    const statuses = answers.map(({ answer }) => answer.status).toSorted();
    expect(statuses).toEqual([...Array(20).fill(200), ...Array(10).fill(429)]);
  });

  test('a stream that is refused takes no place', async () => {
    const account = someone();
    it.tracker.faults = [({ path }) => (path.endsWith('/check') ? 'down' : undefined)];
    const refused = Array.from({ length: 25 }, () => post({ issues: ['1'] }, account));
    for (const { answer } of await Promise.all(refused)) expect([429, 502]).toContain(answer.status);
    it.tracker.faults = [];
    expect((await post({ issues: [] }, account)).answer.status).toBe(200);
  });

  test('the tracker is asked once for all the issues of a stream', async () => {
    const account = someone();
    const issues = await Promise.all(Array.from({ length: 100 }, () => newIssue(it, EDITOR, account)));
    const ids = issues.map(({ id }) => id);
    const before = it.tracker.calls.length;
    const { answer } = await post({ issues: ids, editing: ids.slice(0, 20) }, account);
    expect(answer.status).toBe(200);
    expect(it.tracker.calls.slice(before).map(({ path }) => path)).toEqual(['/rest/api/3/permissions/check']);
  });

  test('one issue that the tracker does not know does not spoil the question for the others', async () => {
    const account = someone();
    const author = someone();
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
    await expect.poll(() => stream.heard.at(-1)).toMatchObject({ kind: 'checklist', issue: issue.id });
  });

  test('an editor that stays where it is wakes nobody', async () => {
    const account = someone();
    const issue = await newIssue(it, EDITOR, account);
    const watcher = await listen(someone(), [issue.id]);
    const query = 'mutation ($id: ID!, $row: Int!) { placeEditor(subjectId: $id, row: $row, mark: "0a1b2c3d") }';
    for (const row of [3, 3, 3, 4]) await it.graphql(account, query, { id: issue.id, row });
    await use().store.tenant(it.tenant.id, tx => publish(tx, it.tenant.id, { kind: 'settings' }));
    await expect.poll(() => watcher.heard.at(-1)).toEqual({ kind: 'settings' });
    expect(watcher.heard.filter(({ kind }) => kind === 'presence')).toHaveLength(2);
  });

  test('of places nothing is left once nobody is there, whoever named them and whatever died', async () => {
    const { raw } = use();
    const [issue, other] = [await newIssue(it), await newIssue(it)];
    const [editor, passer, next] = [someone(), someone(), someone()];
    const query = 'mutation ($id: ID!) { placeEditor(subjectId: $id, row: 3, mark: "0a1b2c3d") }';
    const places = () => raw('select account from presence_place where account = any($1)', [[editor, passer]]);
    await listen(editor, [issue.id], [issue.id]);
    for (const account of [editor, passer]) await it.graphql(account, query, { id: issue.id });
    await expect.poll(places).toHaveLength(2);
    // As a process leaves it that is killed.
    await raw("update presence set expires = now() - interval '1 second' where account = $1", [editor]);
    const last = await listen(next, [other.id], [other.id]);
    await expect.poll(() => raw('select account from presence where account = $1', [next])).toHaveLength(1);
    last.stop();
    await expect.poll(places).toEqual([]);
  });

  test('whoever shows items of his own is told when he gets, keeps or loses one, and not on which issue', async () => {
    const issue = await newIssue(it);
    const [his, other] = [someone(), someone()];
    const [here, there, elsewhere] = [
      await listen(his, [], [], true),
      await listen(other, [], [], true),
      await listen(his, []),
    ];
    const told = () => here.heard.filter(({ kind }) => kind === 'assigned').length;
    await issue.edit(update(`- a [~accountid:${his}]\n- b`));
    await expect.poll(told).toBe(1);
    await issue.edit(tick(1, 'b'));
    await expect.poll(told).toBe(2);
    await issue.edit(update('- a\n- b'));
    await expect.poll(told).toBe(3);
    await issue.edit(update('- a\n- c'));
    await issue.edit(update(`- a [~accountid:${his}]`));
    await expect.poll(told).toBe(4);
    expect(here.heard.slice(1)).toEqual(Array(4).fill({ kind: 'assigned' }));
    expect([...there.heard, ...elsewhere.heard]).toEqual([{ kind: 'open' }, { kind: 'open' }]);
  });

  test('more people than fit into what is told keep nobody from saving', async () => {
    const issue = await newIssue(it);
    const ids = Array.from({ length: 200 }, (_, index) => `${index}${'x'.repeat(120)}`);
    await issue.edit(update(ids.map(id => `- a [~accountid:${id}]`).join('\n')));
    await issue.edit(update(ids.map(id => `- b [~accountid:${id}]`).join('\n')));
    expect(await issue.text()).toContain('- b');
  });

  test('others are told who has an editor open, until it is closed', async () => {
    const issue = await newIssue(it);
    const [editor, reader] = [someone(), someone()];
    const editors = async (account: string) => {
      const query = 'query ($id: ID!) { editors(subjectId: $id) { account row mark } }';
      return (await it.graphql(account, query, { id: issue.id })).data?.editors;
    };
    const looking = await listen(reader, [issue.id]);
    const writing = await listen(editor, [issue.id], [issue.id]);
    await expect.poll(() => looking.heard.at(-1)).toEqual({ kind: 'presence', issue: issue.id });
    expect(await editors(reader)).toEqual([{ account: editor, row: null, mark: null }]);
    expect(await editors(editor)).toEqual([]);
    writing.stop();
    await expect.poll(() => editors(reader)).toEqual([]);
    await expect.poll(() => looking.heard.filter(({ kind }) => kind === 'presence')).toHaveLength(2);
  });

  test('whoever may only read is no editor, and a stranger is told of none', async () => {
    const issue = await newIssue(it);
    const reader = someone(['BROWSE_PROJECTS']);
    await listen(reader, [issue.id], [issue.id]);
    const ask = (account: string) =>
      it.graphql(account, 'query ($id: ID!) { editors(subjectId: $id) { account } }', { id: issue.id });
    expect((await ask(someone())).data?.editors).toEqual([]);
    expect((await ask(someone([]))).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });

  test('those who may change a template are told who else writes it', async () => {
    const insert =
      "insert into template (tenant, id, project, name, key, text, items, account) values ($1, $2, $3, $2, $2, '- a', 1, '')";
    const [site, own] = [`site-${randomUUID()}`, `own-${randomUUID()}`];
    await use().raw(insert, [it.tenant.id, site, null]);
    await use().raw(insert, [it.tenant.id, own, PROJECT]);
    const [admin, lead, other] = [
      someone([...EDITOR, 'ADMINISTER']),
      someone([...EDITOR, 'ADMINISTER_PROJECTS']),
      someone([...EDITOR, 'ADMINISTER_PROJECTS']),
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
    expect(new Set(looking.heard.slice(1).map(event => JSON.stringify(event)))).toEqual(
      new Set([JSON.stringify({ kind: 'presence', issue: templateSubject(own) })]),
    );
    expect((await place(lead, own)).data?.placeEditor).toBe(true);
    expect((await ask(admin, own)).data?.editors).toEqual([{ account: lead, row: 1 }]);
    // One of the site is its administrators' to change.
    expect((await ask(admin, site)).data?.editors).toEqual([]);
    for (const account of [lead, someone()]) {
      expect((await ask(account, site)).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
      expect((await place(account, site)).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    }
    for (const id of ['none', "' or 1"]) expect((await ask(admin, id)).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    writing.stop();
    await expect.poll(async () => (await ask(admin, own)).data?.editors).toEqual([]);
  });

  test('others are told at which row an editor is, as long as it is open', async () => {
    const issue = await newIssue(it);
    const [editor, reader] = [someone(), someone()];
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
    const before = looking.heard.length;
    expect((await move(editor, 3)).data?.placeEditor).toBe(true);
    expect(await editors()).toEqual([{ account: editor, row: 3, mark: '0a1b2c3d' }]);
    await expect.poll(() => looking.heard.length).toBeGreaterThan(before);
    await move(editor, 4, 'ffffffff');
    expect(await editors()).toEqual([{ account: editor, row: 4, mark: 'ffffffff' }]);
    writing.stop();
    await expect.poll(editors).toEqual([]);
    await listen(editor, [issue.id], [issue.id]);
    await expect.poll(editors).toEqual([{ account: editor, row: null, mark: null }]);
  });

  test('a place is taken only of somebody who may edit, and only if it is one', async () => {
    const issue = await newIssue(it);
    const mutation =
      'mutation ($id: ID!, $row: Int!, $mark: String!) { placeEditor(subjectId: $id, row: $row, mark: $mark) }';
    const move = (account: string, row: number, mark: string) =>
      it.graphql(account, mutation, { id: issue.id, row, mark });
    const answer = await move(someone(['BROWSE_PROJECTS']), 1, '0a1b2c3d');
    expect(answer.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    expect((await move(someone(), -1, '0a1b2c3d')).data?.placeEditor).toBe(false);
    expect((await move(someone(), 1, 'Write the secret plan')).data?.placeEditor).toBe(false);
  });

  test('a second process tells the first', async () => {
    const second = await use().second?.();
    if (!second) return;
    const issue = await newIssue(it);
    const stream = await listen(someone(), [issue.id]);
    await second.tenant(it.tenant.id, tx => publish(tx, it.tenant.id, { kind: 'checklist', issue: issue.id }));
    await expect.poll(() => stream.heard.at(-1)).toEqual({ kind: 'checklist', issue: issue.id });
  });

  test('a transaction that fails tells nothing', async () => {
    const stream = await listen(someone(), []);
    const failing = use().store.tenant(it.tenant.id, async tx => {
      await publish(tx, it.tenant.id, { kind: 'templates' });
      throw new Error('No.');
    });
    await expect(failing).rejects.toThrow('No.');
    await use().store.tenant(it.tenant.id, tx => publish(tx, it.tenant.id, { kind: 'settings' }));
    await expect.poll(() => stream.heard.at(-1)).toEqual({ kind: 'settings' });
    expect(stream.heard).toHaveLength(2);
  });

  test('an uninstalled tenant hears no more', async () => {
    const issue = await newIssue(it);
    // One of those whose end is written down.
    const stream = await listen(someone(), [issue.id], [issue.id]);
    await it.tenants.uninstall(it.tenant.id);
    await stream.ended;
    await it.tenants.install({ ...it.tenant, url: 'https://site.example.net' });
  });

  test('a server that closes ends its streams', async () => {
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

  test('the same issue as another account', async () => {
    const issue = await newIssue(it);
    const reader = someone(['BROWSE_PROJECTS']);
    const theirs = await workOn(it, issue.id, reader);
    expect(await theirs.checklists.allowed(issue.id, 'canViewChecklist')).toBe(true);
    expect(await theirs.checklists.allowed(issue.id, 'canEditChecklist')).toBe(false);
    expect(await theirs.checklists.allowed('no id', 'canViewChecklist')).toBe(false);
  });
});
