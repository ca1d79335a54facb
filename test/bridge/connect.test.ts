import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type HostBridge, HostUnreachable } from '../../src/bridge/bridge.ts';
import { connectBridge } from '../../src/bridge/connect.ts';
import { edition } from '../../src/domain/edition.ts';
import { ABC_1, bridgeContract, type TestTracker } from './contract.ts';
import { type FakeHost, fakeHost, hostToken } from './fake-host.ts';

const PANEL = '?surface=issue-context&issueKey=ABC-1&issueId=10001&projectKey=ABC&projectId=10000&xdm_e=x&jwt=y';

/** The frame inside the topmost dialog. */
function inside(host: FakeHost) {
  const ap = host.dialogs.at(-1)?.ap;
  if (!ap) throw new Error('No dialog is open.');
  return connectBridge(ap, '?surface=dialog');
}

/** A bridge as the contract drives it. */
const driven = (bridge: HostBridge) => ({ ...bridge, rule: async () => (await bridge.modules?.())?.rule() });

async function fakeTracker(): Promise<TestTracker> {
  const host = fakeHost();
  let kept: string | undefined;
  return {
    issue: ABC_1,
    panel: async () => driven(connectBridge(host.frame(), PANEL)),
    rule: async entry => {
      const config = entry === 'edit' ? `&config=${encodeURIComponent(kept ?? '')}` : '';
      const bridge = connectBridge(host.frame(), `?surface=workflow&rule=validator&entry=${entry}${config}`);
      const rule = await (await bridge.modules?.())?.rule();
      if (!rule) throw new Error('There is no rule.');
      const { onSave, ...facts } = rule;
      return {
        facts: async () => facts,
        offer: value => onSave(() => value),
        save: async () => {
          kept = host.saveRule();
          return kept;
        },
      };
    },
    dialog: async () => driven(inside(host)),
    escape: host.escape,
    answering: async (status, text) => {
      const xhr = { status, statusText: String(status), responseText: text };
      host.answer = () => {
        if (status >= 400) throw { err: 'error', xhr };
        return { body: text, xhr };
      };
      return '/rest/api/2/anything';
    },
    silent: async () => {
      host.answer = () => {
        throw { err: 'error', xhr: { status: 0, statusText: 'error', responseText: '' } };
      };
      return '/rest/api/2/anything';
    },
  };
}

/** The app's server, which answers each token with a session. */
const server = vi.fn(async (_path: string, _init: RequestInit) => new Response('{"token":"session"}'));

beforeEach(() => {
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 Chrome/156' });
  vi.stubGlobal('fetch', server);
});

bridgeContract('connect', fakeTracker);

afterEach(() => {
  server.mockClear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an answer comes with its headers, where the host gives them', async () => {
  const headers = { 'retry-after': '7' };
  const host = fakeHost();
  host.answer = () => ({ body: '', xhr: { status: 429, responseText: '', headers } });
  expect(await connectBridge(host.frame(), PANEL).request('/rest/api/2/myself')).toEqual({
    ...{ status: 429, text: '', headers },
  });
});

test('a request carries method, query, JSON and headers', async () => {
  const host = fakeHost();
  const bridge = connectBridge(host.frame(), PANEL);
  await bridge.request('/rest/api/2/user/properties/k', {
    method: 'PUT',
    query: { accountId: ['a b', 'c'], left: undefined, plain: '1' },
    json: { value: null },
    headers: { 'x-test': '1' },
  });
  expect(host.log.requests).toEqual([
    {
      url: '/rest/api/2/user/properties/k?accountId=a+b&accountId=c&plain=1',
      type: 'PUT',
      headers: { accept: 'application/json', 'x-test': '1' },
      contentType: 'application/json',
      data: '{"value":null}',
    },
  ]);
});

test.each([
  ['a bare text', () => 'plain', { status: 200, text: 'plain' }],
  ['the response text only', () => ({ xhr: { status: 201, responseText: 'made' } }), { status: 201, text: 'made' }],
  ['a bare xhr', () => ({ status: 200, responseText: 'x' }), { status: 200, text: 'x' }],
])('an answer in another shape is understood: %s', async (_name, answer, expected) => {
  const host = fakeHost();
  host.answer = answer;
  expect(await connectBridge(host.frame(), PANEL).request('/x')).toEqual(expected);
});

test.each([
  ['a bare xhr', { status: 409, responseText: 'taken' }],
  ['the documented pair', { err: 'e', xhr: { status: 409, responseText: 'taken' } }],
])('a refusal in another shape is understood: %s', async (_name, refusal) => {
  const host = fakeHost();
  host.answer = () => {
    throw refusal;
  };
  expect(await connectBridge(host.frame(), PANEL).request('/x')).toMatchObject({ status: 409, text: 'taken' });
});

test.each([
  ['a message', 'Failed to fetch'],
  ['nothing', undefined],
  ['junk', { err: 1 }],
])('a rejection with %s means that there was no answer', async (_name, rejection) => {
  const host = fakeHost();
  host.answer = () => {
    throw rejection;
  };
  await expect(connectBridge(host.frame(), PANEL).request('/x')).rejects.toBeInstanceOf(HostUnreachable);
});

test('an aborted request rejects at once, though the host goes on', async () => {
  const host = fakeHost();
  host.answer = () => new Promise(() => undefined);
  const abort = new AbortController();
  const answer = connectBridge(host.frame(), PANEL).request('/x', { signal: abort.signal });
  abort.abort();
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
});

test('the host completes what the address leaves out, and the address wins', async () => {
  const host = fakeHost();
  host.context = () => ({ jira: { issue: { id: 7, key: 'ABC-9' }, project: { id: '5', key: 'ABC' } } });
  const context = await connectBridge(
    host.frame(),
    '?surface=issue-content&issueKey=ABC-1&issueId=&projectId={project.id}',
  ).context();
  expect(context).toEqual({
    surface: 'issue-content',
    issueKey: 'ABC-1',
    issueId: '7',
    projectKey: 'ABC',
    projectId: '5',
  });
});

test('a host that refuses to give its context leaves the address', async () => {
  const host = fakeHost();
  host.context = () => {
    throw 'Not here.';
  };
  expect(await connectBridge(host.frame(), '?surface=admin').context()).toEqual({ surface: 'admin' });
});

test("an unknown surface is a page, and the native app's panels are a phone's", async () => {
  const host = fakeHost();
  expect(await connectBridge(host.frame(), '?surface=cellar').context()).toEqual({ surface: 'page' });
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 AtlassianMobileApp/1' });
  expect((await connectBridge(host.frame(), PANEL).context()).surface).toBe('mobile');
});

test('a silent host times out', async () => {
  vi.useFakeTimers();
  const host = fakeHost();
  host.token = () => new Promise(() => undefined);
  const bridge = connectBridge(host.frame(), PANEL);
  const session = expect(bridge.signIn()).rejects.toBeInstanceOf(HostUnreachable);
  const owner = expect(bridge.owner()).rejects.toBeInstanceOf(HostUnreachable);
  await vi.advanceTimersByTimeAsync(30_000);
  await session;
  await owner;
  expect(server).not.toHaveBeenCalled();
});

test("the tracker's token is exchanged for a session, and names the owner", async () => {
  const host = fakeHost();
  const bridge = connectBridge(host.frame(), PANEL);
  expect(await bridge.signIn()).toMatchObject({ status: 200, text: '{"token":"session"}' });
  expect(server.mock.calls).toMatchObject([
    [
      '/api/jira/auth',
      { headers: { 'app-key': edition.key, authorization: `JWT ${host.token()}`, 'content-type': 'application/json' } },
    ],
  ]);
  expect(await bridge.owner()).toEqual({ tenant: 'client-key', account: 'account' });
  host.token = () => hostToken({ iss: 'client-key' });
  expect(await bridge.owner()).toEqual({ tenant: 'client-key', account: 'anonymous' });
});

test.each(['host-token', 'a.b.c', hostToken({ sub: 'account' })])(
  'a token that names no tenant has no owner: %s',
  async token => {
    const host = fakeHost();
    host.token = () => token;
    await expect(connectBridge(host.frame(), PANEL).owner()).rejects.toThrow();
  },
);

test.each([
  [
    'a refusal',
    () => {
      throw 'Denied.';
    },
  ],
  ['no string', () => 5],
  ['an empty one', () => ''],
])('an invalid token does not sign in: %s', async (_name, token) => {
  const host = fakeHost();
  host.token = token;
  await expect(connectBridge(host.frame(), PANEL).signIn()).rejects.toBeInstanceOf(HostUnreachable);
  expect(server).not.toHaveBeenCalled();
});

test('flags, height, places and theme reach the host', async () => {
  const host = fakeHost();
  const bridge = connectBridge(host.frame(), PANEL);
  bridge.flag({ title: 'Saved' });
  bridge.flag({ title: 'Oh', body: 'No.', type: 'error' });
  bridge.resize(321);
  bridge.navigate('/browse/ABC-2');
  bridge.openSettings('ABC');
  bridge.openAssigned();
  bridge.reload();
  expect(host.log).toMatchObject({
    flags: [
      { title: 'Saved', body: '', type: 'success', close: 'auto' },
      { title: 'Oh', body: 'No.', type: 'error', close: 'auto' },
    ],
    sizes: [['100%', '321px']],
    places: ['/browse/ABC-2', 'projectAdminTabPanel ABC project-settings', 'addonModule assigned-items'],
    reloads: 1,
    themed: 1,
  });
});

test('ignores events and closings of other add-ons', async () => {
  const host = fakeHost();
  const stranger = host.frame();
  const bridge = connectBridge(host.frame(), PANEL);
  const events: unknown[] = [];
  bridge.on('changed', data => events.push(data));
  let closed = false;
  void bridge.openDialog('editor', null).then(() => {
    closed = true;
  });
  stranger.events.emit('changed', 'not JSON');
  stranger.events.emit('changed', '{"other":1}');
  stranger.events.emit('dialog.close', 'not ours');
  await host.escape();
  expect(events).toEqual([]);
  expect(host.dialogs).toHaveLength(1);
  expect(closed).toBe(false);
  host.dialogs[0]?.ap.dialog.close({ json: 'not JSON' });
  await host.escape();
  expect(closed).toBe(false);
});

test('an opener is notified that its dialog has not loaded, and still gets its result', async () => {
  vi.useFakeTimers();
  try {
    const host = fakeHost();
    const missing = vi.fn();
    const closed = connectBridge(host.frame(), '').openDialog('editor', 'data', missing);
    await vi.advanceTimersByTimeAsync(19_000);
    expect(missing).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(missing).toHaveBeenCalledTimes(1);
    const dialog = inside(host);
    await vi.advanceTimersByTimeAsync(100);
    dialog.closeDialog('after all');
    await vi.advanceTimersByTimeAsync(100);
    expect(await closed).toBe('after all');
  } finally {
    vi.useRealTimers();
  }
});

test('a dialog that loads, or is closed before, is not reported missing', async () => {
  vi.useFakeTimers();
  try {
    const host = fakeHost();
    const bridge = connectBridge(host.frame(), '');
    const missing = vi.fn();
    void bridge.openDialog('editor', null, missing);
    inside(host);
    await vi.advanceTimersByTimeAsync(100);
    void bridge.openDialog('templates', null, missing);
    void host.escape();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(missing).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});

test('a host that cannot open dialogs is no dialog that is open', async () => {
  const host = fakeHost();
  const ap = host.frame();
  ap.dialog.create = () => {
    throw new Error('No such module.');
  };
  await expect(connectBridge(ap, '').openDialog('editor', null)).rejects.toThrow('No such module.');
});

test('the dialog opens full size, without chrome, each with its own answer to Escape', async () => {
  const host = fakeHost();
  const bridge = connectBridge(host.frame(), PANEL);
  void bridge.openDialog('editor', null);
  void bridge.openDialog('templates', null);
  expect(host.dialogs.map(({ options }) => options)).toMatchObject([
    { key: 'checklist-editor', size: 'maximum', chrome: false, closeOnEscape: false },
    { key: 'checklist-templates', size: 'maximum', chrome: false, closeOnEscape: true },
  ]);
});

test('a gadget is saved, unless the user cannot edit the dashboard or the tracker fails', async () => {
  const host = fakeHost();
  let status: number = 404;
  host.answer = () => {
    const xhr = { status, statusText: String(status), responseText: '' };
    if (status >= 400) throw { err: 'error', xhr };
    return { body: '', xhr };
  };
  const modules = await connectBridge(host.frame(), '?surface=gadget&dashboardId=1&itemId=2').modules?.();
  const gadget = await modules?.gadget();
  expect(gadget).toMatchObject({ isEdit: true });
  for (const denied of [401, 403, 404]) {
    status = denied;
    expect(await gadget?.save({})).toBe(false);
  }
  status = 500;
  await expect(gadget?.save({})).rejects.toThrow(HostUnreachable);
  status = 201;
  expect(await gadget?.save({})).toBe(true);
});
