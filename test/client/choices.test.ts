import * as v from 'valibot';
import { expect, test } from 'vitest';
import { openChoice } from '../../src/client/choices.ts';
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
