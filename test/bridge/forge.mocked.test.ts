// @vitest-environment jsdom
import { describe, expect, test, vi } from 'vitest';
import type { HostBridge } from '../../src/bridge/bridge.ts';
import { ABC_1, bridgeContract, type TestTracker } from './contract.ts';
import { type FakeForge, type FrameContext, SERVER } from './fake-forge.ts';
import { delivered } from './fake-host.ts';
import { forge, inNewWindows, never, sent, unreachable } from './forge-frame.ts';

/** A bridge as the contract drives it. */
const driven = (bridge: HostBridge) => ({ ...bridge, rule: async () => (await bridge.modules?.())?.rule() });

async function forgeTracker(): Promise<TestTracker> {
  const host = forge();
  let kept: unknown;
  return {
    issue: ABC_1,
    panel: async () => driven(await host.open()),
    rule: async entry => {
      const config = entry === 'edit' ? { validatorConfig: kept } : {};
      const extension = { type: 'jira:workflowValidator', ...config };
      const form = forge({ moduleKey: 'checklist-validator', extension });
      let configure: () => Promise<unknown> = async () => undefined;
      form.answers.setWorkflowRuleConfigurationCallback = ({ data }: { data: { onConfigure: typeof configure } }) => {
        configure = data.onConfigure;
        return true;
      };
      const rule = await (await (await form.open()).modules?.())?.rule();
      if (!rule) throw new Error('There is no rule.');
      const { onSave, ...facts } = rule;
      return {
        facts: async () => facts,
        offer: value => onSave(() => value),
        save: async () => {
          const json = await configure();
          if (typeof json !== 'string') return undefined;
          kept = JSON.parse(json);
          return json;
        },
      };
    },
    dialog: async () => {
      // What is being opened has crossed to the host by then.
      await delivered();
      const top = await vi.waitUntil(() => host.dialogs.at(-1));
      return driven(await top.bridge);
    },
    escape: host.escape,
    answering: async (status, text) => {
      host.answers.fetchProduct = () => ({ body: text, headers: {}, status, statusText: '', isAttachment: false });
      return '/rest/api/2/anything';
    },
    silent: async () => {
      host.answers.fetchProduct = () => {
        throw new Error('NETWORK_ERROR');
      };
      return '/rest/api/2/anything';
    },
  };
}

inNewWindows();

bridgeContract('forge', forgeTracker);

describe('places', () => {
  test.each([
    ['checklist-context', '/checklist', 'issue-context'],
    ['checklist-content', '/checklist', 'issue-content'],
    ['hierarchy-content', '/smart-hierarchy', 'issue-content'],
    ['checklist-portal', '/checklist', 'portal'],
    ['project-settings', '/project', 'project-admin'],
    ['site-settings', '/admin', 'admin'],
    ['configure', '/admin', 'admin'],
    ['post-install', '/post-install', 'admin'],
    ['assigned-items', '/assigned-items', 'page'],
    ['something-else', '/something-else', 'page'],
  ])('%s shows %s', async (moduleKey, path, surface) => {
    const bridge = await forge({ moduleKey }).open();
    expect(bridge.kind).toBe('forge');
    expect(await bridge.context()).toMatchObject({ surface });
    expect(location.pathname + location.hash).toBe(`/index.html#${path}`);
  });

  test('a general page is a route, and may name its issue', async () => {
    const host = forge({ moduleKey: 'assigned-items', extension: {} });
    const location_ = { pathname: '/smart-hierarchy', search: '?issueKey=ABC-7&surface=admin' };
    host.answers.createHistory = () => ({ location: location_, listen: () => undefined });
    expect(await (await host.open()).context()).toEqual({ surface: 'page', issueKey: 'ABC-7' });
    expect(location.hash).toBe('#/smart-hierarchy');
  });

  describe('a redirected address of Connect', () => {
    const page = async (address: string, pathname = '/') => {
      const host = forge({ moduleKey: 'assigned-items', extension: {} });
      const search = `?${new URLSearchParams({ x_atlassian_cf: address })}`;
      host.answers.createHistory = () => ({ location: { pathname, search }, listen: () => undefined });
      const context = await (await host.open()).context();
      return [location.hash, context];
    };
    const connect = '/plugins/servlet/ac/app.smart-checklist.pro';
    const base64 = (text: string) => Buffer.from(text).toString('base64');

    test('shows its page, with its issue', async () => {
      expect(await page(base64(`${connect}/smart-hierarchy?issueKey=ABC-7#top`))).toEqual([
        '#/smart-hierarchy',
        { surface: 'page', issueKey: 'ABC-7' },
      ]);
    });

    test.each([
      ['project.key=ÄB&issue.id=7', { projectKey: 'ÄB', issueId: '7' }],
      // With the two characters that the alphabet of addresses writes otherwise.
      ['project.key=?ÿ~ÿ?', { projectKey: '?ÿ~ÿ?' }],
      ['ac.issueKey=ABC-7', { issueKey: 'ABC-7' }],
      ['surface=admin&issueKey={issue.key}', {}],
    ])('has the query %s', async (query, about) => {
      const address = Buffer.from(`${connect}/smart-templates-editor/?${query}`).toString('base64url');
      expect(await page(address, '/assigned-items')).toEqual([
        '#/smart-templates-editor',
        { surface: 'page', ...about },
      ]);
    });

    test.each([
      ['no base64', '%%%'],
      ['no text', base64('\u00ff').slice(0, 3)],
      ['nothing', ''],
      ['no page of the app', base64(`${connect}/elsewhere?issueKey=ABC-7`)],
      ['no path', base64('//')],
    ])('that is %s leaves the page that the host names', async (_, address) => {
      expect(await page(address, '/smart-hierarchy')).toEqual(['#/smart-hierarchy', { surface: 'page' }]);
    });
  });

  test('a host that keeps no history shows the first general page', async () => {
    const host = forge({ moduleKey: 'assigned-items', extension: {} });
    host.answers.createHistory = () => {
      throw new Error('Not here.');
    };
    expect(await (await host.open()).context()).toEqual({ surface: 'page' });
    expect(location.hash).toBe('#/assigned-items');
  });

  test('the screen of an earlier load stays', async () => {
    history.replaceState(null, '', '#/templates/new');
    await forge({ moduleKey: 'project-settings' }).open();
    expect(location.hash).toBe('#/templates/new');
  });

  test("the native app's panels are a phone's", async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 AtlassianMobileApp/1');
    expect(await (await forge().open()).context()).toMatchObject({ surface: 'mobile' });
    expect(await (await forge({ moduleKey: 'configure' }).open()).context()).toMatchObject({ surface: 'admin' });
  });

  test('numbers are ids, and what is null is not there', async () => {
    const extension = { issue: { id: 7, key: 'ABC-7' }, project: null, modal: null };
    const bridge = await forge({ extension }).open();
    expect(await bridge.context()).toEqual({ surface: 'issue-context', issueId: '7', issueKey: 'ABC-7' });
  });

  test.each<[string, FrameContext]>([
    ['no module', { moduleKey: undefined }],
    ['a module that is no text', { moduleKey: 5 }],
    ['an issue that is none', { extension: { issue: 'ABC-1' } }],
    ['a key that is none', { extension: { issue: { key: {} } } }],
    ['an extension that is none', { extension: 'x' as never }],
  ])('a context with %s is none', async (_name, context) => {
    const bridge = await forge(context).open();
    await expect(bridge.context()).rejects.toEqual(unreachable);
    await expect(bridge.owner()).rejects.toEqual(unreachable);
    expect(location.hash).toBe('');
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'context'],
  ])('a context that is %s is none', async (_name, said) => {
    const host = forge();
    host.answers.getContext = () => said;
    await expect((await host.open()).context()).rejects.toEqual(unreachable);
  });
});

describe('owner and site', () => {
  test('are what the host says', async () => {
    const bridge = await forge().open();
    expect(await bridge.owner()).toEqual({ tenant: 'cloud', account: 'account' });
    expect(await bridge.hostUrl('/browse/ABC-1?a=b')).toBe('https://site.example/browse/ABC-1?a=b');
  });

  test.each([undefined, null, '', 'unidentified'])(
    'an account that the host names %s is anonymous',
    async accountId => {
      expect(await (await forge({ accountId }).open()).owner()).toEqual({ tenant: 'cloud', account: 'anonymous' });
    },
  );

  test.each([undefined, null, 'site'])('without them the frame is there all the same: %s', async value => {
    const bridge = await forge({ cloudId: value === 'site' ? null : value, siteUrl: value }).open();
    expect(await bridge.context()).toMatchObject({ issueKey: 'ABC-1' });
    await expect(bridge.owner()).rejects.toEqual(unreachable);
    await expect(bridge.hostUrl('/')).rejects.toEqual(unreachable);
  });
});

describe('sign-in', () => {
  const answer = (host: FakeForge, status: number, body: unknown) => {
    host.answers.invoke = () => ({ success: true, payload: { status, headers: { a: ['b'] }, body } });
  };

  test('is one call to our server through the host, however many ask at one time', async () => {
    const host = forge();
    const bridge = await host.open();
    const [one, two] = await Promise.all([bridge.signIn(), bridge.signIn()]);
    expect(one).toEqual(two);
    expect(sent(host, 'invoke')).toEqual([
      {
        ...{ path: '/api/forge/session', method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
        invokeType: 'ui-remote-fetch',
      },
    ]);
    await bridge.signIn();
    expect(sent(host, 'invoke')).toHaveLength(2);
  });

  test.each([401, 403, 409, 503])('a refusal arrives with its reason: %s', async status => {
    const host = forge();
    const body = { error: { code: 'DISABLED', message: 'No.' } };
    answer(host, status, body);
    const came = await (await host.open()).signIn();
    expect(came).toEqual({ status, text: JSON.stringify(body) });
  });

  test.each<[string, () => unknown]>([
    ['an error without a status', () => ({ success: false, error: { message: 'Remote could not verify the FIT' } })],
    ['an error that is empty', () => ({ success: false, error: {} })],
    ['nothing', () => undefined],
    ['a rejection', () => Promise.reject(new Error('401'))],
    ['a status that is none', () => ({ success: true, payload: { status: '200', body: {} } })],
  ])('%s means that there was no answer', async (_name, invoke) => {
    const host = forge();
    host.answers.invoke = invoke;
    const bridge = await host.open();
    await expect(bridge.signIn()).rejects.toEqual(unreachable);
    await expect(bridge.backend('/graphql')).rejects.toEqual(unreachable);
  });

  test.each<[string, unknown]>([
    ['no body', undefined],
    ['a text', 'session'],
    ['no address', { token: 'session' }],
    ['an address that is none', { url: 'server.example', token: 'session' }],
    ['an address of another kind', { url: 'javascript:alert(1)', token: 'session' }],
    ['an issue that is none', { url: SERVER, token: 'session', issue: 'ABC-1' }],
  ])('an answer with %s is none', async (_name, body) => {
    const host = forge();
    answer(host, 200, body);
    await expect((await host.open()).signIn()).rejects.toEqual(unreachable);
  });

  test('our server is called where it says it is, directly', async () => {
    const fetched = vi.fn(async (_url: string, _init: RequestInit) => new Response('{"a":1}', { status: 201 }));
    vi.stubGlobal('fetch', fetched);
    const host = forge();
    const bridge = await host.open();
    expect(await bridge.backend('/graphql', { method: 'POST', json: {} })).toMatchObject({
      status: 201,
      text: '{"a":1}',
    });
    expect(fetched.mock.calls[0]?.[0]).toBe(`${SERVER}/graphql`);
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', body: '{}' });
    const parts: string[] = [];
    fetched.mockResolvedValueOnce(new Response('data: 1'));
    expect(await bridge.stream?.('/api/live', { json: {} }, text => parts.push(text))).toBe(200);
    expect(fetched.mock.calls[1]?.[0]).toBe(`${SERVER}/api/live`);
    expect(parts.join('')).toBe('data: 1');
    // The address comes with a session; earlier calls have requested one.
    expect(sent(host, 'invoke')).toHaveLength(1);
  });

  test("a portal's issue is what our server says", async () => {
    const host = forge({
      moduleKey: 'checklist-portal',
      extension: { portal: { id: 1 }, request: { key: 'ABC-1' } },
    });
    answer(host, 200, { url: SERVER, token: 'session', issue: { id: '10001', key: 'ABC-1' } });
    const bridge = await host.open();
    const [context] = await Promise.all([bridge.context(), bridge.signIn()]);
    expect(context).toEqual({ surface: 'portal', issueKey: 'ABC-1', issueId: '10001' });
    expect(sent(host, 'invoke')).toHaveLength(1);
    // Its dialogs have that issue without another request.
    void bridge.openDialog('editor', null);
    const dialog = await (await vi.waitUntil(() => host.dialogs[0])).bridge;
    expect(await dialog.context()).toEqual({
      surface: 'dialog',
      issueKey: 'ABC-1',
      issueId: '10001',
      dialogData: null,
    });
    expect(sent(host, 'invoke')).toHaveLength(1);
  });

  test('a portal without a session has no context', async () => {
    const host = forge({ moduleKey: 'checklist-portal', extension: { request: { key: 'ABC-1' } } });
    answer(host, 403, { error: { code: 'FORBIDDEN', message: 'No.' } });
    await expect((await host.open()).context()).rejects.toEqual(unreachable);
  });
});

describe('requests', () => {
  test('carry method, query, JSON with its type, and headers', async () => {
    const host = forge();
    await (await host.open()).request('/rest/api/2/user/properties/k', {
      method: 'PUT',
      query: { accountId: ['a b', 'c'], left: undefined, plain: '1' },
      json: { value: null },
      headers: { 'x-test': '1' },
    });
    expect(sent(host, 'fetchProduct')).toEqual([
      {
        product: 'jira',
        restPath: '/rest/api/2/user/properties/k?accountId=a+b&accountId=c&plain=1',
        fetchRequestInit: {
          method: 'PUT',
          body: '{"value":null}',
          headers: [
            ['accept', 'application/json'],
            ['content-type', 'application/json'],
            ['x-atlassian-token', 'no-check'],
            ['x-test', '1'],
          ],
        },
        isMultipartFormData: false,
      },
    ]);
  });

  test("an answer's headers come by name", async () => {
    const host = forge();
    const headers = { 'Retry-After': '7' };
    host.answers.fetchProduct = () => ({ body: '', headers, status: 429, statusText: 'Slow', isAttachment: false });
    const bridge = await host.open();
    expect(await bridge.request('/x')).toMatchObject({
      status: 429,
      statusText: 'Slow',
      headers: { 'retry-after': '7' },
    });
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a status that is none', { status: 0, headers: {} }],
  ])('an answer with %s is none', async (_name, answer) => {
    const host = forge();
    host.answers.fetchProduct = () => answer;
    await expect((await host.open()).request('/x')).rejects.toEqual(unreachable);
  });

  test('end at once when they are aborted, though the host goes on and knows no signals', async () => {
    const complaint = vi.spyOn(console, 'error');
    const host = forge();
    host.answers.fetchProduct = never;
    const bridge = await host.open();
    const abort = new AbortController();
    const answer = bridge.request('/x', { signal: abort.signal });
    abort.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    await expect(bridge.request('/x', { signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(complaint).not.toHaveBeenCalled();
  });
});

describe('a host that never answers', () => {
  test('says nothing of the frame', async () => {
    vi.useFakeTimers();
    const host = forge();
    host.answers.getContext = never;
    const opening = host.open();
    await vi.waitFor(() => expect(sent(host, 'getContext')).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(30_000);
    const bridge = await opening;
    await expect(bridge.context()).rejects.toEqual(unreachable);
    await expect(bridge.hostUrl('/')).rejects.toEqual(unreachable);
  });

  test('nor of a page, a session or a request', async () => {
    vi.useFakeTimers();
    const host = forge({ moduleKey: 'assigned-items' });
    Object.assign(host.answers, { createHistory: never, invoke: never, fetchProduct: never, enableTheming: never });
    const opening = host.open();
    await vi.waitFor(() => expect(sent(host, 'createHistory')).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(30_000);
    const bridge = await opening;
    expect(await bridge.context()).toMatchObject({ surface: 'page' });
    const outcomes = Promise.allSettled([bridge.signIn(), bridge.backend('/graphql'), bridge.request('/x')]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await outcomes).toEqual(Array(3).fill({ status: 'rejected', reason: unreachable }));
  });

  test('leaves what needs no answer alone', async () => {
    const host = forge();
    const bridge = await host.open();
    for (const command of ['emit', 'on', 'navigate', 'reload', 'close']) {
      host.answers[command] = () => {
        throw new Error('Not here.');
      };
    }
    const stop = bridge.on('changed', () => undefined);
    bridge.emit('changed', 1);
    bridge.navigate('/browse/ABC-1');
    bridge.openSettings('ABC');
    bridge.openAssigned();
    bridge.reload();
    bridge.closeDialog();
    stop();
    expect(sent(host, 'close')).toHaveLength(1);
  });
});
