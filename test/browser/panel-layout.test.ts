import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** The panel's layout: narrow, long, by touch, and with a page of its own. */

const ISSUE = 'WEB-3';

let site: page.Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(page.people.editor);
});

const panel = () => page.panel(emma);

const LIST = [
  '# Release',
  '- ! Write the release notes [~accountid:5b10a2844c20165700ede21a] 2199-01-01',
  '> first of all',
  '> the changes of the interface',
  ...Array.from({ length: 40 }, (_, i) => `- Step ${i + 1} with some more words than a narrow column has room for`),
].join('\n');

/** The smallest part of the frame's width that a row's words have. */
const textShare = (frame: FrameLocator) =>
  frame
    .locator('.check-rows > li:not(:has(.check-section)) .check-words')
    .evaluateAll(all =>
      Math.min(...all.map(each => each.getBoundingClientRect().width / document.documentElement.clientWidth)),
    );

test('360 px wide, words have 70 % of the width and the middle of the row, and all commands are there on hover and on focus', async () => {
  await page.resize(emma, { width: 360, height: 800 });
  await writeChecklist(site.programs, emma, ISSUE, LIST);
  await site.openLoaded(emma, ISSUE);
  const row = panel().locator('.check-rows > li', { hasText: 'Step 1 with' });
  const words = row.locator('.check-text');
  await words.scrollIntoViewIfNeeded();
  expect(await textShare(panel())).toBeGreaterThanOrEqual(0.7);
  const before = await words.boundingBox();
  await words.hover();
  const named = (name: RegExp) => row.getByRole('button', { name });
  const commands = [/^Status of/, /^Assign/, /^Set due date/, /^Add details/, /^More actions/];
  for (const name of commands) {
    const button = named(name);
    await button.waitFor();
    // It is seen, takes clicks, and lies within its row.
    await expect.poll(() => button.evaluate(it => getComputedStyle(it.parentElement ?? it).opacity)).toBe('1');
    await button.click({ trial: true });
    const [box, own] = [await button.boundingBox(), await row.boundingBox()];
    if (!box || !own) throw new Error(`The button ${name} is not shown.`);
    expect(box.y).toBeGreaterThanOrEqual(own.y);
    expect(box.y + box.height).toBeLessThanOrEqual(own.y + own.height);
  }
  expect(await words.boundingBox()).toEqual(before);
  const hit = await row.evaluate(it => {
    const { left, top, width, height } = it.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.check-words') !== null;
  });
  expect(hit).toBe(true);
  await named(/^More actions/).click();
  for (const name of [/^Edit/, /^Add item below/, /^Delete/]) await panel().getByRole('menuitem', { name }).waitFor();
  await emma.keyboard.press('Escape');
  await words.hover();
  await page.shots(emma, panel(), '123-narrow-hover');
  await emma.mouse.move(0, 0);
  await row.getByRole('checkbox').focus();
  await emma.keyboard.press('Tab');
  await page.hasFocus(named(/^Status of/));
  expect(await axeFindings(panel().locator('html'), 'region')).toEqual([]);
  await emma.keyboard.press('Escape');
});

test('tools have their names beside them where there is room', async () => {
  const names = () =>
    panel().locator('.check-tool-label, .check-more-label').filter({ visible: true }).allTextContents();
  await page.resize(emma, { width: 600, height: 800 });
  await expect.poll(names).toEqual(['Open editor', 'Apply template', 'Filter', 'Collapse all', 'Select']);
  expect(await page.fits(panel())).toBe(true);
  await page.shots(emma, panel(), '123-tools');
  await page.resize(emma, { width: 400, height: 800 });
  await expect.poll(names).toEqual([]);
});

test('the head stays in view while a long list scrolls, and returns to its place', async () => {
  for (const width of [360, 1280]) {
    await page.resize(emma, { width, height: 800 });
    const head = panel().locator('.check-head');
    const top = async () => (await head.boundingBox())?.y ?? Number.NaN;
    const first = panel().locator('.check-rows > li').first();
    const distance = async () => ((await first.boundingBox())?.y ?? 0) - (await top());
    await panel().getByRole('button', { name: 'Filter' }).waitFor();
    const before = await distance();
    await panel().getByRole('checkbox', { name: 'Step 30 with' }).scrollIntoViewIfNeeded();
    await emma.mouse.move(width - 100, 400);
    await emma.mouse.wheel(0, 400);
    await expect.poll(async () => (await top()) >= 0 && (await top()) < 120).toBe(true);
    // It takes clicks there.
    await panel().getByRole('button', { name: 'Filter', exact: true }).click();
    await panel()
      .getByRole('button', { name: /^Unassigned/ })
      .waitFor();
    await panel().getByRole('button', { name: 'Filter', exact: true }).click();
    await page.shots(emma, panel(), `124-head-${width}`);
    await expect
      .poll(async () => {
        // Scrolled on until it is at the top: a busy page drops the turn of a wheel.
        await emma.mouse.wheel(0, -9_000);
        return distance();
      })
      .toBe(before);
  }
});

test('on a phone in landscape the head leaves the window to the rows, and more so while the keyboard is open', async () => {
  const HEIGHT = 360;
  const phone = await site.visitor(page.people.editor, {
    viewport: { width: 740, height: HEIGHT },
    hasTouch: true,
    isMobile: true,
  });
  await site.openLoaded(phone, ISSUE);
  const frame = page.panel(phone);
  const head = frame.locator('.check-head');
  const covered = async () => {
    const { y = 0, height = 0 } = (await head.boundingBox()) ?? {};
    return Math.max(0, Math.min(HEIGHT, y + height) - Math.max(0, y));
  };
  const row = frame.getByRole('checkbox', { name: /^Step 20/ });
  // A frame below the visible part renders nothing, so that the driver would not scroll to it.
  await row.evaluate(it => it.scrollIntoView({ block: 'center' }));
  await expect.poll(covered).toBeLessThanOrEqual(HEIGHT / 4);
  await row.focus();
  await phone.keyboard.press('F2');
  await frame.getByRole('textbox', { name: /^Text of Step 20/ }).waitFor();
  await expect.poll(covered).toBe(0);
  await page.shots(phone, frame, '126-landscape');
  await phone.context().close();
});

test('by touch, targets are 44 px high and words have 70 % of 360 px', async () => {
  const phone = await site.visitor(page.people.editor, {
    viewport: { width: 360, height: 800 },
    hasTouch: true,
    isMobile: true,
  });
  await site.openLoaded(phone, ISSUE);
  const frame = page.panel(phone);
  await frame.getByRole('button', { name: 'Filter' }).waitFor();
  await frame
    .getByRole('button', { name: /^More actions for/ })
    .first()
    .waitFor();
  await frame.getByRole('textbox', { name: 'Add an item' }).waitFor();
  expect(await textShare(frame)).toBeGreaterThanOrEqual(0.7);
  const small = await frame.locator('button, input, [role=textbox]').evaluateAll(all =>
    all.flatMap(each => {
      if (!each.checkVisibility({ opacityProperty: true }) || each.closest('.check-hidden')) return [];
      const { height, width } = each.getBoundingClientRect();
      const isField = each.matches('[role=textbox]');
      return (height < 44 && !isField) || width < 44
        ? [`${each.ariaLabel ?? each.textContent} ${width} × ${height}`]
        : [];
    }),
  );
  expect(small).toEqual([]);
  await page.shots(phone, frame, '125-touch');
  expect(await axeFindings(frame.locator('html'), 'region')).toEqual([]);
});

test('after a change of width, the floating bars of a long list are at the edges of what is visible', async () => {
  const frame = panel();
  const text = Array.from({ length: 40 }, (_, index) => `- ${index + 1}: ${'a text of several lines '.repeat(12)}`);
  await page.resize(emma, { width: 1280, height: 700 });
  await writeChecklist(site.programs, emma, ISSUE, text.join('\n'));
  const item = frame.getByRole('checkbox', { name: '20:' });
  await item.check();
  // It stays while it has the focus.
  await frame.getByRole('button', { name: 'Undo', exact: true }).focus();
  await item.scrollIntoViewIfNeeded();
  const edges = async () => {
    const [head, foot] = await Promise.all(
      ['.check-head', '.check-foot'].map(part => frame.locator(part).boundingBox()),
    );
    return { top: head?.y ?? Number.NaN, bottom: (foot?.y ?? Number.NaN) + (foot?.height ?? 0) };
  };
  for (const width of [640, 1000, 400, 1280]) {
    await page.resize(emma, { width, height: 700 });
    // The head is below the tracker's bar, the foot above the page's end.
    await expect
      .poll(async () => Math.abs((await edges()).top - 56), { message: `head at ${width}` })
      .toBeLessThanOrEqual(2);
    await expect
      .poll(async () => Math.abs((await edges()).bottom - 692), { message: `foot at ${width}` })
      .toBeLessThanOrEqual(2);
  }
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
  const box = () =>
    frame.locator('.check-panel').evaluate(element => {
      const { left, width } = element.getBoundingClientRect();
      const aside = Math.abs(left - (document.documentElement.clientWidth - width) / 2);
      return { width: Math.round(width), isCentred: aside <= 1 };
    });
  await expect.poll(box).toEqual({ width: 960, isCentred: true });
  await expect.poll(() => html.evaluate(element => element.scrollWidth <= element.clientWidth)).toBe(true);
  await page.shot(emma, '121-page');
  await frame.getByRole('checkbox', { name: '40:' }).scrollIntoViewIfNeeded();
  const scrolled = () =>
    frame.locator('body').evaluate(body => Math.max(body.scrollTop, document.documentElement.scrollTop));
  await expect.poll(scrolled).toBeGreaterThan(0);
  await page.shot(emma, '122-page-scrolled');
  expect(await axeFindings(html, 'region')).toEqual([]);
});

test('one row at a time shows its buttons, and a click beside them never meets those of another row', async () => {
  await writeChecklist(site.programs, emma, ISSUE, '- one\n- two\n- three\n- four\n');
  for (const width of [360, 1280]) {
    await page.resize(emma, { width, height: 800 });
    await site.openLoaded(emma, ISSUE);
    const row = (words: string) => panel().locator('.check-rows > li', { hasText: words });
    const shown = () =>
      panel()
        .locator('.check-rows > li')
        .evaluateAll(all =>
          all.flatMap(each => {
            const buttons = each.querySelector('.check-frequents');
            return buttons && getComputedStyle(buttons).opacity !== '0' ? [each.textContent?.slice(0, 3)] : [];
          }),
        );
    await row('four').getByRole('checkbox').focus();
    await row('two').locator('.check-text').hover();
    await expect.poll(shown).toEqual(['two']);
    // The end of the row above is that row's.
    const above = await row('one').boundingBox();
    if (!above) throw new Error('The row is not shown.');
    const at = await panel()
      .locator('html')
      .evaluate(
        (_, { x, y }) => document.elementFromPoint(x, y)?.closest('li')?.textContent?.slice(0, 3),
        await inFrame(above),
      );
    expect(at).toBe('one');
    await emma.keyboard.press('Tab');
    await expect.poll(shown).toEqual(['fou']);
    await emma.mouse.move(0, 0);
  }
});

test('a day that is offered covers none of the lines that are typed, at the end of the frame', async () => {
  await page.resize(emma, { width: 360, height: 800 });
  await writeChecklist(site.programs, emma, ISSUE, '- one\n- two\n');
  await site.openLoaded(emma, ISSUE);
  for (const words of [
    'Call Anna tomorrow',
    'Some words that need several lines of the narrow column, and thereby end on another one, by Friday',
    'Words before a day that begins on one line and ends on another one, the 23rd of September 2030',
  ]) {
    await panel().getByRole('textbox', { name: 'Add an item' }).click();
    await emma.keyboard.type(words);
    const [offer, line] = ['.cm-day-offer', '.check-add .cm-line'].map(part => panel().locator(part));
    if (!offer || !line) throw new Error('Nothing to compare.');
    await offer.waitFor();
    await expect
      .poll(async () => {
        const [chip, typed] = [await offer.boundingBox(), await line.boundingBox()];
        return chip && typed && (chip.y + chip.height <= typed.y || chip.y >= typed.y + typed.height);
      })
      .toBe(true);
    await emma.keyboard.press('ControlOrMeta+a');
    await emma.keyboard.press('Delete');
  }
});

/** A point near the end of a row, in the coordinates of the panel's frame. */
async function inFrame(row: { x: number; y: number; width: number; height: number }) {
  const root = await panel().locator('html').boundingBox();
  return { x: row.x - (root?.x ?? 0) + row.width - 40, y: row.y - (root?.y ?? 0) + row.height - 3 };
}
