import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test, vi } from 'vitest';
import { failures } from '../../../../src/domain/messages.ts';
import { publish } from '../../../../src/server/store/live-events.ts';
import { startApp } from '../../support/app.ts';
import { EDITOR, newIssue, tick, update, workOn } from '../../support/checklists.ts';
import { provokes } from '../../support/left-behind.ts';
import { onLive } from '../../support/live.ts';

/** Streams of live events, and who gets which. */
onLive(({ use, it, address, post, listen, accountWith }) => {
  test('a change is sent to streams with the issue, and to no others', async () => {
    const author = accountWith();
    const issue = await newIssue(it, EDITOR, author);
    const other = await newIssue(it);
    const here = await listen(accountWith(), [issue.id]);
    const there = await listen(accountWith(), [other.id]);
    await issue.edit(update('- a'));
    await expect
      .poll(() => here.events.at(-1))
      .toMatchObject({ kind: 'checklist', issue: issue.id, seq: expect.any(Number) });
    expect(here.events.at(-1)).toHaveProperty('by', [author]);
    expect(there.events).toEqual([{ kind: 'open' }]);
  });

  test('a changed status of an issue is sent to the panels of that issue', async () => {
    const issue = await newIssue(it);
    const other = await newIssue(it);
    const here = await listen(accountWith(), [issue.id]);
    const there = await listen(accountWith(), [other.id]);
    const url = `/webhooks/issue-updated?issueId=${issue.id}`;
    const headers = { authorization: `JWT ${it.requestToken('POST', url)}`, 'content-type': 'application/json' };
    const update = (field: string) => {
      const payload = { changelog: { items: [{ field, fieldId: field, from: '1', to: '2' }] } };
      return it.app.inject({ method: 'POST', url, headers, payload });
    };
    expect((await update('labels')).statusCode).toBe(204);
    expect((await update('status')).statusCode).toBe(204);
    await expect.poll(() => here.events.at(-1)).toEqual({ kind: 'status', issue: issue.id });
    expect(here.events).toHaveLength(2);
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
    const none = await fetch(`${address()}/api/live`, { method: 'POST' });
    expect(none.status).toBe(401);
    expect((await post({ issues: 'all' }, accountWith())).answer.status).toBe(400);
    expect((await post({ issues: Array(101).fill('1') }, accountWith())).answer.status).toBe(400);
  });

  test('an invalid answer of the tracker is a server error', async () => {
    provokes({ errors: /Mismatch/, answers: [500] });
    it.tracker.faults = [
      ({ path }) => (path.endsWith('/check') ? new Response('{"globalPermissions":5}', { status: 200 }) : undefined),
    ];
    const { answer } = await post({ issues: ['1'] }, accountWith());
    it.tracker.faults = [];
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ error: failures.unknown });
  });

  test('a client that is gone before its permissions are known leaves no error and no stream', async () => {
    const account = accountWith();
    const issue = await newIssue(it);
    const closed = vi.spyOn(it.metrics.streams, 'dec');
    const connected = once(it.app.server, 'connection');
    it.tracker.meanwhile = [
      async ({ path }) => {
        if (!path.endsWith('/check')) return;
        const [socket] = await connected;
        socket.destroy();
        await once(socket, 'close');
      },
    ];
    const headers = { authorization: `JWT ${await it.session(account)}`, 'content-type': 'application/json' };
    const asked = request(`${address()}/api/live`, { method: 'POST', agent: false, headers });
    asked.end(JSON.stringify({ issues: [issue.id] }));
    await once(asked, 'error');
    await expect.poll(() => closed.mock.calls.length).toBe(1);
    it.tracker.meanwhile = [];
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
    provokes({ answers: [503] });
    const account = accountWith();
    it.tracker.faults = [({ path }) => (path.endsWith('/check') ? 'down' : undefined)];
    const refused = Array.from({ length: 25 }, () => post({ issues: ['1'] }, account));
    for (const { answer } of await Promise.all(refused)) expect([429, 503]).toContain(answer.status);
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
    await expect
      .poll(() => stream.events.at(-1))
      .toMatchObject({ kind: 'checklist', issue: issue.id, seq: expect.any(Number) });
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
