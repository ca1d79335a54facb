import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BuildsPage, reloadForFiles } from '../../../../src/ui/shell/services/newer-build.ts';

beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  sessionStorage.clear();
  vi.useRealTimers();
});

/** The result of work that waits for a pause in typing. */
async function passed<Result>(work: Promise<Result>): Promise<Result> {
  await vi.runAllTimersAsync();
  return work;
}

/** One load of a page; `fails` is another file that could not be loaded. */
function load(over: Partial<BuildsPage> & { held?: () => boolean } = {}) {
  const target = new EventTarget();
  const reloads = vi.fn(() => !(over.held?.() ?? false));
  const page = {
    ...{ session: sessionStorage, build: 'index-1.js', target: target as Window },
    isThere: () => Promise.resolve(true),
    ...over,
  };
  return {
    reloads,
    first: () => reloadForFiles({ reload: reloads }, page),
    fails: async () => {
      target.dispatchEvent(new Event('vite:preloadError'));
      await vi.runAllTimersAsync();
    },
  };
}

test('a page with a missing file reloads once; where that does not help, it stays', async () => {
  const page = load();
  await passed(page.first());
  expect(page.reloads).toHaveBeenCalledOnce();
  const again = load();
  await passed(again.first());
  await again.fails();
  expect(again.reloads).not.toHaveBeenCalled();
});

test('the page of a later build reloads once, too, and two builds in turn do not go round', async () => {
  await passed(load().first());
  const later = load({ build: 'index-2.js' });
  await passed(later.first());
  expect(later.reloads).toHaveBeenCalledOnce();
  for (const build of ['index-1.js', 'index-2.js']) {
    const back = load({ build });
    await passed(back.first());
    expect(back.reloads).not.toHaveBeenCalled();
  }
});

test('a page stays while the server is out of reach, and reloads with the next missing file', async () => {
  let there = false;
  const page = load({ isThere: () => Promise.resolve(there) });
  await passed(page.first());
  expect(page.reloads).not.toHaveBeenCalled();
  there = true;
  await page.fails();
  expect(page.reloads).toHaveBeenCalledOnce();
});

test('edits that would be lost keep the page; once they are saved, it reloads', async () => {
  let unsaved = true;
  const page = load({ held: () => unsaved });
  await passed(page.first());
  unsaved = false;
  await page.fails();
  expect(page.reloads.mock.results.map(({ value }) => value)).toEqual([false, true]);
});

test('a page reloads at a pause in typing: keys typed during a reload would be lost', async () => {
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  const page = load();
  const done = page.first();
  for (let keys = 0; keys < 5; keys++) {
    await vi.advanceTimersByTimeAsync(700);
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
  }
  expect(page.reloads).not.toHaveBeenCalled();
  await passed(done);
  expect(page.reloads).toHaveBeenCalledOnce();
  field.remove();
});

test('without storage a page that was reloaded stays', async () => {
  const denied = { session: undefined };
  vi.stubGlobal('sessionStorage', undefined);
  const page = load({ ...denied, isReloaded: () => false });
  await passed(page.first());
  expect(page.reloads).toHaveBeenCalledOnce();
  const again = load({ ...denied, isReloaded: () => true });
  await passed(again.first());
  expect(again.reloads).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});
