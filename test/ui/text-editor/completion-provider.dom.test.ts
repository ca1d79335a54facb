import { expect, test, vi } from 'vitest';
import { createOnce } from '../../../src/ui/shell/services/services.ts';
import { createProvider } from '../../../src/ui/text-editor/text-editor.tsx';
import { fakeBridge, type Handler, status } from '../../client/fake-bridge.ts';
import { memory, refusing } from '../../client/fake-browser.ts';

const servicesOf = (bridge = fakeBridge()) => ({ bridge, once: createOnce(bridge) });

const tracker: Handler = (path, { query }) =>
  path.endsWith('/user/bulk')
    ? {
        values: [query?.accountId ?? []]
          .flat()
          .filter(id => id !== 'gone')
          .map(id => ({ accountId: id, displayName: `N ${id}` })),
      }
    : status(404, 'No such issue.');

test('people and issues are unknown first, and subscribers are notified when one is loaded', async () => {
  const bridge = fakeBridge({ tracker });
  const provider = createProvider(servicesOf(bridge), undefined);
  const listener = vi.fn();
  const stop = provider.subscribe(listener);
  expect(provider.person('a')).toBeUndefined();
  expect(provider.person('gone')).toBeUndefined();
  expect(provider.issue('WEB-1')).toBeUndefined();
  await vi.waitFor(() => expect(provider.issue('WEB-1')).toBeNull());
  await vi.waitFor(() => expect(provider.person('a')).toEqual({ accountId: 'a', name: 'N a', avatar: '' }));
  expect(provider.person('gone')).toBeNull();
  expect(listener).toHaveBeenCalledTimes(2);
  expect(bridge.calls).toHaveLength(2);
  stop();
  provider.person('b');
  await vi.waitFor(() => expect(provider.person('b')).toMatchObject({ name: 'N b' }));
  expect(listener).toHaveBeenCalledTimes(2);
});

test('the day is a day', () => expect(createProvider(servicesOf()).today()).toMatch(/^\d{4}-\d\d-\d\d$/));

/** A provider with this storage, whose user is loaded first. */
const providerWith = (storage: Storage) => createProvider(servicesOf(), storage);

/** The same, after it has loaded the user and stored the smile. */
async function providerWithSmile(storage: Storage) {
  const provider = providerWith(storage);
  provider.used?.('emoji', 'smile');
  await vi.waitFor(() => expect(storage.length).toBe(1));
  return provider;
}

test('recently used emoji are stored in the browser, the latest first', async () => {
  const storage = memory();
  const provider = await providerWithSmile(storage);
  for (const code of ['tada', 'rocket', 'tada']) provider.used?.('emoji', code);
  const next = providerWith(storage);
  await vi.waitFor(() => expect(next.recent?.('emoji')).toEqual(['tada', 'rocket', 'smile']));
  for (let index = 0; index < 50; index++) provider.used?.('emoji', `e${index}`);
  expect(provider.recent?.('emoji')).toHaveLength(30);
});

test.each(['{', '5', '[5]', 'null', `["${'x'.repeat(100)}"]`])('an invalid stored value is ignored: %s', async kept => {
  const storage = memory();
  await providerWithSmile(storage);
  storage.setItem(storage.key(0) ?? '', kept);
  const next = await providerWithSmile(storage);
  expect(next.recent?.('emoji')).toEqual(['smile']);
});

test('without storage in the browser they last as long as the page', () => {
  const provider = createProvider(servicesOf(), refusing());
  provider.used?.('emoji', 'tada');
  expect(provider.recent?.('emoji')).toEqual(['tada']);
});
