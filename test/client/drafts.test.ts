import { expect, test, vi } from 'vitest';
import { type DraftSlot, openDraft, waitingDrafts } from '../../src/client/drafts.ts';
import type { Page } from '../../src/client/page.ts';
import { fakeBrowser, memory } from './fake-browser.ts';

const owner = { tenant: 'tenant', account: 'acc:1' };
const draft = { base: { epoch: 'e', seq: 3, text: '- a' }, text: '- a\n- b “quoted”', name: 'Mine' };

const open = (page: Page, issueId = '10001', who = owner): Promise<DraftSlot> => openDraft(who, issueId, page);

test('a draft outlives the page until it is settled', async () => {
  const browser = fakeBrowser();
  const session = memory();
  const page = browser.frame(session);
  expect((await open(page)).keep(draft)).toBe(true);
  page.close();
  const again = browser.frame(session);
  const slot = await open(again);
  expect(slot.read()).toMatchObject(draft);
  slot.clear();
  expect(slot.read()).toBeUndefined();
  again.close();
  expect(browser.entries.size).toBe(0);
});

test('drafts of other issues, accounts and tenants are separate', async () => {
  const browser = fakeBrowser();
  const page = browser.frame();
  (await open(page)).keep(draft);
  page.close();
  const read = async (...whose: [string, typeof owner]) => (await open(browser.frame(), ...whose)).read();
  expect(await read('10002', owner)).toBeUndefined();
  expect(await read('10001', { ...owner, account: 'acc:2' })).toBeUndefined();
  expect(await read('10001', { ...owner, tenant: 'other' })).toBeUndefined();
  expect(await read('10001', { tenant: 'tenant/acc', account: '1' })).toBeUndefined();
  expect(await read('10001', owner)).toMatchObject(draft);
});

test('two open editors of one issue have a draft each', async () => {
  const browser = fakeBrowser();
  const [one, two] = [await open(browser.frame()), await open(browser.frame())];
  one.keep({ ...draft, text: 'one' });
  two.keep({ ...draft, text: 'two' });
  expect([one.read()?.text, two.read()?.text]).toEqual(['one', 'two']);
});

test('a duplicated window has its own draft despite the same window name', async () => {
  const browser = fakeBrowser();
  const session = memory();
  const one = await open(browser.frame(session));
  one.keep({ ...draft, text: 'one' });
  const copy = memory();
  for (let i = 0; i < session.length; i++)
    copy.setItem(session.key(i) ?? '', session.getItem(session.key(i) ?? '') ?? '');
  const two = await open(browser.frame(copy));
  expect(two.read()).toBeUndefined();
  two.keep({ ...draft, text: 'two' });
  expect(one.read()?.text).toBe('one');
});

test('drafts of closed windows go to the next editors, the latest first, and none is lost', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const browser = fakeBrowser();
  for (const text of ['first', 'second']) {
    const page = browser.frame();
    const slot = await open(page);
    slot.clear();
    // Each in a window opened before the other one stored a draft.
    slot.keep({ ...draft, text });
    vi.setSystemTime(Date.now() + 1_000);
    if (text === 'second') page.close();
    else setTimeout(page.close, 20);
  }
  await new Promise(resolve => setTimeout(resolve, 40));
  const next = await open(browser.frame());
  expect([next.read()?.text, next.others]).toEqual(['second', 1]);
  const afterThat = await open(browser.frame());
  expect([afterThat.read()?.text, afterThat.others]).toEqual(['first', 0]);
  expect((await open(browser.frame())).read()).toBeUndefined();
  vi.useRealTimers();
});

test('without locks a draft goes to its own window only, which finds it after a reload', async () => {
  const browser = fakeBrowser({ locks: false });
  const page = browser.frame();
  (await open(page)).keep(draft);
  const other = await open(browser.frame());
  expect([other.read(), other.others]).toEqual([undefined, 0]);
  expect((await open(browser.frame(page.session))).read()).toMatchObject(draft);
});

test('storage that is full, refused or absent is survived', async () => {
  const refused = fakeBrowser({ keeps: false }).frame();
  for (const page of [refused, { ...refused, storage: undefined, session: undefined, locks: undefined }]) {
    const slot = await open(page);
    expect(slot.keep(draft)).toBe(false);
    expect(slot.read()).toBeUndefined();
    slot.clear();
  }
});

test('denied locks are survived', async () => {
  const refuse = () => Promise.reject(new DOMException('Denied.', 'SecurityError'));
  const locks = { request: refuse, query: refuse } as unknown as LockManager;
  expect((await open({ ...fakeBrowser().frame(), locks })).keep(draft)).toBe(true);
});

test.each(['no JSON', '{"text":5}', 'null', '[]'])('an invalid draft is ignored: %s', async stored => {
  const page = fakeBrowser().frame();
  const slot = await open({ ...page, storage: { ...memory(), getItem: () => stored } });
  expect(slot.read()).toBeUndefined();
});

test('drafts of closed editors are listed without a lock, so that the next editor finds them, and discarded', async () => {
  const browser = fakeBrowser();
  const [closed, opened] = [browser.frame(), browser.frame()];
  (await open(closed)).keep(draft);
  (await open(opened)).keep({ ...draft, text: 'still open' });
  closed.close();
  const panel = browser.frame();
  expect((await waitingDrafts(owner, '10002', panel)).count).toBe(0);
  expect((await waitingDrafts(owner, '10001', panel)).count).toBe(1);
  const next = browser.frame();
  expect((await open(next)).read()).toMatchObject(draft);
  next.close();
  (await waitingDrafts(owner, '10001', panel)).discard();
  expect((await waitingDrafts(owner, '10001', panel)).count).toBe(0);
  opened.close();
  expect((await waitingDrafts(owner, '10001', panel)).count).toBe(1);
});

test('where the browser does not say which drafts are open, none is said to wait', async () => {
  const browser = fakeBrowser({ locks: false });
  const page = browser.frame();
  (await open(page)).keep(draft);
  page.close();
  expect((await waitingDrafts(owner, '10001', browser.frame())).count).toBe(0);
});
