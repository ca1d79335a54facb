import { afterEach, expect, test, vi } from 'vitest';
import type { Page } from '../../../src/client/page.ts';
import { edition } from '../../../src/domain/edition.ts';
import { status } from '../fake-bridge.ts';
import { fakeBrowser } from '../fake-browser.ts';
import { acknowledged, addItems, issue, property, refusal, setStatus, shown, until, world } from '../world.ts';

/** Stored changes: after a reload, for other frames, and without storage. */

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const text = '- a\n- b';
const tracker = () => property({ seq: 1, text });

/** A frame of the browser in which the checklist is open. */
async function open(page: Page, read = tracker) {
  const frame = world({ page, tracker: read });
  vi.stubGlobal('document', { visibilityState: 'visible' });
  const stop = frame.store.start();
  await frame.store.refresh();
  await frame.store.prepare();
  return { ...frame, stop };
}

/**
 * A panel closed with a change in flight, and the next one in the same window, which receives no storage events of it.
 */
async function reopened(page: Page) {
  const earlier = await open(page);
  void addItems(earlier.store, 'c');
  await until(() => earlier.sent().length === 1);
  earlier.stop();
  const panel = await open(page);
  expect(panel.store.get()).toMatchObject({ state: 'saving', waiting: 1 });
  return [earlier, panel] as const;
}

const turn = () => new Promise(resolve => setTimeout(resolve, 5));

test('a change outlives its page: it shows from the first rendering, and is sent under the same id', async () => {
  const browser = fakeBrowser();
  const page = browser.frame();
  const first = await open(page);
  void setStatus(first.store, { index: 1, text: 'b' }, 'done');
  await until(() => first.sent().length === 1);
  page.close();
  first.stop();

  const texts: (string | undefined)[] = [];
  const frame = world({ page: browser.frame(), tracker });
  frame.store.subscribe(() => texts.push(shown(frame.store)));
  vi.stubGlobal('document', { visibilityState: 'visible' });
  const stop = frame.store.start();
  await frame.store.refresh();
  await until(() => frame.sent().length === 1);
  expect(new Set(texts)).toEqual(new Set(['- a\n+ b']));
  expect(frame.store.get()).toMatchObject({ state: 'saving', waiting: 1, volatile: false });
  expect(frame.sent()[0]?.input.clientId).toBe(first.sent()[0]?.input.clientId);
  await frame.mutations.answer(refusal('BASE_UNKNOWN'));
  await until(() => frame.sent().length === 2);
  expect(frame.sent()[1]?.input.base.text).toBe(text);
  await frame.mutations.answer(acknowledged({ seq: 2, text: '- a\n+ b' }));
  expect(frame.store.get()).toMatchObject({ state: 'saved', text: '- a\n+ b' });
  expect([...browser.entries]).toEqual([]);
  stop();
});

test('the first rendering does not wait where nothing is stored for the issue', async () => {
  const browser = fakeBrowser();
  browser.entries.set(`${edition.key}.outbox/tenant/account/other/1`, '{}');
  expect(world({ page: browser.frame() }).store.urgent).toBe(false);
});

test('all frames show a change, one sends it, and all receive its result', async () => {
  const browser = fakeBrowser();
  const [panel, editor] = [await open(browser.frame()), await open(browser.frame())];
  const ticked = setStatus(panel.store, { index: 0, text: 'a' }, 'done');
  await until(() => shown(editor.store) === '+ a\n- b');
  expect(editor.store.get()).toMatchObject({ state: 'saving' });
  const conflicts = [{ row: 'a', attribute: 'status', mine: 'done', theirs: 'skipped' }];
  await panel.mutations.answer({ ...acknowledged({ seq: 2, text: '+ a\n- b' }), conflicts });
  expect(await ticked).toMatchObject({ conflicts });
  await until(() => editor.store.get()?.state === 'saved');
  expect(editor.store.get()).toMatchObject({ text: '+ a\n- b', base: { seq: 2 } });
  expect(editor.sent()).toEqual([]);
  panel.stop();
  editor.stop();
});

test('frames send in mutual exclusion, and each receives its own results', async () => {
  const browser = fakeBrowser();
  const [panel, editor] = [await open(browser.frame()), await open(browser.frame())];
  const ticked = setStatus(panel.store, { index: 0, text: 'a' }, 'done');
  await vi.waitFor(() => expect(panel.sent()).toHaveLength(1));
  const added = addItems(editor.store, 'c');
  await turn();
  expect(editor.sent()).toEqual([]);
  await panel.mutations.answer(acknowledged({ seq: 2, text: '+ a\n- b' }));
  await ticked;
  // The sending frame goes on with the entries of all frames.
  await panel.mutations.answer(acknowledged({ seq: 3, text: '+ a\n- b\n- c' }));
  expect((await added).base).toEqual({ epoch: 'e', seq: 3, text: '+ a\n- b\n- c' });
  expect(editor.store.get()).toMatchObject({ text: '+ a\n- b\n- c', state: 'saved' });
  panel.stop();
  editor.stop();
});

test('without locks a change may be sent by two frames, and has its result once', async () => {
  const browser = fakeBrowser({ locks: false });
  const [panel, editor] = [await open(browser.frame()), await open(browser.frame())];
  const ticked = setStatus(panel.store, { index: 0, text: 'a' }, 'done');
  await until(() => panel.sent().length === 1 && shown(editor.store) === '+ a\n- b');
  const added = addItems(editor.store, 'c');
  await until(() => editor.sent().length === 1);
  expect(editor.sent()[0]?.input.clientId).toBe(panel.sent()[0]?.input.clientId);
  await panel.mutations.answer(acknowledged({ seq: 2, text: '+ a\n- b' }));
  await editor.mutations.answer(acknowledged({ seq: 2, text: '+ a\n- b' }));
  expect((await ticked).base).toMatchObject({ seq: 2 });
  await until(() => editor.sent().length === 2);
  await editor.mutations.answer(acknowledged({ seq: 3, text: '+ a\n- b\n- c' }));
  expect((await added).base).toMatchObject({ seq: 3 });
  await until(() => panel.store.get()?.state === 'saved');
  for (const { store } of [panel, editor]) expect(store.get()).toMatchObject({ text: '+ a\n- b\n- c', rejected: [] });
  expect([...browser.entries.keys()].filter(key => key.includes('.outbox'))).toEqual([]);
  panel.stop();
  editor.stop();
});

test('changes of a closed frame are sent by another', async () => {
  const browser = fakeBrowser();
  const page = browser.frame();
  const [editor, panel] = [await open(page), await open(browser.frame())];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  void addItems(editor.store, 'c');
  await until(() => editor.sent().length === 1);
  page.close();
  editor.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  await until(() => panel.sent().length === 1);
  panel.mutations.answerNow(acknowledged({ seq: 2, text: `${text}\n- c` }));
  await until(() => panel.store.get()?.state === 'saved');
  panel.stop();
});

test('a refusal received by another frame rejects where the change was made', async () => {
  const browser = fakeBrowser();
  const [panel, editor] = [await open(browser.frame()), await open(browser.frame())];
  void setStatus(panel.store, { index: 0, text: 'a' }, 'done');
  await until(() => panel.sent().length === 1);
  const change = editor.store.change({ kind: 'addChecklistItemsFromText', text: 'c' });
  const refused = expect(change.outcome).rejects.toMatchObject({ code: 'LIMIT_REACHED', message: 'Full.' });
  await turn();
  await panel.mutations.answer(acknowledged({ seq: 2, text: '+ a\n- b' }));
  await panel.mutations.answer(refusal('LIMIT_REACHED', 'Full.'));
  await refused;
  for (const { store } of [panel, editor]) {
    expect(store.get()).toMatchObject({ text: '+ a\n- b', rejected: [{ id: change.id, message: 'Full.' }] });
  }
  editor.store.discard(change.id);
  await until(() => panel.store.get()?.rejected.length === 0);
  panel.stop();
  editor.stop();
});

test('a change removed without a result shows until its text is loaded', async () => {
  const browser = fakeBrowser();
  const { store, bridge, stop } = await open(browser.frame());
  const added = addItems(store, 'c');
  const texts: (string | undefined)[] = [];
  store.subscribe(() => texts.push(shown(store)?.trimEnd()));
  bridge.tracker = () => property({ seq: 2, text: `${text}\n- c` });
  const other = browser.frame();
  for (const key of [...browser.entries.keys()]) other.storage?.removeItem(key);
  expect((await added).base.seq).toBe(2);
  expect(store.get()).toMatchObject({ text: `${text}\n- c`, state: 'saved' });
  expect(new Set(texts)).toEqual(new Set([`${text}\n- c`]));
  stop();
});

test('without storage changes live as long as the page, and are shown as volatile', async () => {
  const { store, mutations, stop } = await open(fakeBrowser({ keeps: false }).frame());
  const ticked = setStatus(store, { index: 0, text: 'a' }, 'done');
  await mutations.answer(status(503));
  expect(store.get()).toMatchObject({ text: '+ a\n- b', state: 'waiting', volatile: true });
  store.sendNow();
  await mutations.answer(acknowledged({ seq: 2, text: '+ a\n- b' }));
  await ticked;
  expect(store.get()).toMatchObject({ state: 'saved', volatile: false });
  stop();
});

test('clearing the storage loses nothing of an open page', async () => {
  const browser = fakeBrowser();
  const { store, mutations, sent, stop } = await open(browser.frame());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const added = addItems(store, 'c');
  const changes = () => [...browser.entries].filter(([key]) => key.includes('.outbox/'));
  const before = changes();
  browser.frame().storage?.clear();
  await until(() => changes().length > 0);
  expect(changes()).toEqual(before);
  await vi.advanceTimersByTimeAsync(5_000);
  await until(() => sent().length === 1);
  mutations.answerNow(acknowledged({ seq: 2, text: `${text}\n- c` }));
  await added;
  stop();
});

test('the tracker names the owner; changes of other accounts are not shown or sent', async () => {
  const browser = fakeBrowser();
  const page = browser.frame();
  const first = await open(page);
  void addItems(first.store, 'c');
  await until(() => first.sent().length === 1);
  page.close();
  first.stop();
  const frame = world({ page: browser.frame(), tracker });
  frame.bridge.owner = async () => ({ tenant: 'another tracker', account: 'account' });
  vi.stubGlobal('document', { visibilityState: 'visible' });
  const stop = frame.store.start();
  await frame.store.refresh();
  await frame.store.prepare();
  await turn();
  expect(frame.store.get()).toMatchObject({ text, state: 'saved' });
  expect(frame.sent()).toEqual([]);
  stop();
});

test('a panel sends again, under the same id, what an earlier one in the same window has stored', async () => {
  const page = fakeBrowser().frame();
  const [earlier, panel] = await reopened(page);
  const answer = acknowledged({ seq: 2, text: `${text}\n- c` });
  earlier.mutations.answerNow(answer);
  await until(() => panel.sent().length === 1);
  expect(panel.sent()[0]?.input.clientId).toBe(earlier.sent()[0]?.input.clientId);
  await panel.mutations.answer(answer);
  expect(panel.store.get()).toMatchObject({ state: 'saved', text: `${text}\n- c` });
  panel.stop();
});

test('a panel receives a refusal of an earlier one in the same window', async () => {
  const page = fakeBrowser().frame();
  const [earlier, panel] = await reopened(page);
  earlier.mutations.answerNow(refusal('LIMIT_REACHED', 'Full.'));
  await until(() => panel.store.get()?.state === 'failed');
  expect(panel.store.get()?.rejected).toMatchObject([{ message: 'Full.' }]);
  expect(panel.sent()).toEqual([]);
  panel.stop();
});

test('where the tracker names no account, changes are made and not stored', async () => {
  const browser = fakeBrowser();
  const frame = world({ page: browser.frame(), tracker });
  frame.bridge.owner = () => Promise.reject(new Error('Silent.'));
  await frame.store.refresh();
  await frame.store.prepare();
  void addItems(frame.store, 'c');
  expect(frame.store.get()).toMatchObject({ text: `${text}\n- c`, volatile: true });
});

test('changes older than two weeks are offered, and not sent', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const browser = fakeBrowser();
  const page = browser.frame();
  const first = await open(page);
  void setStatus(first.store, { index: 0, text: 'a' }, 'done');
  await until(() => first.sent().length === 1);
  page.close();
  first.stop();
  vi.setSystemTime(Date.now() + 14 * 24 * 3_600_000 + 1);
  const { store, mutations, sent, stop } = await open(browser.frame());
  expect(store.get()).toMatchObject({ text, state: 'failed', rejected: [{ change: { kind: 'setItemStatus' } }] });
  await turn();
  expect(sent()).toEqual([]);
  store.resend(store.get()?.rejected[0]?.id ?? '');
  await mutations.answer(acknowledged({ seq: 2, text: '+ a\n- b' }));
  expect(store.get()).toMatchObject({ text: '+ a\n- b', state: 'saved', rejected: [] });
  stop();
});

test.each(['no JSON', '{"v":1}', '{"v":2,"id":"x"}', 'null'])('an invalid entry is left untouched: %s', async kept => {
  const browser = fakeBrowser();
  const key = `${edition.key}.outbox/tracker/account/${issue.issueId}/x`;
  browser.entries.set(key, kept);
  const { store, sent, stop } = await open(browser.frame());
  await turn();
  expect(store.get()).toMatchObject({ text, state: 'saved' });
  expect(sent()).toEqual([]);
  expect(browser.entries.get(key)).toBe(kept);
  stop();
});

test('a deletion undone before it is acknowledged leaves the row its id, in all frames', async () => {
  const browser = fakeBrowser();
  const rowIds = ['item-aaa', 'item-bbb'];
  const checklist = { ...acknowledged({ seq: 1, text: '- a\n- b\n' }).checklist, rowIds, copyNotice: null };
  const openFrame = async () => {
    const frame = world({
      page: browser.frame(),
      tracker: () => status(503),
      query: () => ({ data: { checklist } }),
    });
    const stop = frame.store.start();
    await frame.store.prepare();
    await frame.store.refresh();
    return { ...frame, stop };
  };
  vi.stubGlobal('document', { visibilityState: 'visible' });
  const panel = await openFrame();
  const editor = await openFrame();
  const { id } = panel.store.change({ kind: 'deleteChecklistItem', target: { index: 0, text: 'a' } });
  for (const { edit, base } of panel.store.inverse(id, () => true)) panel.store.change(edit, base);
  await until(() => editor.store.get()?.waiting === 2);
  for (const { store } of [panel, editor]) {
    expect(store.get()).toMatchObject({ text: '- a\n- b\n', rows: rowIds, waiting: 2 });
  }
  panel.stop();
  editor.stop();
});
