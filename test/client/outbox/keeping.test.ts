import { afterEach, expect, test, vi } from 'vitest';
import type { Page } from '../../../src/client/page.ts';
import { edition } from '../../../src/domain/edition.ts';
import { status } from '../fake-bridge.ts';
import { fakeBrowser } from '../fake-browser.ts';
import { acknowledged, addItems, issue, property, refusal, setStatus, shown, until, world } from '../world.ts';

/** What the browser keeps of changes: over a reload, for other frames, and when it keeps nothing. */

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

/** A panel that ended while its change was on the way, and the next one in the same window, which hears no storage events of it. */
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

test('a change outlives its page: it shows from the first painting on, and is sent under the same id', async () => {
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

test('nothing is held back where the browser keeps nothing of this issue', async () => {
  const browser = fakeBrowser();
  browser.entries.set(`${edition.key}.outbox/tenant/account/other/1`, '{}');
  expect(world({ page: browser.frame() }).store.urgent).toBe(false);
});

test('all frames show a change, one sends it, and all learn what became of it', async () => {
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

test.each([
  ['locks', true],
  ['leases', false],
])('with %s frames do not send at once, and each hears of its own', async (_, locks) => {
  const browser = fakeBrowser({ locks });
  const [panel, editor] = [await open(browser.frame()), await open(browser.frame())];
  const ticked = setStatus(panel.store, { index: 0, text: 'a' }, 'done');
  await vi.waitFor(() => expect(panel.sent()).toHaveLength(1));
  const added = addItems(editor.store, 'c');
  await turn();
  expect(editor.sent()).toEqual([]);
  await panel.mutations.answer(acknowledged({ seq: 2, text: '+ a\n- b' }));
  await ticked;
  // The frame that sends goes on with what there is, whoever made it.
  await panel.mutations.answer(acknowledged({ seq: 3, text: '+ a\n- b\n- c' }));
  expect((await added).base).toEqual({ epoch: 'e', seq: 3, text: '+ a\n- b\n- c' });
  expect(editor.store.get()).toMatchObject({ text: '+ a\n- b\n- c', state: 'saved' });
  panel.stop();
  editor.stop();
});

test('what a frame leaves behind is sent by another', async () => {
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

test('a refusal that another frame received is told where the change was made', async () => {
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
    expect(store.get()).toMatchObject({ text: '+ a\n- b', offers: [{ id: change.id, message: 'Full.' }] });
  }
  editor.store.discard(change.id);
  await until(() => panel.store.get()?.offers.length === 0);
  panel.stop();
  editor.stop();
});

test('a change that has gone without a word stays until the text is there that it led to', async () => {
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

test('a browser that keeps nothing does no harm while the page is there, and that is known', async () => {
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

test('storage that somebody empties loses nothing of an open page', async () => {
  const browser = fakeBrowser();
  const { store, mutations, sent, stop } = await open(browser.frame());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const added = addItems(store, 'c');
  const before = new Map(browser.entries);
  browser.frame().storage?.clear();
  await until(() => browser.entries.size > 0);
  expect(browser.entries).toEqual(before);
  await vi.advanceTimersByTimeAsync(5_000);
  await until(() => sent().length === 1);
  mutations.answerNow(acknowledged({ seq: 2, text: `${text}\n- c` }));
  await added;
  stop();
});

test('whose changes they are is asked of the tracker; those of others are not shown or sent', async () => {
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

test('a panel learns what was refused to an earlier one in the same window', async () => {
  const page = fakeBrowser().frame();
  const [earlier, panel] = await reopened(page);
  earlier.mutations.answerNow(refusal('LIMIT_REACHED', 'Full.'));
  await until(() => panel.store.get()?.state === 'failed');
  expect(panel.store.get()?.offers).toMatchObject([{ message: 'Full.' }]);
  expect(panel.sent()).toEqual([]);
  panel.stop();
});

test('where the tracker does not say who it is, changes are made and not kept', async () => {
  const browser = fakeBrowser();
  const frame = world({ page: browser.frame(), tracker });
  frame.bridge.owner = () => Promise.reject(new Error('Silent.'));
  await frame.store.refresh();
  await frame.store.prepare();
  void addItems(frame.store, 'c');
  expect(frame.store.get()).toMatchObject({ text: `${text}\n- c`, volatile: true });
});

test('what is older than two weeks is offered, and not sent', async () => {
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
  expect(store.get()).toMatchObject({ text, state: 'failed', offers: [{ change: { kind: 'setItemStatus' } }] });
  await turn();
  expect(sent()).toEqual([]);
  store.again(store.get()?.offers[0]?.id ?? '');
  await mutations.answer(acknowledged({ seq: 2, text: '+ a\n- b' }));
  expect(store.get()).toMatchObject({ text: '+ a\n- b', state: 'saved', offers: [] });
  stop();
});

test.each(['no JSON', '{"v":1}', '{"v":2,"id":"x"}', 'null'])(
  'what is no change of ours is left alone: %s',
  async kept => {
    const browser = fakeBrowser();
    const key = `${edition.key}.outbox/tracker/account/${issue.issueId}/x`;
    browser.entries.set(key, kept);
    const { store, sent, stop } = await open(browser.frame());
    await turn();
    expect(store.get()).toMatchObject({ text, state: 'saved' });
    expect(sent()).toEqual([]);
    expect(browser.entries.get(key)).toBe(kept);
    stop();
  },
);
