import { afterEach, expect, test, vi } from 'vitest';
import { failures } from '../../../src/domain/messages.ts';
import { hashText } from '../../../src/text/document.ts';
import { status } from '../fake-bridge.ts';
import { fakeBrowser } from '../fake-browser.ts';
import { acknowledged, addItems, opened, property, refusal, setStatus, shown, until } from '../world.ts';

/** Changes that the server refuses or does not receive. */

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a refused edit is removed, and the checklist is reloaded', async () => {
  const { store, mutations, reads } = await opened('- a');
  const ticked = setStatus(store, { index: 0, text: 'a' }, 'done');
  expect(shown(store)).toBe('+ a');
  const failure = expect(ticked).rejects.toMatchObject({ name: 'MutationRefused', code: 'FORBIDDEN', message: 'No.' });
  await mutations.answer(refusal('FORBIDDEN'));
  await failure;
  expect(store.get()).toMatchObject({ text: '- a', state: 'saved', waiting: 0 });
  await reads.answer(property({ seq: 2, text: '- a\n- b' }));
  expect(shown(store)).toBe('- a\n- b');
});

test('a refused change does not block the next', async () => {
  const { store, mutations } = await opened('- a\n- b');
  const first = expect(setStatus(store, { index: 0, text: 'a' }, 'done')).rejects.toThrow('No.');
  const second = setStatus(store, { index: 1, text: 'b' }, 'done');
  await mutations.answer(refusal('FORBIDDEN'));
  await first;
  expect(store.get()).toMatchObject({ text: '- a\n+ b', state: 'saving', waiting: 1 });
  await mutations.answer(acknowledged({ seq: 2, text: '- a\n+ b' }));
  expect((await second).base.seq).toBe(2);
});

test('a change on top of a refused one is rebased without it', async () => {
  const { store, mutations, sent } = await opened('- a');
  const added = expect(addItems(store, 'b')).rejects.toThrow('Full.');
  const ticked = setStatus(store, { index: 0, text: 'a' }, 'done');
  const onIt = expect(setStatus(store, { index: 1, text: 'b' }, 'done')).rejects.toThrow('Gone.');
  expect(shown(store)).toMatch(/^\+ a\n\+ b/);
  await mutations.answer(refusal('LIMIT_REACHED', 'Full.'));
  await added;
  expect(shown(store)?.trimEnd()).toBe('+ a');
  await mutations.answer(acknowledged({ seq: 2, text: '+ a' }));
  await ticked;
  expect(sent()[1]?.input.base.hash).toBe(await hashText('- a'));
  await mutations.answer(refusal('CHANGED_MEANWHILE', 'Gone.'));
  await onIt;
  expect(store.get()).toMatchObject({ text: '+ a', waiting: 0 });
});

test('typed text of a refused change is offered, to be sent again or discarded', async () => {
  const { store, mutations, sent } = await opened('- a');
  const change = store.change({ kind: 'addChecklistItemsFromText', text: 'b' });
  await mutations.answer(refusal('LIMIT_REACHED', 'Full.'));
  await expect(change.outcome).rejects.toThrow('Full.');
  expect(store.get()).toMatchObject({
    text: '- a',
    state: 'failed',
    rejected: [{ id: change.id, message: 'Full.', change: { text: 'b' } }],
  });
  store.resend(change.id);
  expect(store.get()).toMatchObject({ text: expect.stringContaining('- b'), state: 'saving', rejected: [] });
  await mutations.answer(refusal('LIMIT_REACHED', 'Full.'));
  expect(sent()[1]?.input.clientId).toBe(sent()[0]?.input.clientId);
  expect(store.get()).toMatchObject({ state: 'failed' });
  store.discard(change.id);
  expect(store.get()).toMatchObject({ text: '- a', state: 'saved', rejected: [] });
});

test.each([
  ['our server is away', status(503)],
  ['a proxy gets no answer', status(504)],
  ['too many do the same', status(429)],
  ['the tracker is away', refusal('TRACKER_UNAVAILABLE')],
])('while %s it is not saved yet, and is sent again under the same id', async (_, failure) => {
  const { store, mutations, sent } = await opened('- a');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const added = addItems(store, 'b');
  expect(store.get()).toMatchObject({ state: 'saving' });
  for (let tries = 1; tries <= 8; tries++) {
    await until(() => sent().length === tries);
    mutations.answerNow(failure);
    await until(() => store.get()?.state === 'waiting');
    expect(store.get()?.text.trimEnd()).toBe('- a\n- b');
    await vi.advanceTimersByTimeAsync(60_000);
  }
  await until(() => sent().length === 9);
  mutations.answerNow(acknowledged({ seq: 2, text: '- a\n- b' }));
  vi.useRealTimers();
  await added;
  expect(store.get()).toMatchObject({ text: '- a\n- b', state: 'saved', waiting: 0 });
  expect(new Set(sent().map(({ input }) => input.clientId)).size).toBe(1);
});

test.each([
  ['for no known reason', status(500, '{"error":"Broken."}'), failures.updateChecklist],
  ['since the tracker refuses it', refusal('TRACKER_REFUSED', 'Error 400.'), 'Error 400.'],
])('what fails %s is tried some times, and then offered with a message', async (_, failure, message) => {
  const { store, mutations, sent } = await opened('- a');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const change = store.change({ kind: 'setItemStatus', target: { index: 0, text: 'a' }, status: 'done' });
  const failed = expect(change.outcome).rejects.toThrow(message);
  for (let tries = 1; tries <= 6; tries++) {
    await until(() => sent().length === tries);
    mutations.answerNow(failure);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  vi.useRealTimers();
  await failed;
  expect(store.get()).toMatchObject({
    text: '- a',
    state: 'failed',
    rejected: [{ message: expect.stringContaining(message) }],
  });
  expect(sent()).toHaveLength(6);
});

test.each([
  [400, 'Reload the page, then try again.'],
  [403, "You don't have permission for this change."],
  [413, 'Reload the page, then try again.'],
  [422, 'Reload the page, then try again.'],
])('a change that is refused with %i is offered at once with what to do, and not sent again', async (code, message) => {
  const { store, mutations, sent } = await opened('- a');
  const change = store.change({ kind: 'setItemStatus', target: { index: 0, text: 'a' }, status: 'done' });
  const failed = expect(change.outcome).rejects.toThrow(message);
  await mutations.answer(status(code));
  await failed;
  expect(store.get()).toMatchObject({ text: '- a', state: 'failed', waiting: 0 });
  expect(store.get()?.rejected).toMatchObject([{ message: expect.stringContaining(message) }]);
  store.sendNow();
  expect(sent()).toHaveLength(1);
});

test.each([
  [500, 'The server had an error.'],
  [503, "The server didn't answer."],
])('a first answer %i says at once why the change is not saved yet', async (code, why) => {
  const { store, mutations } = await opened('- a');
  void addItems(store, 'b');
  await mutations.answer(status(code));
  expect(store.get()).toMatchObject({ state: 'waiting', why });
});

test('a request times out after a minute', async () => {
  const { store, sent } = await opened('- a');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  void addItems(store, 'b');
  await until(() => sent().length === 1);
  await vi.advanceTimersByTimeAsync(60_000);
  await until(() => store.get()?.state === 'waiting');
  await vi.advanceTimersByTimeAsync(1_000);
  await until(() => sent().length === 2);
});

test('the network’s return, a visible page and the user send pending changes at once', async () => {
  const page = fakeBrowser().frame();
  const { store, mutations, sent } = await opened('- a', 1, { page });
  vi.stubGlobal('document', { visibilityState: 'visible' });
  const stop = store.start();
  void addItems(store, 'b');
  const wakes = [
    () => page.window.dispatchEvent(new Event('online')),
    () => page.window.dispatchEvent(new Event('visibilitychange')),
    store.sendNow,
  ];
  for (const [before, wake] of wakes.entries()) {
    await mutations.answer(status(503));
    expect(store.get()).toMatchObject({ state: 'waiting' });
    expect(sent()).toHaveLength(before + 1);
    wake();
  }
  await mutations.answer(acknowledged({ seq: 2, text: '- a\n- b' }));
  expect(store.get()).toMatchObject({ state: 'saved' });
  stop();
});

test('a base that is unknown to the server is sent as text, under the same id', async () => {
  const { store, mutations, sent } = await opened('- a');
  const ticked = setStatus(store, { index: 0, text: 'a' }, 'done');
  await mutations.answer(refusal('BASE_UNKNOWN'));
  await mutations.answer(acknowledged({ epoch: 'new', seq: 1, text: '+ a' }));
  expect((await ticked).base).toEqual({ epoch: 'new', seq: 1, text: '+ a' });
  const [first, second] = sent();
  expect(first?.input.base).not.toHaveProperty('text');
  expect(second?.input).toEqual({ ...first?.input, base: { ...first?.input.base, text: '- a' } });
});

test('a base that stays unknown is a refusal', async () => {
  const { store, mutations, sent } = await opened('- a');
  const ticked = expect(setStatus(store, { index: 0, text: 'a' }, 'done')).rejects.toMatchObject({
    code: 'BASE_UNKNOWN',
  });
  await mutations.answer(refusal('BASE_UNKNOWN'));
  await mutations.answer(refusal('BASE_UNKNOWN'));
  await ticked;
  expect(sent()).toHaveLength(2);
});
