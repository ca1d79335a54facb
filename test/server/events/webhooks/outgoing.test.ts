import { beforeEach, expect, test, vi } from 'vitest';
import { RetryLater } from '../../../../src/server/queue/queue.ts';
import { startApp, type TestApp, webhookHosts } from '../../support/app.ts';
import { add, EDITOR, type IssueWork, newIssue, tick } from '../../support/checklists.ts';
import { PROJECT } from '../../support/issue-creation.ts';
import { provokes } from '../../support/left-behind.ts';
import { isSignedWith, type Received, type Receiver, startReceiver } from '../../support/receiver.ts';
import { onStore } from '../../support/stores.ts';
import { webhooksAs } from '../../support/webhooks.ts';

vi.setConfig({ testTimeout: 60_000 });

const DAY = 24 * 3_600_000;

onStore(use => {
  let it: TestApp;
  let receiver: Receiver;
  let issue: IssueWork;

  beforeEach(async () => {
    receiver = await startReceiver();
    it = await startApp(use().store, { WEBHOOK_HOSTS: webhookHosts(receiver) });
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    issue = await newIssue(it, EDITOR, 'ana');
    await issue.edit(add('- a secret plan\n- b'));
    await it.release('send-webhooks');
    return () => it.app.close();
  });

  const hooks = () => webhooksAs(it, 'admin');
  const made = (values: Record<string, unknown> = {}) =>
    hooks().made({
      ...{ direction: 'OUTGOING', name: 'Dashboard', url: receiver.url, events: ['item.completed'] },
      ...values,
    });
  const eventsOf = (requests: readonly Received[]) => requests.map(({ body }) => JSON.parse(body).event);
  const sent = () => it.release('send-webhooks');
  const only = async () => (await hooks().list())[0];

  test('a completed item is sent once, signed, without texts', async () => {
    const { id, secret } = await made();
    await issue.edit(tick(0, 'a secret plan'));
    expect(await sent()).toEqual([]);
    await sent();
    const [request, ...others] = receiver.received;
    expect(others).toEqual([]);
    if (!request) throw new Error('Nothing was received.');
    expect(isSignedWith(secret, request)).toBe(true);
    expect(isSignedWith(`${secret}x`, request)).toBe(false);
    expect(request.body).not.toContain('secret plan');
    const body = JSON.parse(request.body);
    expect(request.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'smart-checklist-event': 'item.completed',
      'smart-checklist-delivery': body.id,
    });
    expect(body).toMatchObject({
      issues: [issue.id],
      data: { project: { id: PROJECT }, actor: { kind: 'user', accountId: 'ana' }, items: [{ status: 'done' }] },
    });
    expect(await hooks().calls(id)).toMatchObject([
      { event: 'item.completed', issueId: issue.id, status: 204, outcome: 'OK', tries: 1 },
    ]);
    // The log keeps no body.
    const [row] = await use().raw('select body from webhook_call where webhook = $1', [id]);
    expect(row).toEqual({ body: null });
  });

  test('a change without a webhook, or for other events or projects, enqueues nothing', async () => {
    const waiting = async () => use().raw('select id from webhook_call where tenant = $1', [it.tenant.id]);
    await issue.edit(tick(0, 'a secret plan'));
    await made({ events: ['checklist.completed'] });
    await issue.edit(tick(0, 'a secret plan', 'todo'));
    expect(await waiting()).toEqual([]);
    await made({ events: ['checklist.changed'] });
    await issue.edit(tick(0, 'a secret plan'));
    expect(await waiting()).toHaveLength(1);
  });

  test('events of a change are sent in their order', async () => {
    await made({ events: ['checklist.changed', 'checklist.completed', 'item.completed'], withText: true });
    await issue.edit(tick(0, 'a secret plan'));
    await issue.edit(tick(1, 'b'));
    await sent();
    expect(eventsOf(receiver.received)).toEqual([
      ...['item.completed', 'checklist.changed', 'item.completed', 'checklist.completed', 'checklist.changed'],
    ]);
    expect(receiver.received[0]?.body).toContain('a secret plan');
  });

  test('a receiver that fails gets the same call again later, before those that follow', async () => {
    const { id } = await made();
    receiver.answer = () => ({ status: 500 });
    await issue.edit(tick(0, 'a secret plan'));
    const [deferred] = await sent();
    expect(deferred).toBeInstanceOf(RetryLater);
    await issue.edit(tick(1, 'b'));
    // Not before the pause is over.
    await sent();
    expect(receiver.received).toHaveLength(1);
    receiver.answer = () => ({ status: 200 });
    it.advance(20_000);
    expect(await sent()).toEqual([]);
    const ids = receiver.received.map(({ headers }) => headers['smart-checklist-delivery']);
    expect(ids[0]).toBe(ids[1]);
    expect(ids).toHaveLength(3);
    expect(await hooks().calls(id)).toMatchObject([{ tries: 1 }, { tries: 2, status: 200, outcome: 'OK' }]);
  });

  test('a redirect is not followed, wherever it leads', async () => {
    const { id } = await made();
    receiver.answer = () => ({ status: 301, headers: { location: 'http://127.0.0.1:1/' } });
    await issue.edit(tick(0, 'a secret plan'));
    await sent();
    expect(receiver.received).toHaveLength(1);
    expect(await hooks().calls(id)).toMatchObject([{ status: 301, outcome: null, tries: 1 }]);
  });

  test('a failing receiver does not delay another one', async () => {
    const other = await startReceiver();
    await it.app.close();
    it = await startApp(use().store, { WEBHOOK_HOSTS: webhookHosts(receiver, other) });
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    issue = await newIssue(it);
    await issue.edit(add('- a'));
    await made();
    await made({ url: other.url });
    receiver.answer = () => ({ status: 503 });
    await issue.edit(tick(0, 'a'));
    await sent();
    expect(other.received).toHaveLength(1);
  });

  test('a receiver that fails for a day turns its webhook off, with a notice; an administrator turns it on', async () => {
    const { id } = await made();
    receiver.answer = () => ({ status: 404 });
    await issue.edit(tick(0, 'a secret plan'));
    await sent();
    expect(await only()).toMatchObject({ enabled: true, stopped: null });
    await use().raw("update webhook set failing = now() - interval '25 hours', failures = 12 where id = $1", [id]);
    it.advance(DAY);
    expect(await sent()).toEqual([]);
    expect(await only()).toMatchObject({ enabled: false, stopped: expect.any(String) });
    expect(await hooks().calls(id)).toMatchObject([{ status: 404, outcome: 'DROPPED' }]);
    receiver.answer = () => ({ status: 200 });
    await hooks().update({ id, enabled: true });
    expect(await only()).toMatchObject({ enabled: true, stopped: null });
    await issue.edit(tick(1, 'b'));
    await sent();
    expect(await hooks().calls(id)).toMatchObject([{ outcome: 'OK' }, { outcome: 'DROPPED' }]);
  });

  test('the token of the automation is sent, and neither is ever shown again', async () => {
    const { id } = await made({ token: 'jira-token' });
    const listed = await only();
    expect(listed).toMatchObject({ hasToken: true });
    expect(JSON.stringify(listed)).not.toContain('jira-token');
    await issue.edit(tick(0, 'a secret plan'));
    await sent();
    expect(receiver.received[0]?.headers['x-automation-webhook-token']).toBe('jira-token');
    const [row] = await use().raw('select secret, token from webhook where id = $1', [id]);
    expect(Buffer.from(row?.token as Uint8Array).toString('latin1')).not.toContain('jira-token');
    await hooks().update({ id, token: '' });
    expect(await only()).toMatchObject({ hasToken: false });
  });

  test('a test call says what the receiver answered', async () => {
    const { id, secret } = await made();
    expect(await hooks().test(id)).toMatchObject({
      accepted: true,
      message: 'Test sent. The receiver accepted it (status 204).',
    });
    const [request] = receiver.received;
    expect(request && isSignedWith(secret, request)).toBe(true);
    receiver.answer = () => ({ status: 418 });
    expect(await hooks().test(id)).toMatchObject({
      accepted: false,
      errors: [
        {
          code: 'UNREADABLE',
          field: 'url',
          message: "The receiver didn't accept the call (status 418). Check the receiver, then send the test again.",
        },
      ],
    });
    expect(await hooks().calls(id)).toMatchObject([
      { event: 'test', status: 418, outcome: 'FAILED' },
      { event: 'test', status: 204, outcome: 'OK' },
    ]);
  });

  test('a new secret signs from then on', async () => {
    const { id, secret } = await made();
    const changed = await hooks().update({ id, newSecret: true });
    await issue.edit(tick(0, 'a secret plan'));
    await sent();
    const [request] = receiver.received;
    if (!request || changed.secret === null) throw new Error('Nothing was received.');
    expect(isSignedWith(changed.secret, request)).toBe(true);
    expect(isSignedWith(secret, request)).toBe(false);
  });

  test('a change with webhooks takes two round trips, as one without', async () => {
    await made({ events: ['item.completed', 'checklist.changed'] });
    const exchange = vi.spyOn(use().store, 'exchange');
    const batch = vi.spyOn(use().store, 'batch');
    const tenant = vi.spyOn(use().store, 'tenant');
    const base = await issue.read();
    for (const spy of [exchange, batch, tenant]) spy.mockClear();
    await issue.change(tick(0, 'a secret plan'), base);
    expect([exchange, batch, tenant].map(spy => spy.mock.calls.length)).toEqual([1, 0, 0]);
    vi.restoreAllMocks();
  });

  test('what waits is dropped with the webhook, or when it is turned off', async () => {
    const { id } = await made();
    await issue.edit(tick(0, 'a secret plan'));
    await hooks().update({ id, enabled: false });
    expect(await hooks().calls(id)).toMatchObject([{ outcome: 'DROPPED' }]);
    expect(await sent()).toEqual([]);
    await hooks().remove(id);
    expect(await use().raw('select id from webhook_call where webhook = $1', [id])).toEqual([]);
    expect(receiver.received).toEqual([]);
  });

  test('a webhook that cannot be called neither stops the others nor repeats their calls', async () => {
    provokes({ errors: /authentication tag/ });
    const broken = await made();
    await made();
    await use().raw("update webhook set secret = 'x' where id = $1", [broken.id]);
    await issue.edit(tick(0, 'a secret plan'));
    for (let count = 0; count < 2; count += 1) expect(await sent()).toEqual([expect.any(RetryLater)]);
    expect(receiver.received).toHaveLength(1);
    expect(await hooks().calls(broken.id)).toMatchObject([{ status: 0, tries: 1, outcome: null }]);
    expect(it.logged.join()).not.toContain('secret plan');
    // Its next try is seconds away, and later tests restore the jobs of all sites of the database.
    await hooks().remove(broken.id);
  });

  test('an error while a result is stored lets the other calls of the run end', async () => {
    const ids = [await made(), await made()].map(({ id }) => id);
    await issue.edit(tick(0, 'a secret plan'));
    receiver.answer = () => {
      vi.spyOn(use().store, 'tenant').mockRejectedValueOnce(new Error('No connection.'));
      receiver.answer = () => ({ status: 204 });
      return { status: 204 };
    };
    const ended = async () =>
      (await Promise.all(ids.map(id => hooks().calls(id)))).flat().filter(({ outcome }) => outcome === 'OK');
    expect(await sent()).toEqual([new Error('No connection.')]);
    vi.restoreAllMocks();
    expect(await ended()).toHaveLength(1);
    expect(await sent()).toEqual([]);
    expect(await ended()).toHaveLength(2);
  });

  test('webhooks with many calls do not keep the calls of another one waiting', async () => {
    for (let count = 0; count < 6; count += 1) await made({ token: `token-${count}` });
    await issue.edit(tick(0, 'a secret plan'));
    await issue.edit(tick(1, 'b'));
    // A run ends after twenty seconds.
    receiver.answer = () => {
      it.advance(21_000);
      return { status: 204 };
    };
    await sent();
    const called = () => new Set(receiver.received.map(({ headers }) => headers['x-automation-webhook-token']));
    expect(called().size).toBe(5);
    await sent();
    expect(called().size).toBe(6);
  });

  test('what waits is sent at once where the address is corrected, and after a lost job', async () => {
    const { id } = await made({ url: `${receiver.url}/wrong` });
    receiver.answer = () => ({ status: 500 });
    await issue.edit(tick(0, 'a secret plan'));
    await sent();
    it.background.lose();
    receiver.answer = () => ({ status: 204 });
    await hooks().update({ id, url: receiver.url });
    expect(await sent()).toEqual([]);
    expect(receiver.received).toHaveLength(2);
    await issue.edit(tick(1, 'b'));
    it.background.lose();
    await it.recoverEvents();
    await sent();
    expect(receiver.received).toHaveLength(3);
  });

  test('what waits for a receiver is not sent to another one that the address is changed to', async () => {
    const other = await startReceiver();
    await it.app.close();
    it = await startApp(use().store, { WEBHOOK_HOSTS: webhookHosts(receiver, other) });
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    issue = await newIssue(it, EDITOR, 'ana');
    await issue.edit(add('- a secret plan\n- b'));
    await it.release('send-webhooks');
    const { id } = await made({ withText: true, token: 'for-the-first' });
    receiver.answer = () => ({ status: 500 });
    await issue.edit(tick(0, 'a secret plan'));
    await sent();
    await hooks().update({ id, url: other.url });
    expect(await sent()).toEqual([]);
    expect(other.received).toEqual([]);
    expect(await hooks().calls(id)).toMatchObject([{ outcome: 'DROPPED', tries: 1 }]);
    await issue.edit(tick(1, 'b'));
    await sent();
    expect(eventsOf(other.received)).toEqual(['item.completed']);
    expect(other.received[0]?.headers).not.toHaveProperty('x-automation-webhook-token');
    expect(receiver.received).toHaveLength(1);
  });

  test('a run that is sending meets an address as it is at each call', async () => {
    const { id } = await made();
    await issue.edit(tick(0, 'a secret plan'));
    await issue.edit(tick(1, 'b'));
    receiver.answer = async () => {
      await hooks().update({ id, url: `${receiver.url}/new` });
      receiver.answer = () => ({ status: 204 });
      return { status: 204 };
    };
    await sent();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook/new']);
  });

  test('of more than a thousand waiting calls the oldest are dropped', async () => {
    const { id } = await made();
    await use().raw(
      `insert into webhook_call (tenant, webhook, id, event, body, created)
        select $1, $2, number, 'item.completed', '{}', now() + make_interval(secs => number)
        from generate_series(1, 1003) number`,
      [it.tenant.id, id],
    );
    await it.recoverEvents();
    const left = await use().raw(
      'select min(id::int) as first, count(*)::int as number from webhook_call where webhook = $1',
      [id],
    );
    expect(left).toEqual([{ first: 4, number: 1_000 }]);
  });
});
