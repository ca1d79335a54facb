import { afterEach, expect, test, vi } from 'vitest';
import { HostUnreachable } from '../../src/bridge/bridge.ts';
import { openBridge } from '../../src/bridge/index.ts';
import { fakeHost } from './fake-host.ts';

afterEach(() => vi.unstubAllGlobals());

const page = (ap: unknown, search = '?surface=page&issueKey=ABC-1') => {
  vi.stubGlobal('window', { AP: ap });
  vi.stubGlobal('location', { search });
};

test.each([
  ['no host script', undefined],
  ['a host script without a frame', { _data: {}, resize: () => undefined }],
])('a page opened on its own has no host: %s', async (_name, ap) => {
  page(ap);
  const bridge = await openBridge();
  expect(bridge.kind).toBe('none');
  expect(await bridge.context()).toEqual({ surface: 'page', issueKey: 'ABC-1' });
  await expect(bridge.request('/rest/api/2/myself')).rejects.toBeInstanceOf(HostUnreachable);
  await expect(bridge.signIn()).rejects.toThrow('Open this page from Jira.');
  await expect(bridge.owner()).rejects.toThrow('Open this page from Jira.');
  bridge.on('changed', () => undefined)();
  expect(await bridge.preferences.get('layout')).toBeUndefined();
});

test('a frame that the tracker opened has one', async () => {
  page(fakeHost().frame());
  expect((await openBridge()).kind).toBe('connect');
});
