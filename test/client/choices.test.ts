import * as v from 'valibot';
import { expect, test } from 'vitest';
import { openChoice, openPreference } from '../../src/client/choices.ts';
import { fakeBrowser } from './fake-browser.ts';

const shape = v.boolean();
const mia = { tenant: 'site', account: 'mia' };

test('a choice is stored per account', () => {
  const { storage } = fakeBrowser().frame();
  expect(openChoice(mia, 'plain', shape, storage).read()).toBeUndefined();
  openChoice(mia, 'plain', shape, storage).keep(true);
  expect(openChoice(mia, 'plain', shape, storage).read()).toBe(true);
  expect(openChoice(mia, 'preview', shape, storage).read()).toBeUndefined();
  expect(openChoice({ ...mia, account: 'emma' }, 'plain', shape, storage).read()).toBeUndefined();
  expect(openChoice({ ...mia, tenant: 'other' }, 'plain', shape, storage).read()).toBeUndefined();
  openChoice(mia, 'plain', shape, storage).keep(false);
  expect(openChoice(mia, 'plain', shape, storage).read()).toBe(false);
});

test('storage that is denied, or holds foreign values, is survived', () => {
  for (const storage of [undefined, fakeBrowser({ keeps: false }).frame().storage]) {
    openChoice(mia, 'plain', shape, storage).keep(true);
    expect(openChoice(mia, 'plain', shape, storage).read()).toBeUndefined();
  }
  const { entries, frame } = fakeBrowser();
  const { storage } = frame();
  openChoice(mia, 'plain', shape, storage).keep(true);
  for (const key of entries.keys()) entries.set(key, '{"on"');
  expect(openChoice(mia, 'plain', shape, storage).read()).toBeUndefined();
});

test("a preference is stored in the browser, and in the host's cookies where that is denied", async () => {
  const cookies = new Map<string, string>();
  const preferences = {
    get: async (key: string) => cookies.get(key),
    set: async (key: string, value: string) => void cookies.set(key, value),
  };
  const open = (account: string, storage: Storage | undefined) =>
    openPreference({ owner: async () => ({ ...mia, account }), preferences }, 'plain', shape, storage);
  const { entries, frame } = fakeBrowser();
  const { storage } = frame();
  (await open('mia', storage)).keep(true);
  expect((await open('mia', storage)).read()).toBe(true);
  expect([entries.size, cookies.size]).toEqual([1, 0]);

  for (const denied of [undefined, fakeBrowser({ keeps: false }).frame().storage]) {
    cookies.clear();
    const preference = await open('mia', denied);
    expect(preference.read()).toBeUndefined();
    preference.keep(true);
    expect(preference.read()).toBe(true);
    expect((await open('mia', denied)).read()).toBe(true);
    expect((await open('emma', denied)).read()).toBeUndefined();
    for (const key of cookies.keys()) cookies.set(key, '{"on"');
    expect((await open('mia', denied)).read()).toBeUndefined();
  }
});
