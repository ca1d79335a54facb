import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { people as users } from '../../src/tracker/site/people.ts';
import { graphql, sendChange, session, storedChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** The history of an issue's checklist, in the panel's frame. */

const ISSUE = 'WEB-2';

let site: page.Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(page.people.editor);
});

const panel = () => page.panel(emma);
const shots = (name: string) => page.shots(emma, panel(), name);

/** Opens the history by its address. */
async function openHistory() {
  await panel()
    .locator('html')
    .evaluate(() => {
      history.pushState(null, '', `/history${location.search}`);
      dispatchEvent(new PopStateEvent('popstate'));
    });
}

const TEXT = [
  '# Release',
  '- Write the **release notes** @nobody',
  '- ! Agree on the date 2026-12-01',
  `- Ship it [~accountid:${users.find(({ displayName }) => displayName === page.people.editor)?.accountId}]`,
  '# After',
  '- Tell everybody :tada:',
];

/** Saves a text as another user's browser does. */
async function save(user: Page, text: string) {
  const { data } = await ask(user, 'query($id: ID!) { checklist(issueId: $id) { epoch seq hash } }', {});
  const change = { kind: 'updateChecklistFromText', text } as const;
  const saved = await sendChange(site.programs, user, await session(site.programs, user, ISSUE), {
    issueId,
    base: data.checklist,
    change,
  });
  expect(saved.errors).toEqual([]);
}

let issueId = '';

async function ask(user: Page, query: string, variables: object) {
  const token = await session(site.programs, user, ISSUE);
  const answer = await graphql(site.programs, user, token, query, { id: issueId, ...variables });
  expect(answer.errors).toBeUndefined();
  return answer;
}

test('an empty history', async () => {
  await site.open(emma, ISSUE);
  await panel().getByRole('textbox', { name: 'Add an item' }).waitFor();
  await openHistory();
  await panel().getByText('No changes yet. Changes to this checklist show here.').waitFor();
  await shots('history-empty');
});

test('each revision is described, grouped by day and author', async () => {
  const url = `${site.programs.tracker.url}/rest/api/2/issue/${ISSUE}`;
  issueId = (await (await emma.request.get(url)).json()).id;
  const mia = await site.visitor(page.people.admin);
  await save(emma, TEXT.join('\n'));
  await save(mia, TEXT.join('\n').replace('- Ship', '+ Ship'));
  await save(mia, TEXT.join('\n').replace('- Ship', '+ Ship').replace('the date', 'the day'));
  const moved = [...TEXT.slice(0, 1), ...TEXT.slice(2), TEXT[1]].join('\n').replace('- Ship', '~ Ship');
  await save(emma, `${moved.replace('the date', 'the day')}\n> in English and German`);
  await panel().getByText('Moved from Release to After').waitFor();
  await expect
    .poll(() => panel().locator('.history-group h3').allTextContents())
    .toEqual([page.people.editor, page.people.admin, page.people.editor]);
  await expect.poll(() => panel().getByText('Current').count()).toBe(1);
  await expect.poll(() => panel().locator('h2').allTextContents()).toEqual(['Today']);
  await shots('history');
  expect(await axeFindings(panel().locator('main'))).toEqual([]);
});

test('the difference shows deleted and inserted text', async () => {
  await panel().getByRole('button', { name: 'Difference' }).nth(1).click();
  const text = panel().getByRole('textbox', { name: 'Difference' });
  await text.getByText('the day').waitFor();
  await text.getByText('🎉').waitFor();
  await text.getByText('@Emma Richards').waitFor();
  await expect.poll(() => panel().locator('.cm-deletedChunk').textContent()).toContain('date');
  await shots('history-difference');
  expect(await axeFindings(panel().locator('main'))).toEqual([]);
  await panel().getByRole('button', { name: 'Hide difference' }).click();
});

test('one change is undone without later ones, and the undo is undone', async () => {
  const entry = panel().locator('.history-entry', { hasText: 'Reworded' });
  await entry.getByRole('button', { name: 'Undo this change' }).click();
  await panel().getByText('Change undone.').waitFor();
  await expect.poll(text).toContain('~ Ship it');
  expect(await text()).toContain('Agree on the date');
  await panel().getByText('Undo: edited the text').waitFor();
  await shots('history-undone');
  await panel().locator('.history-done').getByRole('button', { name: 'Undo' }).click();
  await panel().getByText('Restored to the previous state.').waitFor();
  await panel().getByText('Redo: edited the text').waitFor();
  await expect.poll(text).toContain('Agree on the day');
});

test('a whole revision is restored, and that is undone', async () => {
  const first = panel().locator('.history-entry', { hasText: 'Added header' }).last();
  await first.getByRole('button', { name: 'Restore this version' }).click();
  await panel().getByText('Version restored.').waitFor();
  expect((await text()).trimEnd()).toBe(TEXT.join('\n'));
  await panel().locator('.history-done').getByRole('button', { name: 'Undo' }).click();
  await panel().getByText('Restored to the previous state.').waitFor();
  await expect.poll(text).toContain('> in English and German');
});

test('a moved section is one entry, and a status of the site has its name', async () => {
  const mia = await site.visitor(page.people.admin);
  const token = await session(site.programs, mia, ISSUE);
  const made = await graphql(
    site.programs,
    mia,
    token,
    'mutation($input: CreateStatusInput!) { createStatus(input: $input) { errors { message } } }',
    { input: { name: 'On hold', color: 'purple', checked: false } },
  );
  expect(made.errors).toBeUndefined();
  const earlier = await text();
  const before = '# One\n- a\n- b\n# Two\n- c\n- d\n- e\n';
  await save(emma, before);
  await save(emma, '# Two\n- c\n- d\n- e\n# One\n- [On hold] a\n- b\n');
  const entry = panel().locator('.history-entry', { hasText: 'Moved section' });
  await entry.getByText('On hold').waitFor();
  await expect.poll(() => entry.locator('.history-changes > li').count()).toBe(2);
  await shots('history-section');
  await save(emma, earlier);
});

test('the history is filtered by person, by kind and by row', async () => {
  await panel().getByRole('button', { name: 'Person: Everyone' }).click();
  await shots('history-person');
  await page.clickEntry(panel(), page.people.admin);
  await expect.poll(() => panel().locator('.history-group h3').allTextContents()).toEqual([page.people.admin]);
  await panel().getByRole('button', { name: 'Change: All changes' }).click();
  await page.clickEntry(panel(), 'Deleted');
  await panel().getByText('No changes match.').waitFor();
  await shots('history-nothing');
  await panel().getByRole('button', { name: 'By item' }).click();
  await panel().getByRole('button', { name: 'Ship it' }).waitFor();
  await shots('history-rows');
  expect(await axeFindings(panel().locator('main'))).toEqual([]);
});

test('a narrow panel shows everything', async () => {
  await panel().getByRole('button', { name: 'Events' }).click();
  await panel()
    .getByRole('button', { name: /^Person: / })
    .click();
  await page.clickEntry(panel(), 'Everyone');
  await panel()
    .getByRole('button', { name: /^Change: / })
    .click();
  await page.clickEntry(panel(), 'All changes');
  await panel().getByText('Reworded').first().waitFor();
  await page.resize(emma, { width: 400, height: 900 });
  await panel().getByRole('button', { name: 'Difference' }).last().click();
  await panel().getByRole('textbox', { name: 'Difference' }).waitFor();
  const sideways = () =>
    panel()
      .locator('html')
      .evaluate(html => html.scrollWidth - html.clientWidth);
  await expect.poll(sideways).toBeLessThanOrEqual(0);
  await shots('history-narrow');
});

const text = async () => (await storedChecklist(site.programs, emma, ISSUE)).text;
