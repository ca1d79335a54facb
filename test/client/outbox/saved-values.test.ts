import { afterEach, expect, test, vi } from 'vitest';
import { createSavedValues, newValues } from '../../../src/client/outbox/saved-values.ts';
import type { Page } from '../../../src/client/page.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { fakeBrowser } from '../fake-browser.ts';
import { acknowledged, opened } from '../world.ts';

const DAY = 24 * 60 * 60_000;
const owner = { tenant: 'tracker', account: 'account' };
const at = (seq: number) => ({ epoch: 'e', seq });

afterEach(() => vi.useRealTimers());

function savedIn(page: Page) {
  const saved = createSavedValues('1', page);
  saved.open(owner);
  return saved;
}
const valuesOf = (saved: ReturnType<typeof savedIn>) => [...(saved.get()?.values ?? [])];

test('values are found after a reload, in each tab, with the revision up to which conflicts were reported', () => {
  const browser = fakeBrowser();
  const [one, other] = [savedIn(browser.frame()), savedIn(browser.frame())];
  expect(one.get()).toBeUndefined();
  one.note(['tests'], at(4));
  other.note(['docs'], at(5));
  expect(valuesOf(one)).toEqual(['tests', 'docs']);
  one.report(at(7));
  expect(other.get()?.reported).toEqual(at(7));
  expect(savedIn(browser.frame()).get()).toMatchObject({ reported: at(7), isRecent: false });
});

test('another account or another issue has values of its own', () => {
  const page = fakeBrowser().frame();
  savedIn(page).note(['tests'], at(1));
  const [account, issue] = [createSavedValues('1', page), createSavedValues('2', page)];
  account.open({ ...owner, account: 'other' });
  issue.open(owner);
  expect([account.get(), issue.get()]).toEqual([undefined, undefined]);
});

test('what is changed before the account is known is kept once it is', () => {
  const browser = fakeBrowser();
  const early = createSavedValues('1', browser.frame());
  early.note(['tests'], at(1));
  early.open(owner);
  expect(valuesOf(savedIn(browser.frame()))).toEqual(['tests']);
});

test('values are dropped after 14 days, and the oldest beyond 200', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const browser = fakeBrowser();
  const saved = savedIn(browser.frame());
  saved.note(['first'], at(1));
  vi.advanceTimersByTime(10 * DAY);
  saved.note(['second'], at(2));
  vi.advanceTimersByTime(5 * DAY);
  expect(valuesOf(saved)).toEqual(['second']);
  saved.note(
    Array.from({ length: 200 }, (_, index) => `${index}`),
    at(3),
  );
  expect(saved.get()?.values.size).toBe(200);
  expect(saved.get()?.values.has('second')).toBe(false);
  vi.advanceTimersByTime(15 * DAY);
  expect(saved.get()).toBeUndefined();
  savedIn(browser.frame());
  expect(browser.entries.size).toBe(0);
});

test('without storage, or with something else in it, values live as long as the page', () => {
  const saved = savedIn(fakeBrowser({ keeps: false }).frame());
  saved.note(['tests'], at(1));
  saved.report(at(3));
  expect(saved.get()).toMatchObject({ reported: at(3) });
  expect(valuesOf(saved)).toEqual(['tests']);
  const browser = fakeBrowser();
  savedIn(browser.frame()).note(['tests'], at(1));
  for (const key of browser.entries.keys()) browser.entries.set(key, '{"values":["tests"]}');
  expect(savedIn(browser.frame()).get()).toBeUndefined();
});

test('a change without words counts for a minute in its own frame', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const browser = fakeBrowser();
  const saved = savedIn(browser.frame());
  saved.note([], at(4));
  expect(saved.get()).toMatchObject({ isRecent: true, reported: at(4) });
  expect(browser.entries.size).toBe(0);
  vi.advanceTimersByTime(61_000);
  expect(saved.get()).toBeUndefined();
});

test('an own revision right after the reported one needs no report, one after others does', () => {
  const saved = savedIn(fakeBrowser().frame());
  saved.note(['tests'], at(4));
  saved.stored(at(5));
  expect(saved.get()?.reported).toEqual(at(5));
  saved.stored(at(7));
  expect(saved.get()?.reported).toEqual(at(5));
});

test('the words and details of new and changed rows are values, as a merge quotes them', () => {
  const before = readChecklist('# Release\n- a\n- b\n');
  const after = readChecklist('# Release 2\n- a [~accountid:ana] 2026-01-01\n- ! c\n> why\n> and how\n- b\n');
  expect(newValues(before, after)).toEqual(['Release 2', 'c', 'why\nand how']);
});

test('renamed, described and added items are kept, and whole texts; ticks are not', async () => {
  const { store, mutations } = await opened('- a\n- b');
  const change = async (edit: Parameters<typeof store.change>[0], seq: number) => {
    const { outcome } = store.change(edit);
    await mutations.answer(acknowledged({ seq, text: store.get()?.text ?? '' }));
    await outcome;
  };
  await change({ kind: 'setItemStatus', target: { index: 0, text: 'a' }, status: 'done' }, 2);
  expect(store.savedValues()?.get()?.values.size).toBe(0);
  await change({ kind: 'updateChecklistItem', target: { index: 0, text: 'a' }, values: { text: 'a2' } }, 3);
  await change({ kind: 'updateChecklistItem', target: { index: 1, text: 'b' }, values: { details: 'why' } }, 4);
  await change({ kind: 'addChecklistItemsFromText', text: 'c' }, 5);
  await change({ kind: 'updateChecklistFromText', text: '- d\n- a2\n' }, 6);
  expect([...(store.savedValues()?.get()?.values ?? [])]).toEqual(['a2', 'why', 'c', 'd']);
  expect(store.savedValues()?.get()?.reported).toEqual(at(6));
});
