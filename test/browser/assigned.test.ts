import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { edition } from '../../src/domain/edition.ts';
import { people as accounts } from '../../src/tracker/site/people.ts';
import { graphql, sendChange, session, storedChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';
import { day, resize } from './site.ts';

/** The page with the user's assigned items of all issues. */

let site: page.Site;
let emma: Page;

const accountOf = (name: string) => accounts.find(({ displayName }) => displayName === name)?.accountId ?? '';
const EDITOR = `[~accountid:${accountOf(page.people.editor)}]`;
const VIEWER = `[~accountid:${accountOf(page.people.viewer)}]`;

const TEXTS: Record<string, string[]> = {
  'WEB-1': [
    '# Release',
    `- ! Agree on the **date** ${EDITOR} ${day(-3)}`,
    `~ Write the release notes ${EDITOR} ${day(0)}`,
    '- Tell everybody',
    `+ Tag it ${EDITOR}`,
  ],
  'WEB-2': [`- Look at \`checkout.ts\` ${EDITOR} ${day(4)}`, `- Only his ${VIEWER}`, `- Both know: WEB-1 ${EDITOR}`],
  'WEB-3': [`- A long one that has to wrap somewhere, since nobody ever wrote shorter sentences about it ${EDITOR}`],
  'HELP-1': [`- Call the customer back ${EDITOR} ${day(30)}`, `- Watch ${VIEWER}`],
};

onSite(async started => {
  site = started;
  emma = await site.visitor(page.people.editor);
});

const frame = (): FrameLocator => emma.frameLocator('main iframe');
const shots = (name: string) => page.shots(emma, frame(), name);
const tick = (name: RegExp | string) => frame().getByRole('checkbox', { name });

const property = `${edition.key}.checklist`;
const issueUrl = (key: string) => `${site.programs.tracker.url}/rest/api/2/issue/${key}?properties=${property}`;

const textOf = async (key: string) => (await storedChecklist(site.programs, emma, key)).text;

async function save(user: Page, key: string, text: string) {
  const id = (await (await user.request.get(issueUrl(key))).json()).id;
  const token = await session(site.programs, user, key);
  const ask = async (query: string, variables: object) => {
    const answer = await graphql(site.programs, user, token, query, variables);
    expect(answer.errors).toBeUndefined();
    return answer.data;
  };
  const { checklist } = await ask('query($id: ID!) { checklist(issueId: $id) { epoch seq hash } }', { id });
  const change = { kind: 'updateChecklistFromText', text } as const;
  const saved = await sendChange(site.programs, user, token, { issueId: id, base: checklist, change });
  expect(saved.errors).toEqual([]);
}

const rows = () => frame().locator('.check-rows .check-text').allTextContents();
const headings = () => frame().locator('.assigned-heading h2').allTextContents();
/** Keys of the issues in the list, when grouped by issue. */
const keys = async () => (await headings()).map(text => text.trim().split(/\s+/)[0]);

test('no items are assigned yet', async () => {
  await emma.goto(`${site.programs.tracker.url}/plugins/assigned-items`);
  await frame().getByText('No items are assigned to you.').waitFor();
  await shots('assigned-empty');
});

test('items assigned by another user show automatically, below their issue', async () => {
  const mia = await site.visitor(page.people.admin);
  for (const [key, lines] of Object.entries(TEXTS)) await save(mia, key, lines.join('\n'));
  await mia.context().close();
  await tick('Call the customer back').waitFor();
  await expect.poll(() => frame().locator('.assigned-sum').textContent()).toBe('6 open items, 1 overdue');
  await expect.poll(keys).toEqual(['HELP-1', 'WEB-3', 'WEB-2', 'WEB-1']);
  expect((await rows()).join('|')).not.toContain('Only his');
  expect(await tick('Tag it').count()).toBe(0);
  await shots('assigned-issues');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
});

test('a tick is stored, keeps its position, and is undone', async () => {
  await tick('Call the customer back').check();
  await page.keepUndo(frame());
  await expect.poll(() => textOf('HELP-1')).toContain('+ Call the customer back');
  await expect.poll(() => frame().locator('.assigned-sum').textContent()).toBe('5 open items, 1 overdue');
  expect(await tick('Call the customer back').isChecked()).toBe(true);
  await shots('assigned-ticked');
  await frame().getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => textOf('HELP-1')).toContain('- Call the customer back');
  await expect.poll(() => tick('Call the customer back').isChecked()).toBe(false);
});

test('an item is edited in the list as in its panel', async () => {
  const row = frame().locator('li', { hasText: 'Look at' });
  await row.hover();
  await row.getByRole('button', { name: /^Due date of/ }).waitFor();
  await row.locator('.check-text').dblclick();
  const field = frame().getByRole('textbox', { name: /^Text of/ });
  await field.waitFor();
  await shots('assigned-edit');
  await field.press('Home');
  await field.pressSequentially('Now ');
  await field.press('Enter');
  await expect.poll(() => textOf('WEB-2')).toContain('- Now Look at `checkout.ts`');
  await row.getByRole('button', { name: /^More actions/ }).click();
  await shots('assigned-menu');
  await frame().getByRole('menuitem', { name: 'Make mandatory' }).click();
  await expect.poll(() => textOf('WEB-2')).toContain('- ! Now Look at');
  await row.hover();
  await row.getByRole('button', { name: /^Status of/ }).click();
  await frame().getByRole('menuitemradio', { name: 'In Progress' }).click();
  await expect.poll(() => textOf('WEB-2')).toContain('~ ! Now Look at');
});

test('grouped by due date, each row with its issue, and searched', async () => {
  await frame().getByRole('combobox', { name: 'Group' }).selectOption('By due date');
  await expect.poll(headings).toEqual(['Overdue', 'Today', 'Next 6 days', 'Later', 'No due date']);
  await shots('assigned-due');
  await frame().getByRole('textbox', { name: 'Search' }).fill('order confirmation');
  await expect.poll(rows).toEqual([expect.stringContaining('A long one')]);
  await shots('assigned-search');
  await frame().getByRole('textbox', { name: 'Search' }).fill('');
  await expect.poll(async () => (await rows()).length).toBe(6);
});

test('keys move from row to row and tick', async () => {
  await frame().getByRole('combobox', { name: 'Group' }).selectOption('By issue');
  await expect.poll(keys).toEqual(['HELP-1', 'WEB-3', 'WEB-2', 'WEB-1']);
  await tick('Call the customer back').focus();
  await page.hasFocus(tick('Call the customer back'));
  await emma.keyboard.press('ArrowDown');
  await emma.keyboard.press('ArrowDown');
  await expect.poll(() => tick(/Now Look at/).evaluate(box => box === document.activeElement)).toBe(true);
  await emma.keyboard.press('End');
  await emma.keyboard.press('ArrowUp');
  await emma.keyboard.press('Space');
  await expect.poll(() => textOf('WEB-1')).toContain('+ ! Agree on the **date**');
  await emma.keyboard.press('Control+z');
  await expect.poll(() => textOf('WEB-1')).toContain('- ! Agree on the **date**');
  await emma.keyboard.press('F2');
  await page.hasFocus(frame().getByRole('textbox', { name: /^Text of Agree/ }));
  await emma.keyboard.press('Escape');
});

test('a narrow page shows everything', async () => {
  for (const order of ['By due date', 'By issue']) {
    await frame().getByRole('combobox', { name: 'Group' }).selectOption(order);
    const sideways = () =>
      frame()
        .locator('html')
        .evaluate(html => html.scrollWidth - html.clientWidth);
    for (const width of [320, 360]) {
      await resize(emma, { width, height: 800 });
      await expect.poll(sideways).toBeLessThanOrEqual(0);
    }
    await shots(`assigned-narrow-${order === 'By issue' ? 'issue' : 'due'}`);
  }
  await resize(emma, { width: 1280, height: 900 });
});

test('a long list loads its next page at its end', async () => {
  const mia = await site.visitor(page.people.admin);
  const lines = Array.from({ length: 130 }, (_, index) => `- Number ${index + 1} of many ${EDITOR}`);
  await save(mia, 'WEB-4', lines.join('\n'));
  await expect.poll(() => frame().locator('.assigned-sum').textContent()).toMatch(/^13\d open items/);
  const last = tick('Number 130 of many');
  await expect
    .poll(async () => {
      const more = frame().getByRole('button', { name: 'Show more' });
      // The button may disappear meanwhile: the next page has loaded.
      if (await more.isVisible()) await more.scrollIntoViewIfNeeded({ timeout: 1_000 }).catch(() => undefined);
      // The end of the list: a part of a list longer than the screen is always visible.
      else
        await frame()
          .locator('.check-rows')
          .last()
          .evaluate(list => list.scrollIntoView({ block: 'end' }));
      return last.count();
    })
    .toBe(1);
  await last.scrollIntoViewIfNeeded();
  await shots('assigned-long');
  await last.check();
  await expect.poll(() => textOf('WEB-4')).toContain('+ Number 130 of many');
  await save(mia, 'WEB-4', '- Nothing for her');
  await mia.context().close();
  await expect.poll(() => frame().locator('.assigned-sum').textContent()).toMatch(/^\d open items/);
});

test('the guide opens from the page, and returns', async () => {
  await frame()
    .getByRole('button', { name: /^Help and what’s new/ })
    .click();
  await frame().getByRole('textbox', { name: 'Example: Items and statuses' }).waitFor();
  await shots('help-page');
  await resize(emma, { width: 320, height: 800 });
  await expect
    .poll(() =>
      frame()
        .locator('html')
        .evaluate(html => html.scrollWidth - html.clientWidth),
    )
    .toBeLessThanOrEqual(0);
  await frame().getByRole('button', { name: 'Back to assigned items' }).click();
  await frame().getByRole('heading', { name: 'Assigned checklist items' }).waitFor();
});
