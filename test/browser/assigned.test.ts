import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { edition } from '../../src/domain/edition.ts';
import { storage } from '../../src/domain/messages.ts';
import { securityLevels } from '../../src/tracker/site/catalogue.ts';
import { people as accounts } from '../../src/tracker/site/people.ts';
import { graphql, sendChange, session, storedChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { failRequests } from './fault-injection.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';
import { day, resize } from './site.ts';

/** The page with the user's assigned items of all issues. */

let site: page.Site;
let emma: Page;

const accountOf = (name: string) => accounts.find(({ displayName }) => displayName === name)?.accountId ?? '';
const EDITOR = `[~accountid:${accountOf(page.people.editor)}]`;
const VIEWER = `[~accountid:${accountOf(page.people.viewer)}]`;

const [{ id: ADMINISTRATORS } = { id: '' }] = securityLevels;

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

const frameOf = (user: Page): FrameLocator => user.frameLocator('main iframe');
const frame = () => frameOf(emma);
const shots = (name: string) => page.shots(emma, frame(), name);
const open = (user: Page) => user.goto(`${site.programs.tracker.url}/plugins/assigned-items`);
const tick = (name: RegExp | string, where = frame()) => where.getByRole('checkbox', { name });

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

const rows = (where = frame()) => where.locator('.check-rows .check-text').allTextContents();
const headings = () => frame().locator('.assigned-heading h2').allTextContents();
/** Keys of the issues in the list, when grouped by issue. */
const keys = async () => (await headings()).map(text => text.trim().split(/\s+/)[0]);

test('no items are assigned yet', async () => {
  await open(emma);
  await frame().getByText('No items are assigned to you.').waitFor();
  await shots('assigned-empty');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
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

test('grouped by due date, each row with its issue', async () => {
  await frame().getByRole('combobox', { name: 'Group' }).selectOption('By due date');
  await expect.poll(headings).toEqual(['Overdue', 'Today', 'Next 6 days', 'Later', 'No due date']);
  await shots('assigned-due');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
});

test('filters by status, project, overdue and text', async () => {
  await frame().getByRole('button', { name: 'Overdue (1)' }).click();
  await expect.poll(async () => (await rows()).length).toBe(1);
  await frame().getByRole('button', { name: 'Overdue (1)' }).click();
  await frame().getByRole('combobox', { name: 'Project' }).selectOption({ label: 'Help desk (1)' });
  await expect.poll(rows).toEqual([expect.stringContaining('Call the customer')]);
  await frame().getByRole('combobox', { name: 'Project' }).selectOption('All projects');
  await frame().getByRole('combobox', { name: 'Status' }).selectOption('Completed');
  await expect.poll(rows).toEqual([expect.stringContaining('Tag it')]);
  await frame().getByRole('combobox', { name: 'Status' }).selectOption('Open');
  for (const words of ['web-3', 'order confirmation']) {
    await frame().getByRole('textbox', { name: 'Search' }).fill(words);
    await expect.poll(rows).toEqual([expect.stringContaining('A long one')]);
  }
  await expect.poll(() => frame().locator('.assigned-sum').textContent()).toBe('1 open item');
  await shots('assigned-search');
  await frame().getByRole('textbox', { name: 'Search' }).fill('nothing of the kind');
  await frame().getByText('No items match.').waitFor();
  await shots('assigned-nothing');
  await frame().getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(async () => (await rows()).length).toBe(6);
  expect(await frame().getByRole('textbox', { name: 'Search' }).inputValue()).toBe('');
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

test('items are read-only without the permission to edit', async () => {
  const victor = await site.visitor(page.people.viewer);
  await open(victor);
  const viewerFrame = frameOf(victor);
  await tick(/Only his/, viewerFrame).waitFor();
  await expect.poll(() => tick(/Only his/, viewerFrame).isDisabled()).toBe(true);
  await viewerFrame.locator('li', { hasText: 'Only his' }).hover();
  expect(await viewerFrame.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
  expect(await viewerFrame.getByRole('button', { name: /^Status of/ }).count()).toBe(0);
  await page.shots(victor, viewerFrame, 'assigned-viewer');
  expect(await axeFindings(viewerFrame.locator('main'))).toEqual([]);
  await victor.context().close();
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

test('an issue that becomes hidden while an item is edited disappears, and the typed text is offered', async () => {
  const mia = await site.visitor(page.people.admin);
  const token = await session(site.programs, emma, 'WEB-2');
  const setSecurity = (security: { id: string } | null) =>
    mia.request.put(issueUrl('WEB-2').split('?')[0] ?? '', { data: { fields: { security } } });
  const row = frame().locator('li', { hasText: 'Both know' });
  await tick(/Both know/).check();
  await expect.poll(() => textOf('WEB-2')).toContain('+ Both know');
  await row.locator('.check-text').dblclick();
  const field = frame().getByRole('textbox', { name: /^Text of Both know/ });
  await field.press('Home');
  await field.pressSequentially('Not lost: ');
  const { id, text } = await storedChecklist(site.programs, emma, 'WEB-2');
  const [line = ''] = /Both know.*/.exec(text) ?? [];
  expect((await setSecurity({ id: ADMINISTRATORS })).status()).toBe(204);

  await frame()
    .getByText(/^WEB-2 no longer exists, or you don't have permission to see it/)
    .waitFor();
  await expect.poll(() => tick(/Both know/).count()).toBe(0);
  await expect.poll(keys).not.toContain('WEB-2');
  await frame()
    .getByText(/^Not saved: “Not lost: Both know/)
    .waitFor();
  await shots('assigned-lost');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
  await frame().getByRole('button', { name: 'Copy' }).click();
  await emma.getByText('Copied.').waitFor();
  await frame().getByRole('button', { name: 'Discard' }).click();
  await frame().getByRole('button', { name: 'Dismiss' }).click();
  const base = { epoch: '', seq: 0, hash: '', text };
  const change = { kind: 'setItemStatus', target: { index: 2, text: line }, status: 'todo' } as const;
  const answer = await sendChange(site.programs, emma, token, { issueId: id, base, change });
  expect(answer.errors).toEqual([{ code: 'NOT_FOUND', message: storage.issueNotFound }]);
  expect((await setSecurity(null)).status()).toBe(204);
  await mia.context().close();
  expect(await textOf('WEB-2')).not.toContain('Not lost');
  // The user sees the issue again, and the list refreshes automatically.
  await expect.poll(() => tick(/Now Look at/).count()).toBe(1);
  await expect.poll(() => tick(/Both know/).isChecked()).toBe(true);
});

test('a deleted issue disappears with its items', async () => {
  const mia = await site.visitor(page.people.admin);
  expect((await mia.request.delete(issueUrl('WEB-3').split('?')[0] ?? '')).status()).toBe(204);
  await mia.context().close();
  await expect.poll(() => tick(/A long one/).count()).toBe(0);
  await expect.poll(async () => (await headings()).length).toBe(3);
});

test('a long list loads its next page at its end', async () => {
  const mia = await site.visitor(page.people.admin);
  const lines = Array.from({ length: 230 }, (_, index) => `- Number ${index + 1} of many ${EDITOR}`);
  await save(mia, 'WEB-4', lines.join('\n'));
  await expect.poll(() => frame().locator('.assigned-sum').textContent()).toMatch(/^23\d open items/);
  const last = tick('Number 230 of many');
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
  await expect.poll(() => textOf('WEB-4')).toContain('+ Number 230 of many');
  await save(mia, 'WEB-4', '- Nothing for her');
  await mia.context().close();
  await expect.poll(() => frame().locator('.assigned-sum').textContent()).toMatch(/^\d open items/);
});

test('a failing server shows a message, and can be retried', async () => {
  const fault = await failRequests(emma, 500);
  await open(emma);
  await frame().getByRole('button', { name: 'Retry' }).waitFor();
  await shots('assigned-error');
  await fault.end(() => frame().getByRole('button', { name: 'Retry' }).click());
  await tick('Call the customer back').waitFor();
});
