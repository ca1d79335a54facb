import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { automation as messages } from '../../../src/domain/messages.ts';
import { startApp } from '../support/app.ts';
import { EDITOR, newIssue, tick, update } from '../support/checklists.ts';
import { ALL, type Incoming, refusal, startIncoming, TEXT } from '../support/incoming.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { provokes } from '../support/left-behind.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { putTemplate } from '../support/put-template.ts';
import { signatureOf } from '../support/receiver.ts';
import { onStore } from '../support/stores.ts';
import { ADDON_ACCOUNT } from '../support/tracker.ts';
import { webhooksAs } from '../support/webhooks.ts';

vi.setConfig({ testTimeout: 60_000 });

onStore(use => {
  let it: Incoming['it'];
  let issue: Incoming['issue'];
  let hook: Incoming['hook'];
  let post: Incoming['post'];
  let call: Incoming['call'];
  let text: Incoming['text'];
  let hooks: Incoming['hooks'];
  let made: Incoming['made'];

  beforeEach(async () => {
    ({ it, issue, hook, post, call, text, hooks, made } = await startIncoming(use().store));
    return () => it.app.close();
  });

  test('items are added at the end, or to a section', async () => {
    expect(await post(call('addItems', { text: 'x\ny' }))).toMatchObject({
      status: 200,
      body: { changed: true, repeated: false, progress: { total: 6 } },
    });
    await post(call('addItems', { text: '- ! z', section: ' release ' }));
    expect(await text()).toBe('# Release\n- tag\n- ! tell support\n- ! z\n# After\n- tag\n+ archive\n- x\n- y');
  });

  test('boxes of other notations in added items are said', async () => {
    expect(await post(call('addItems', { text: '- [x] shipped\n- paid' }))).toMatchObject({
      status: 200,
      body: { changed: true, diagnostics: [{ code: 'FOREIGN_BOX' }] },
    });
    expect((await post(call('addItems', { text: '- fine' }))).body).not.toHaveProperty('diagnostics');
  });

  test('a template is applied by its name or id, at the end, to a section, or in place of all', async () => {
    await use().store.tenant(it.tenant.id, async tx => {
      const values = { project: null, text: '- from template' };
      await putTemplate(tx, it.tenant.id, 'admin', { ...values, id: 'tpl', name: 'Hot fix' });
      await putTemplate(tx, it.tenant.id, 'admin', { ...values, id: 'far', name: 'Far', project: OTHER_PROJECT });
    });
    await post(call('applyTemplate', { template: 'HOT  fix' }));
    expect(await text()).toBe(`${TEXT}\n- from template`);
    await post(call('applyTemplate', { template: 'tpl', section: 'Release' }));
    expect(await text()).toContain('- ! tell support\n- from template\n# After');
    await post(call('applyTemplate', { template: 'tpl', mode: 'replace' }));
    expect(await text()).toBe('- from template');
    for (const template of ['Far', 'far', 'None', 'none']) {
      expect(await post(call('applyTemplate', { template }))).toMatchObject(refusal(404, 'NOT_FOUND'));
    }
  });

  test('items get a status by text, section and status', async () => {
    await post(call('setStatus', { status: 'Done', where: { text: 'TAG', section: 'After' } }));
    expect(await text()).toContain('# After\n+ tag');
    await post(call('setStatus', { status: 'skipped', where: { contains: 'support' } }));
    expect(await text()).toContain('x ! tell support');
    await post(call('setStatus', { status: 'todo', where: { status: 'done' } }));
    expect(await text()).toBe('# Release\n- tag\nx ! tell support\n# After\n- tag\n- archive');
    // A condition that no item meets changes nothing.
    expect(await post(call('setStatus', { status: 'done', where: { text: 'none' } }))).toMatchObject({
      status: 200,
      body: { changed: false },
    });
  });

  test('items and sections are named as they are shown, or as they are written', async () => {
    await issue.edit(update('# **Release**\n- **Build** passed\n- [Docs](https://example.com) `sent`\n# After'));
    await post(call('complete', { where: { text: 'Build passed', section: 'Release' } }));
    await post(call('setStatus', { status: 'skipped', where: { contains: 'docs SENT' } }));
    await post(call('addItems', { text: 'next', section: '**Release**' }));
    const shown = '# **Release**\n+ **Build** passed\nx [Docs](https://example.com) `sent`\n- next\n# After';
    expect(await text()).toBe(shown);
    await post(call('setStatus', { status: 'todo', where: { text: '**Build** passed' } }));
    expect(await text()).toBe(shown.replace('+', '-'));
  });

  test('open items are completed, or all is cleared', async () => {
    await post(call('complete', { where: { section: 'Release' } }));
    expect(await text()).toBe('# Release\n+ tag\n+ ! tell support\n# After\n- tag\n+ archive');
    expect(await post(call('complete'))).toMatchObject({ body: { progress: { percent: 100 } } });
    await post(call('clear'));
    expect(await text()).toBe('');
    expect(await post(call('clear'))).toMatchObject({ status: 200, body: { changed: false } });
  });

  test('the history names the webhook as the author, as long as it exists', async () => {
    await post(call('addItems', { text: 'x' }));
    const author = async () => (await issue.checklists.history(issue.id, { first: 1, filter: {} })).entries[0]?.account;
    expect(await author()).toBe('automation:Deploy');
    await hooks().remove(hook.id);
    expect(await author()).toBe('automation:');
  });

  test('the same id is the same call, also where the answer was lost', async () => {
    const body = call('addItems', { text: 'x', id: 'deploy-1' });
    const [first, second] = await Promise.all([post(body), post(body)]);
    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(await post(body)).toMatchObject({ status: 200, body: { repeated: true, changed: false } });
    expect((await text()).match(/- x/g)).toHaveLength(1);
  });

  test('a signed call is made once, also where it is replayed', async () => {
    const body = JSON.stringify(call('addItems', { text: 'x' }));
    const headers = { 'smart-checklist-signature': signatureOf(hook.secret, body) };
    expect(await post(body, { headers })).toMatchObject({ status: 200, body: { repeated: false } });
    // After a change meanwhile, too.
    await issue.edit(tick(1, 'tag'));
    expect(await post(body, { headers })).toMatchObject({ status: 200, body: { repeated: true } });
    expect((await text()).match(/- x/g)).toHaveLength(1);
    // With the same time written in another way.
    const padded = { 'smart-checklist-signature': headers['smart-checklist-signature'].replace('t=', 't=0') };
    expect(await post(body, { headers: padded })).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect((await text()).match(/- x/g)).toHaveLength(1);
    // With another delivery header, which the signature does not cover.
    const replayed = { ...headers, 'smart-checklist-delivery': randomUUID() };
    expect(await post(body, { headers: replayed })).toMatchObject({ body: { repeated: true } });
  });

  test('a secret does not outlive the installation', async () => {
    const { it, post, call, hooks, hook } = await startIncoming(use().store);
    expect((await post(call('clear'))).status).toBe(200);
    const { id: tenant, secret } = it.tenant;
    await it.tenants.uninstall(tenant);
    await it.tenants.install({ id: tenant, url: 'https://site.example.net', secret });
    expect((await post(call('clear'))).status).toBe(401);
    const { secret: next } = await hooks().update({ id: hook.id, enabled: true });
    expect((await post(call('clear'))).status).toBe(401);
    expect((await post(call('clear'), { secret: next ?? '' })).status).toBe(200);
    await it.app.close();
  });

  test.each([
    ['no proof', {}],
    ['another secret', { authorization: 'Bearer whs_wrong' }],
    ['a secret without its scheme', { authorization: 'whs_wrong' }],
    ['a signature that is none', { 'smart-checklist-signature': 'v1=abc' }],
    ['a signature of another secret', { 'smart-checklist-signature': signatureOf('other', '{}') }],
    ['an empty signature', { 'smart-checklist-signature': '' }],
  ])('%s is refused', async (_name, headers) => {
    expect(await post({}, { headers })).toEqual({
      status: 401,
      body: { error: { code: 'UNAUTHORIZED', message: messages.incoming.unauthorized } },
    });
    expect(await text()).toBe(TEXT);
  });

  test('an expired, early or altered signature is refused', async () => {
    const body = JSON.stringify(call('clear'));
    const now = Math.floor(Date.now() / 1000);
    for (const seconds of [now - 301, now + 400]) {
      const headers = { 'smart-checklist-signature': signatureOf(hook.secret, body, seconds) };
      expect(await post(body, { headers })).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
    const headers = { 'smart-checklist-signature': signatureOf(hook.secret, body) };
    expect(await post(`${body} `, { headers })).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await text()).toBe(TEXT);
  });

  test('neither the secret of another webhook or site, nor an outgoing, unknown or disabled webhook is accepted', async () => {
    const other = await startApp(use().store);
    other.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    const foreign = await webhooksAs(other, 'admin').made({ direction: 'INCOMING', name: 'Theirs', actions: ALL });
    const own = await made();
    const body = call('clear');
    expect(await post(body, { secret: foreign.secret })).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await post(body, { secret: own.secret })).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    // The other site's webhook with its own secret: it does not know this issue.
    expect(await post(body, { webhook: foreign.id, secret: foreign.secret, app: other })).toMatchObject(
      refusal(404, 'NOT_FOUND'),
    );
    for (const webhook of [randomUUID(), 'x', "' or 1=1", '%00']) {
      expect(await post(body, { webhook: encodeURIComponent(webhook) })).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
    await hooks().update({ id: hook.id, enabled: false });
    expect(await post(body)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await text()).toBe(TEXT);
    await other.app.close();
  });

  test('a replaced secret is no longer accepted', async () => {
    const { secret } = await hooks().update({ id: hook.id, newSecret: true });
    expect(await post(call('clear'))).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await post(call('clear'), { secret: secret ?? '' })).toMatchObject({ status: 200 });
  });

  test('a webhook of another project, or without the action, is refused', async () => {
    const elsewhere = await made({ projectIds: [OTHER_PROJECT] });
    expect(await post(call('clear'), { ...elsewhere, webhook: elsewhere.id })).toMatchObject(refusal(403, 'FORBIDDEN'));
    const here = await hooks().made({
      direction: 'INCOMING',
      name: 'Here',
      actions: ['complete'],
      projectIds: [PROJECT],
    });
    expect(await post(call('clear'), { ...here, webhook: here.id })).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect(await post(call('complete'), { ...here, webhook: here.id })).toMatchObject({ status: 200 });
  });

  test.each([
    ['no JSON', '{'],
    ['an array', []],
    ['no action', { issue: '1' }],
    ['an unknown action', { action: 'delete', issue: '1' }],
    ['no issue', { action: 'clear' }],
    ['an issue that is none', { action: 'clear', issue: '../1' }],
    ['a misspelt condition', { action: 'complete', issue: '1', where: { txt: 'a' } }],
    ['no text', { action: 'addItems', issue: '1' }],
    ['a text that is none', { action: 'addItems', issue: '1', text: 7 }],
    ['an id that is none', { action: 'clear', issue: '1', id: 'ä b' }],
  ])('%s is unreadable', async (_name, body) => {
    expect(await post(body)).toMatchObject(refusal(400, 'UNREADABLE'));
  });

  test('what the checklist does not have is named', async () => {
    expect(await post(call('addItems', { text: 'x', section: 'None' }))).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND', field: 'section', message: messages.incoming.section } },
    });
    expect(await post(call('setStatus', { status: 'None' }))).toMatchObject({
      body: { error: { field: 'status', message: messages.incoming.status } },
    });
    expect(await post(call('complete', { where: { status: 'None' } }))).toMatchObject({
      body: { error: { field: 'where.status' } },
    });
    expect(await post({ action: 'clear', issue: '99999999' })).toMatchObject(refusal(404, 'NOT_FOUND'));
  });

  test('a deleted issue is refused without a call', async () => {
    const url = `/webhooks/issue-deleted?issueId=${issue.id}`;
    const headers = { authorization: `JWT ${it.requestToken('POST', url)}` };
    await it.app.inject({ method: 'POST', url, headers });
    const { length } = it.tracker.calls;
    expect(await post(call('clear'))).toMatchObject(refusal(404, 'NOT_FOUND'));
    expect(it.tracker.calls).toHaveLength(length);
  });

  test('without a license nothing is changed', async () => {
    await use().raw('update tenant set licensed = false where tenant = $1', [it.tenant.id]);
    expect(await post(call('clear'))).toMatchObject(refusal(403, 'UNLICENSED'));
    expect(await text()).toBe(TEXT);
  });

  test('an unknown issue is read once; a known one costs no call', async () => {
    const fresh = await newIssue(it);
    const { length } = it.tracker.calls;
    expect(await post({ action: 'addItems', issue: fresh.id, text: 'x' })).toMatchObject({ status: 200 });
    const first = it.tracker.calls.length;
    expect(first).toBeGreaterThan(length);
    expect(await post({ action: 'addItems', issue: fresh.id, text: 'y' })).toMatchObject({ status: 200 });
    expect(it.tracker.calls).toHaveLength(first);
  });

  test('while the tracker is away, an unknown issue has to wait', async () => {
    provokes({ answers: [503] });
    // The app's own permission in the project is known from an earlier call.
    expect(await post(call('complete'))).toMatchObject({ status: 200 });
    const fresh = await newIssue(it);
    it.tracker.faults.push(() => new Response('', { status: 429, headers: { 'retry-after': '120' } }));
    expect(await post({ action: 'clear', issue: fresh.id })).toMatchObject(refusal(503, 'TRACKER_UNAVAILABLE'));
    expect(await post(call('clear'))).toMatchObject({ status: 200 });
  });

  test('the log has each call with its result, and no text', async () => {
    await post(call('addItems', { text: 'hidden words' }));
    await post(call('addItems', { text: 'x', section: 'None' }));
    await post({ action: 'bad' });
    const calls = await hooks().calls(hook.id);
    expect(calls).toMatchObject([
      { event: 'unknown', issueId: null, status: 400, outcome: 'UNREADABLE' },
      { event: 'addItems', issueId: issue.id, status: 404, outcome: 'NOT_FOUND' },
      { event: 'addItems', issueId: issue.id, status: 200, outcome: 'OK' },
    ]);
    expect(JSON.stringify(await use().raw('select * from webhook_call'))).not.toContain('hidden');
    expect(it.logged.join()).not.toContain('hidden');
    expect(it.logged.join()).not.toContain(hook.secret);
  });

  test('an issue that moved to another project is out of reach of a webhook for its old one', async () => {
    const here = await made({ projectIds: [PROJECT] });
    const asHere = { ...here, webhook: here.id };
    expect(await post(call('complete'), asHere)).toMatchObject({ status: 200 });
    await it.settled();
    Object.assign(it.tracker.issues.get(issue.id)?.fields ?? {}, { project: { id: OTHER_PROJECT } });
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    const changes = [{ id: 'project', name: 'project', to: OTHER_PROJECT }];
    await it.sync.noticed({ tenant, account: 'x' }, issue.id, { kind: 'updated', mayHide: true, changes });
    // Before the event's read, and after it.
    expect(await post(call('clear'), asHere)).toMatchObject(refusal(403, 'FORBIDDEN'));
    await it.settled();
    expect(await post(call('clear'), asHere)).toMatchObject(refusal(403, 'FORBIDDEN'));
  });

  test('nothing changes in a project where the app may not edit issues', async () => {
    it.tracker.granted.set(ADDON_ACCOUNT, ['BROWSE_PROJECTS']);
    expect(await post(call('clear'))).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect(await text()).toBe(TEXT);
  });
});
