import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BuildsPage, reloadForFiles } from '../../../../src/ui/shell/services/newer-build.ts';

beforeEach(() => sessionStorage.clear());
afterEach(() => sessionStorage.clear());

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
      await new Promise(resolve => setTimeout(resolve));
    },
  };
}

test('a page with a missing file reloads once; where that does not help, it stays', async () => {
  const page = load();
  await page.first();
  expect(page.reloads).toHaveBeenCalledOnce();
  const again = load();
  await again.first();
  await again.fails();
  expect(again.reloads).not.toHaveBeenCalled();
});

test('the page of a later build reloads once, too, and two builds in turn do not go round', async () => {
  await load().first();
  const later = load({ build: 'index-2.js' });
  await later.first();
  expect(later.reloads).toHaveBeenCalledOnce();
  for (const build of ['index-1.js', 'index-2.js']) {
    const back = load({ build });
    await back.first();
    expect(back.reloads).not.toHaveBeenCalled();
  }
});

test('a page stays while the server is out of reach, and reloads with the next missing file', async () => {
  let there = false;
  const page = load({ isThere: () => Promise.resolve(there) });
  await page.first();
  expect(page.reloads).not.toHaveBeenCalled();
  there = true;
  await page.fails();
  expect(page.reloads).toHaveBeenCalledOnce();
});

test('edits that would be lost keep the page; once they are saved, it reloads', async () => {
  let unsaved = true;
  const page = load({ held: () => unsaved });
  await page.first();
  unsaved = false;
  await page.fails();
  expect(page.reloads.mock.results.map(({ value }) => value)).toEqual([false, true]);
});

test('without storage a page that was reloaded stays', async () => {
  const denied = { session: undefined };
  vi.stubGlobal('sessionStorage', undefined);
  const page = load({ ...denied, isReloaded: () => false });
  await page.first();
  expect(page.reloads).toHaveBeenCalledOnce();
  const again = load({ ...denied, isReloaded: () => true });
  await again.first();
  expect(again.reloads).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});
