import { expect, test, vi } from 'vitest';
import { storageKey } from '../../src/domain/storage.ts';
import { hashText } from '../../src/text/document.ts';
import { registryOf } from '../../src/text/registry.ts';
import { type Handler, status } from './fake-bridge.ts';
import { acknowledged, opened, property, setStatus, shown, world } from './world.ts';

/** Reading: the tracker's copy until our server answers, then our server's answer. */

test('the tracker’s copy shows while our server does not answer', async () => {
  const { store } = await opened('- a\n+ b');
  expect(store.get()).toMatchObject({
    issueId: '10001',
    name: 'Checklists',
    source: 'property',
    text: '- a\n+ b',
    base: { epoch: 'e', seq: 1, text: '- a\n+ b' },
    state: 'saved',
    waiting: 0,
  });
  expect(store.get()?.model.rows.map(row => row.text)).toEqual(['a', 'b']);
});

test('our server’s answer replaces the tracker’s copy, which is not shown again', async () => {
  const { checklist } = acknowledged({ seq: 2, text: '- newer' });
  const query = vi.fn(async () => ({ data: { checklist } }));
  const { store, bridge } = world({ tracker: () => property({ seq: 1, text: '- older' }), query });
  const texts: (string | undefined)[] = [];
  store.subscribe(() => texts.push(shown(store)));
  await store.refresh();
  bridge.tracker = () => property({ epoch: '', seq: 0, text: '- foreign' });
  await store.refresh();
  expect(texts.at(-1)).toBe('- newer');
  expect(texts).not.toContain('- foreign');
});

test('a property that differs is reported to our server, one that agrees is not', async () => {
  const { checklist } = acknowledged({ seq: 2, text: '- a' });
  const asked: unknown[] = [];
  const query: Handler = async (_path, { json }) => {
    asked.push(json);
    return { data: { checklist } };
  };
  const agreeing = world({ tracker: () => property({ seq: 2, text: '- a' }), query });
  await agreeing.store.refresh();
  expect(asked).toHaveLength(1);
  const other = world({ tracker: () => property({ seq: 2, text: '- another' }), query });
  await other.store.refresh();
  await vi.waitFor(() => expect(asked).toHaveLength(3));
  const stored = { epoch: 'e', seq: 2, hash: await hashText('- another') };
  expect(JSON.stringify(asked[2])).toContain(JSON.stringify(stored));
});

test('foreign line ends are normalised', async () => {
  const { store } = world({ tracker: () => ({ properties: { [storageKey('checklist')]: '\uFEFF- a\r\n- b' } }) });
  await store.refresh();
  expect(store.get()).toMatchObject({ text: '- a\n- b', base: { epoch: '', seq: 0, text: '- a\n- b' } });
});

test('an unchanged reading changes nothing on the screen', async () => {
  const { store, reads } = await opened('- a');
  const before = store.get();
  const listener = vi.fn();
  store.subscribe(listener);
  const done = store.refresh();
  await reads.answer(property({ seq: 1, text: '- a' }));
  await done;
  expect(store.get()).toBe(before);
  expect(listener).not.toHaveBeenCalled();
});

test('a reading that arrives late never shows an older seq', async () => {
  const { store, reads, mutations } = await opened('- a', 4);
  const done = store.refresh();
  const stored = setStatus(store, { index: 0, text: 'a' }, 'done');
  await mutations.answer(acknowledged({ seq: 6, text: '- newer' }));
  await reads.answer(property({ seq: 5, text: '- older' }));
  await Promise.all([done, stored]);
  expect(shown(store)).toBe('- newer');
});

test('across epochs the answer to a change is newer than a reading that started before it', async () => {
  const { store, reads, mutations } = await opened('- a', 40);
  const done = store.refresh();
  const stored = setStatus(store, { index: 0, text: 'a' }, 'done');
  await mutations.answer(acknowledged({ epoch: 'new', seq: 1, text: '- restored' }));
  await reads.answer(property({ seq: 41, text: '- of the old epoch' }));
  await Promise.all([done, stored]);
  expect(store.get()).toMatchObject({ text: '- restored', base: { epoch: 'new', seq: 1 } });
});

test('where the tracker has no copy it is empty at once, until our server answers', async () => {
  const revision = { ...acknowledged({ seq: 8, text: '- kept' }).checklist, source: 'REVISION' };
  const query = vi.fn(async () => ({ data: { checklist: revision } }));
  const { store } = world({ tracker: () => ({ properties: {}, names: {}, fields: {} }), query });
  const texts: (string | undefined)[] = [];
  store.subscribe(() => texts.push(shown(store)));
  await store.refresh();
  await store.refresh();
  expect(texts).toEqual(['', '- kept']);
  expect(store.get()).toMatchObject({ source: 'revision', base: { epoch: 'e', seq: 8 } });
});

test('where the tracker has no copy and our server is unreachable it is empty, and our server is asked again', async () => {
  const query = vi.fn(async () => status(500));
  const { store } = world({ tracker: () => ({}), query });
  await store.refresh();
  await store.refresh();
  expect(store.get()).toMatchObject({ source: 'none', text: '', base: { epoch: '', seq: 0, text: '' } });
  expect(query).toHaveBeenCalledTimes(2);
});

test('a user refused by the tracker reads through our server; if that refuses too, the tracker’s message shows', async () => {
  const checklist = acknowledged({ seq: 3, text: '- a' }).checklist;
  const served = world({ tracker: () => status(404, 'Not yours.'), query: () => ({ data: { checklist } }) });
  await served.store.refresh();
  expect(shown(served.store)).toBe('- a');
  const refused = world({ tracker: () => status(404, 'Not yours.'), query: () => status(403) });
  await expect(refused.store.refresh()).rejects.toMatchObject({ name: 'TrackerError', text: 'Not yours.' });
  expect(refused.store.get()).toBeUndefined();
});

test('a failed reading keeps the shown checklist', async () => {
  const { store, bridge } = await opened('- a');
  bridge.tracker = () => status(500, 'Oh.');
  await expect(store.refresh()).rejects.toThrow('Oh.');
  expect(shown(store)).toBe('- a');
});

test('a change in another frame is read at once, until the store is stopped', async () => {
  const { store, reads, bridge } = await opened('- a');
  const stop = store.start();
  bridge.publish('checklist-changed', { issueId: '10002' });
  bridge.publish('checklist-changed', 'nonsense');
  bridge.publish('checklist-changed', { issueId: '10001' });
  await reads.answer(property({ seq: 2, text: '- b' }));
  expect(shown(store)).toBe('- b');
  stop();
  bridge.publish('checklist-changed', { issueId: '10001' });
  expect(reads.asked).toHaveLength(2);
});

test('the text and pending changes are parsed with statuses loaded later', async () => {
  const { store } = await opened('- [On hold] a\n- b');
  const change = setStatus(store, { index: 1, text: 'b' }, 'done');
  change.catch(() => undefined);
  expect(store.get()?.model.rows[0]).toMatchObject({ text: '[On hold] a', status: { slug: 'todo' } });
  const hold = { slug: 'hold', name: 'On hold', checked: false, color: 'red' as const, former: [], going: false };
  store.readBy(registryOf([hold]));
  expect(store.get()?.model.rows).toMatchObject([
    { text: 'a', status: { slug: 'hold' } },
    { text: 'b', status: { slug: 'done' } },
  ]);
});
