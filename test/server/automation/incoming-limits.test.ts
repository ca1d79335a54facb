import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { perMinute } from '../../../src/server/quota/limits.ts';
import { startApp, webhookHosts } from '../support/app.ts';
import { EDITOR, newIssue, tick, update } from '../support/checklists.ts';
import { ALL, type Incoming, refusal, startIncoming, TEXT } from '../support/incoming.ts';
import { startReceiver } from '../support/receiver.ts';
import { onStore } from '../support/stores.ts';
import { webhooksAs } from '../support/webhooks.ts';

vi.setConfig({ testTimeout: 60_000 });

onStore(use => {
  let it: Incoming['it'];
  let hook: Incoming['hook'];
  let post: Incoming['post'];
  let call: Incoming['call'];
  let text: Incoming['text'];
  let made: Incoming['made'];

  beforeEach(async () => {
    ({ it, hook, post, call, text, made } = await startIncoming(use().store));
    return () => it.app.close();
  });

  test('the calls of a webhook are limited, and so are guesses of an address', async () => {
    // A webhook is known from its first call on.
    await post('not json');
    const subject = { tenant: it.tenant.id, key: `webhook ${hook.id}` };
    for (let count = 0; count < perMinute.webhook; count += 1) it.rates.count(subject, perMinute.webhook);
    expect(await post('not json')).toMatchObject(refusal(429, 'RATE_LIMITED'));

    const guesses = { tenant: '', key: 'webhooks 127.0.0.1' };
    for (let count = 0; count < perMinute.webhook; count += 1) it.rates.count(guesses, perMinute.webhook);
    const guess = { webhook: randomUUID(), secret: 'guessed' };
    const asked = vi.spyOn(use().store, 'sweep');
    expect(await post('{}', guess)).toMatchObject(refusal(429, 'RATE_LIMITED'));
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    it.elapse(60_000);
    expect(await post('{}', guess)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('an oversized body is refused before it is read, and a checklist does not grow beyond its size', async () => {
    expect(await post(call('addItems', { text: 'x'.repeat(70_000) }))).toMatchObject(refusal(413, 'TOO_LARGE'));
    const line = `- ${'word '.repeat(200)}\n`;
    expect(await post(call('addItems', { text: line.repeat(45) }))).toMatchObject(refusal(422, 'TOO_LARGE'));
    expect(await text()).toBe(TEXT);
  });

  test('too many calls of one webhook are refused, and others are not', async () => {
    const statuses = new Set<number>();
    for (let count = 0; count < 125; count += 1) statuses.add((await post({}, { headers: {} })).status);
    expect([...statuses]).toEqual([401, 429]);
    const other = await made();
    expect(await post(call('complete'), { ...other, webhook: other.id })).toMatchObject({ status: 200 });
  });

  test('two webhooks that call each other come to an end', async () => {
    const receiver = await startReceiver();
    const app = await startApp(use().store, { WEBHOOK_HOSTS: webhookHosts(receiver) });
    app.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    const work = await newIssue(app);
    await work.edit(update('- a'));
    const out = { direction: 'OUTGOING', name: 'Out', url: receiver.url, events: ['checklist.changed'] };
    await webhooksAs(app, 'admin').made(out);
    const back = await webhooksAs(app, 'admin').made({ direction: 'INCOMING', name: 'Back', actions: ALL });
    const answer = async () => {
      const payload = { action: 'addItems', issue: work.id, text: 'again' };
      await app.app.inject({
        ...{ method: 'POST', url: `/hooks/${back.id}`, payload },
        headers: { authorization: `Bearer ${back.secret}` },
      });
    };
    await work.edit(tick(0, 'a'));
    await app.release('send-webhooks');
    expect(receiver.received).toHaveLength(1);
    await answer();
    await app.release('send-webhooks');
    expect(receiver.received).toHaveLength(1);
    expect((await work.read()).text).toBe('+ a\n- again');
    await app.app.close();
  });

  test('the calls of a webhook are counted however its address is written', async () => {
    await post({}, { headers: {} });
    const statuses = new Set<number>();
    for (let count = 0; count < 125; count += 1) {
      const at = count % 8;
      const written = `${hook.id.slice(0, at)}%${hook.id.charCodeAt(at).toString(16)}${hook.id.slice(at + 1)}`;
      statuses.add((await post({}, { headers: {}, webhook: written })).status);
    }
    expect([...statuses]).toEqual([401, 429]);
  });

  test('unknown webhooks are searched once, and refused beyond the limit of an address', async () => {
    const sweep = vi.spyOn(use().store, 'sweep');
    const unknown = randomUUID();
    for (let count = 0; count < 3; count += 1) {
      expect(await post(call('clear'), { webhook: unknown })).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
    expect(sweep).toHaveBeenCalledTimes(1);
    const statuses = new Set<number>();
    for (let count = 0; count < 125; count += 1) {
      statuses.add((await post(call('clear'), { webhook: randomUUID() })).status);
    }
    expect([...statuses]).toEqual([401, 429]);
    expect(sweep.mock.calls.length).toBeLessThanOrEqual(120);
    vi.restoreAllMocks();
  });
});
