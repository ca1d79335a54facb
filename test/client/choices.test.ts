import { expect, test } from 'vitest';
import { openChoice } from '../../src/client/choices.ts';
import { fakeBrowser } from './fake-browser.ts';

const mia = { tenant: 'site', account: 'mia' };

test('a choice is kept for whoever made it', () => {
  const { storage } = fakeBrowser().frame();
  expect(openChoice(mia, 'plain', storage).read()).toBeUndefined();
  openChoice(mia, 'plain', storage).keep(true);
  expect(openChoice(mia, 'plain', storage).read()).toBe(true);
  expect(openChoice(mia, 'preview', storage).read()).toBeUndefined();
  expect(openChoice({ ...mia, account: 'emma' }, 'plain', storage).read()).toBeUndefined();
  expect(openChoice({ ...mia, tenant: 'other' }, 'plain', storage).read()).toBeUndefined();
  openChoice(mia, 'plain', storage).keep(false);
  expect(openChoice(mia, 'plain', storage).read()).toBe(false);
});

test('what a browser refuses to keep does no harm, nor does what others left there', () => {
  for (const storage of [undefined, fakeBrowser({ keeps: false }).frame().storage]) {
    openChoice(mia, 'plain', storage).keep(true);
    expect(openChoice(mia, 'plain', storage).read()).toBeUndefined();
  }
  const { entries, frame } = fakeBrowser();
  const { storage } = frame();
  openChoice(mia, 'plain', storage).keep(true);
  for (const key of entries.keys()) entries.set(key, '{"on"');
  expect(openChoice(mia, 'plain', storage).read()).toBeUndefined();
});
