import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { storedChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { routeReads } from './fault-injection.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** The panel's layout: while it loads, and with a page of its own. */

const ISSUE = 'WEB-3';

let site: page.Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(page.people.editor);
});

const panel = () => page.panel(emma);
const topOf = (selector: string) =>
  panel()
    .locator(selector)
    .first()
    .evaluate(element => element.getBoundingClientRect().top);
const height = () =>
  panel()
    .locator('body')
    .evaluate(body => body.getBoundingClientRect().height);

test('loaded rows have the position of their skeletons', async () => {
  await site.open(emma, ISSUE);
  const input = panel().getByRole('textbox', { name: 'Add an item' });
  await input.fill('one\ntwo\nthree');
  await input.press('Enter');
  await panel().getByRole('checkbox', { name: 'three' }).waitFor();
  await expect.poll(async () => (await storedChecklist(site.programs, emma, ISSUE)).text).toBe('- one\n- two\n- three');

  let release = (): void => undefined;
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  await routeReads(emma, async route => {
    await held;
    await route.continue();
  });
  await site.open(emma, ISSUE);
  await panel().getByRole('status', { name: 'Loading checklist' }).waitFor();
  const [bar, first, third, all] = [
    await topOf('.check-skeleton > :nth-child(1)'),
    await topOf('.check-skeleton > :nth-child(2)'),
    await topOf('.check-skeleton > :nth-child(4)'),
    await height(),
  ];
  await page.shot(emma, '120-skeleton');
  release();
  await panel().getByRole('checkbox', { name: 'three' }).waitFor();
  await panel().getByRole('button', { name: 'Filter' }).waitFor();
  await panel().getByRole('textbox', { name: 'Add an item' }).waitFor();
  const moved = async (selector: string, from: number) => Math.abs((await topOf(selector)) - from);
  await expect.poll(() => moved('.check-bar-track', bar)).toBeLessThanOrEqual(2);
  await expect.poll(() => moved('.check-rows > li:nth-child(1) .check-text', first)).toBeLessThanOrEqual(2);
  await expect.poll(() => moved('.check-rows > li:nth-child(3) .check-text', third)).toBeLessThanOrEqual(2);
  await expect.poll(async () => Math.abs((await height()) - all)).toBeLessThanOrEqual(4);
});

test('on a page of its own it has margins, and the body scrolls', async () => {
  const frame = panel();
  await page.resize(emma, { width: 1280, height: 500 });
  // No module of the tracker shows it so: the frame gets the layout of a page.
  await emma
    .getByRole('region', { name: 'Checklist', exact: true })
    .locator('iframe')
    .evaluate(element => {
      Object.assign(element.style, { position: 'fixed', inset: '0', width: '1280px', height: '500px', zIndex: '9999' });
      element.style.background = 'white';
    });
  const html = frame.locator('html');
  await html.evaluate(element => {
    element.dataset.layout = 'scroll';
  });
  const input = frame.getByRole('textbox', { name: 'Add an item' });
  await input.fill(Array.from({ length: 30 }, (_, i) => `more ${i}`).join('\n'));
  await input.press('Enter');
  await frame.getByRole('checkbox', { name: 'more 29' }).waitFor();
  const box = () =>
    frame.locator('.check-panel').evaluate(element => {
      const { left, width } = element.getBoundingClientRect();
      const aside = Math.abs(left - (document.documentElement.clientWidth - width) / 2);
      return { width: Math.round(width), isCentred: aside <= 1 };
    });
  await expect.poll(box).toEqual({ width: 960, isCentred: true });
  await expect.poll(() => html.evaluate(element => element.scrollWidth <= element.clientWidth)).toBe(true);
  await page.shot(emma, '121-page');
  await frame.getByRole('checkbox', { name: 'more 29' }).scrollIntoViewIfNeeded();
  const scrolled = () =>
    frame.locator('body').evaluate(body => Math.max(body.scrollTop, document.documentElement.scrollTop));
  await expect.poll(scrolled).toBeGreaterThan(0);
  await page.shot(emma, '122-page-scrolled');
  expect(await axeFindings(html, 'region')).toEqual([]);
});
