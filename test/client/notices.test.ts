import { expect, test } from 'vitest';
import { hiddenNotices, hideNotice } from '../../src/client/notices.ts';
import { storageKey } from '../../src/domain/storage.ts';
import { fakeBridge, status } from './fake-bridge.ts';

const key = storageKey('hide-notice');

/** A tracker with one user property. */
function person(first?: unknown) {
  let value = first;
  return fakeBridge({
    tracker: (path, { method, json }) => {
      if (method === 'PUT') {
        value = json;
        return {};
      }
      if (path.endsWith('/properties')) return { keys: value === undefined ? [] : [{ key }] };
      return value === undefined ? status(404) : { key, value };
    },
  });
}

test('a notice is hidden permanently, and stored once', async () => {
  const bridge = person();
  expect([...(await hiddenNotices(bridge, 'ana'))]).toEqual([]);
  for (const notice of ['first', 'second', 'first']) await hideNotice(bridge, 'ana', notice);
  expect([...(await hiddenNotices(bridge, 'ana'))]).toEqual(['first', 'second']);
  expect(bridge.calls.filter(({ init }) => init.method === 'PUT')).toHaveLength(2);
});

test('a foreign value hides nothing', async () => {
  expect([...(await hiddenNotices(person({ a: 1 }), 'ana'))]).toEqual([]);
});
