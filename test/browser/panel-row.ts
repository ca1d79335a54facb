import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { plainWords } from '../../src/text/plain-text.ts';
import { readChecklist } from '../../src/text/read.ts';
import { storedChecklist, writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { clickEntry, hasFocus, panel, type Site } from './site.ts';

/** One row of the inline list in the tracker's page: its display and its commands. */

export const ISSUE = 'WEB-2';
export const EMMA = '[~accountid:5b10a2844c20165700ede21c]';

/** Resolves when a panel shows the rows of that text, which has no more than words, people and days. */
export async function showsRows(frame: FrameLocator, text: string): Promise<void> {
  const checklist = readChecklist(text);
  const wanted = checklist.rows.map((row, index) => [
    row.kind === 'checkbox' ? row.status.name : null,
    plainWords(checklist, index),
  ]);
  const rows = () =>
    frame
      .locator('li[data-key]')
      .evaluateAll(all =>
        all.map(row => [
          row.querySelector('.check-tick input')?.ariaDescription ?? null,
          row.querySelector('.check-text, .check-title')?.textContent,
        ]),
      );
  await expect.poll(rows).toEqual(wanted);
}

/** The row's parts and commands, in Emma's panel. */
export function rowOf(opened: () => { site: Site; emma: Page }) {
  const stored = async () => (await storedChecklist(opened().site.programs, opened().emma, ISSUE)).text;
  const write = (text: string) => writeChecklist(opened().site.programs, opened().emma, ISSUE, text);

  /** Shows that text in the panel, which follows it where it is open. */
  async function open(text: string): Promise<void> {
    await write(text);
    const { site, emma } = opened();
    if (!emma.url().endsWith(`/browse/${ISSUE}`)) await site.openLoaded(emma, ISSUE);
    await showsRows(frame(), text);
  }

  const frame = () => panel(opened().emma);
  const row = (text: string, of: FrameLocator = frame()) => of.locator('li[data-key]', { hasText: text });
  const box = (name: string, of: FrameLocator = frame()) => of.getByRole('checkbox', { name, exact: true });
  const field = (of: FrameLocator = frame()) => of.locator('.check-field').getByRole('textbox');

  /** Starts editing a row by keyboard. */
  async function edit(name: string) {
    await box(name).focus();
    await hasFocus(box(name));
    await opened().emma.keyboard.press('F2');
    await hasFocus(field());
  }

  async function menu(name: string, of: FrameLocator = frame()): Promise<Locator> {
    await row(name, of).hover();
    await row(name, of)
      .getByRole('button', { name: `More actions for ${name}` })
      .click();
    const open = of.getByRole('menu', { name: `Actions for ${name}` });
    await open.waitFor();
    return open;
  }

  async function choose(name: string, entry: string) {
    await menu(name);
    await clickEntry(frame(), entry);
  }

  /** The kit renders menus at the end of the page, outside of its landmarks. */
  const axe = (of: FrameLocator = frame()) => axeFindings(of.locator('body'), 'region');

  /** Whether the whole element is visible in its frame, which grows for it. */
  async function isFullyVisible(element: Locator, page: Page): Promise<boolean> {
    const inner = await element.boundingBox();
    const outer = await page.locator('iframe').first().boundingBox();
    if (!inner || !outer) return false;
    return (
      inner.x >= outer.x - 1 &&
      inner.y >= outer.y - 1 &&
      inner.x + inner.width <= outer.x + outer.width + 1 &&
      inner.y + inner.height <= outer.y + outer.height + 1
    );
  }

  return { stored, write, open, frame, row, box, field, edit, menu, choose, axe, isFullyVisible };
}
