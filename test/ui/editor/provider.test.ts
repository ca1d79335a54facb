import { expect, test, vi } from 'vitest';
import { createProvider } from '../../../src/ui/editor/provider.ts';
import { fakeBridge, type Handler, status } from '../../client/fake-bridge.ts';
import { memory, refusing } from '../../client/fake-browser.ts';

const tracker: Handler = (path, { query }) =>
  path.endsWith('/user/bulk')
    ? {
        values: [query?.accountId ?? []]
          .flat()
          .filter(id => id !== 'gone')
          .map(id => ({ accountId: id, displayName: `N ${id}` })),
      }
    : status(404, 'No such issue.');

test('people and issues are unknown first, and those who listen hear when something is known', async () => {
  const bridge = fakeBridge({ tracker });
  const provider = createProvider(bridge, undefined);
  const heard = vi.fn();
  const stop = provider.subscribe(heard);
  expect(provider.person('a')).toBeUndefined();
  expect(provider.person('gone')).toBeUndefined();
  expect(provider.issue('WEB-1')).toBeUndefined();
  await vi.waitFor(() => expect(provider.issue('WEB-1')).toBeNull());
  await vi.waitFor(() => expect(provider.person('a')).toEqual({ accountId: 'a', name: 'N a', avatar: '' }));
  expect(provider.person('gone')).toBeNull();
  expect(heard).toHaveBeenCalledTimes(2);
  expect(bridge.calls).toHaveLength(2);
  stop();
  provider.person('b');
  await vi.waitFor(() => expect(provider.person('b')).toMatchObject({ name: 'N b' }));
  expect(heard).toHaveBeenCalledTimes(2);
});

test('the day is a day', () => expect(createProvider(fakeBridge()).today()).toMatch(/^\d{4}-\d\d-\d\d$/));

test('emoji used last are kept in the browser, the latest first', () => {
  const storage = memory();
  const provider = createProvider(fakeBridge(), storage);
  for (const code of ['tada', 'smile', 'tada']) provider.usedEmoji?.(code);
  expect(createProvider(fakeBridge(), storage).recentEmoji?.()).toEqual(['tada', 'smile']);
  for (let index = 0; index < 50; index++) provider.usedEmoji?.(`e${index}`);
  expect(provider.recentEmoji?.()).toHaveLength(30);
});

test.each(['{', '5', '[5]', 'null', `["${'x'.repeat(100)}"]`])('what the browser keeps as %s is nothing', kept => {
  const storage = memory();
  createProvider(fakeBridge(), storage).usedEmoji?.('tada');
  const key = storage.key(0) ?? '';
  storage.setItem(key, kept);
  expect(createProvider(fakeBridge(), storage).recentEmoji?.()).toEqual([]);
});

test('a browser that keeps nothing forgets them with the page', () => {
  const provider = createProvider(fakeBridge(), refusing());
  provider.usedEmoji?.('tada');
  expect(provider.recentEmoji?.()).toEqual(['tada']);
});
