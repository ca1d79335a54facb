import type { Callback } from 'atlassian-connect-js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { request } from '../../../src/tracker/page/bridge/request.ts';

const callback: Callback = Object.assign(() => undefined, {
  _context: {
    extension_id: 'frame',
    extension: { id: 'frame', addon_key: 'addon', key: 'panel', url: '', options: {} },
  },
});
const asked = (options: unknown) => Reflect.apply(request, undefined, [options, callback]);
const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal('location', new URL('http://localhost:2990/browse/WEB-1'));
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  vi.unstubAllGlobals();
  fetched.mockReset();
});

test('calls the REST API in the name of the add-on and hands the answer on', async () => {
  fetched.mockResolvedValue(new Response('{"a":1}', { status: 201, headers: { 'x-seen': 'yes' } }));
  await expect(
    asked({ url: '/rest/api/2/thing', type: 'PUT', data: '"true"', contentType: 'application/json' }),
  ).resolves.toMatchObject({
    ok: true,
    body: '{"a":1}',
    xhr: { status: 201, responseText: '{"a":1}', headers: { 'x-seen': 'yes' } },
  });
  const [url, init] = fetched.mock.calls[0] ?? [];
  expect(String(url)).toBe('http://localhost:2990/rest/api/2/thing');
  expect(init).toMatchObject({
    method: 'PUT',
    body: '"true"',
    headers: { 'content-type': 'application/json', 'ap-app-key': 'addon' },
  });
});

test('a refusal of the server is an answer', async () => {
  fetched.mockResolvedValue(new Response('no', { status: 403 }));
  await expect(asked({ url: '/rest/api/2/thing' })).resolves.toMatchObject({
    ok: false,
    body: 'no',
    xhr: { status: 403 },
  });
});

test('an add-on cannot pass for another', async () => {
  fetched.mockResolvedValue(new Response(''));
  await asked({ url: '/rest/api/2/thing', headers: { 'ap-app-key': 'other' } });
  expect(fetched.mock.calls[0]?.[1]?.headers).toMatchObject({ 'ap-app-key': 'addon' });
});

test('silence rejects', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  await expect(asked({ url: '/rest/api/2/thing' })).rejects.toThrow('Failed to fetch');
});

test.each(['https://example.com/rest/api/2/thing', '//example.com/rest/', '/host/state', '/rest/../host/state'])(
  'refuses %s',
  async url => {
    await expect(asked({ url })).rejects.toThrow('REST API of this site only');
    expect(fetched).not.toHaveBeenCalled();
  },
);
