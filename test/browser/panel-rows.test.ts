import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { graphql, session, writeChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { EMMA, ISSUE, rowOf } from './panel-row.ts';
import { clickEntry, day, hasFocus, panel, people, type Site, shots } from './site.ts';

let site: Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor, { permissions: ['clipboard-read', 'clipboard-write'] });
});

const { stored, write, open, frame, row, box, field, edit, choose, axe, isFullyVisible } = rowOf(() => ({
  site,
  emma,
}));

test('a row shows people, days, issues and emoji, and runs no markup', async () => {
  const bad = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
  await open(
    [
      '# Release :rocket: of WEB-1',
      `- Write the notes ${EMMA} 2020-02-02`,
      `~ **Ask** _${EMMA}_ about WEB-3 and \`code\` by 2199-01-01, see [the plan](https://example.com/plan)`,
      '+ Tag it 2020-02-02',
      'x Gone with [~accountid:somebodywholeft] and NOPE-99',
      `- ! Must be done ${day()}`,
      `- ${bad}`,
      `> ${bad}`,
      '- שלום עולם, ما اليوم',
      '- 🎉🎉',
      '- x',
      '- [NO SUCH STATUS] stays text',
    ].join('\n'),
  );
  await row('Write the notes').getByText('overdue').waitFor();
  await row('Must be done').getByText('today').waitFor();
  await row('Gone with').getByText('Unknown person').waitFor();
  await row('Gone with').getByRole('link', { name: 'NOPE-99' }).waitFor();
  const link = row('Ask').getByRole('link', { name: /^WEB-3 .*Send the order confirmation/ });
  expect(await link.getAttribute('href')).toMatch(/\/browse\/WEB-3$/);
  expect(
    await row('Ask')
      .getByRole('link', { name: /Emma Richards/ })
      .getAttribute('href'),
  ).toMatch(/\/jira\/people\//);
  await frame().getByRole('heading', { name: 'Release 🚀 of WEB-1' }).waitFor();
  expect(await row('stays text').locator('.check-text').textContent()).toBe('[NO SUCH STATUS] stays text');
  expect(await frame().locator('img[src=x]').count()).toBe(0);
  expect(
    await frame()
      .locator('html')
      .evaluate(() => document.title),
  ).not.toBe('1');
  await shots(emma, frame(), 'rows-shown');
  expect(await axe()).toEqual([]);
});

test('a row is edited by keyboard, with completions', async () => {
  await open('- one\n- two');
  await edit('one');
  await emma.keyboard.type(' for @emma');
  const option = frame().getByRole('option', { name: 'Emma Richards' });
  await option.waitFor();
  await expect.poll(() => isFullyVisible(frame().getByRole('listbox', { name: 'Suggestions' }), emma)).toBe(true);
  await shots(emma, frame(), 'rows-rename');
  expect(await axe()).toEqual([]);
  await option.click();
  await emma.keyboard.type('//tom');
  await frame()
    .getByRole('option', { name: /^Tomorrow/ })
    .waitFor();
  await emma.keyboard.press('Escape');
  await frame().getByRole('listbox').waitFor({ state: 'detached' });
  for (let times = 0; times < 5; times++) await emma.keyboard.press('Backspace');
  await emma.keyboard.press('Enter');
  await expect.poll(stored).toBe(`- one for ${EMMA}\n- two`);
  // The name belongs to the sentence and stays in it.
  await expect.poll(() => row('one for').locator('.check-text').textContent()).toMatch(/^one for .*@Emma Richards$/);
  await hasFocus(row('one for').getByRole('checkbox'));
});

test('a row is edited by mouse; Escape discards the edit, and losing the focus saves it', async () => {
  await open('- one\n- two');
  await row('one').locator('.check-text').dblclick();
  await hasFocus(field());
  await emma.keyboard.type('gone');
  await emma.keyboard.press('Escape');
  await field().waitFor({ state: 'detached' });
  expect(await stored()).toBe('- one\n- two');
  await choose('one', 'Edit');
  await hasFocus(field());
  await emma.keyboard.type(' more');
  await box('two').focus();
  await expect.poll(stored).toBe('- one more\n- two');
});

test('details are written below their row', async () => {
  await open('- one\n- two');
  await choose('one', 'Add details');
  await hasFocus(field());
  await emma.keyboard.type('first :tada:');
  await emma.keyboard.press('Enter');
  await emma.keyboard.type('second');
  await shots(emma, frame(), 'rows-details');
  expect(await axe()).toEqual([]);
  await emma.keyboard.press('Control+Enter');
  await expect.poll(stored).toBe('- one\n> first :tada:\n> second\n- two');
  await row('one').getByText('first 🎉').waitFor();
  expect(await row('one').getByText('second').isVisible()).toBe(false);
  await row('one').getByRole('button', { name: 'Show more of one' }).click();
  await row('one').getByText('second').waitFor();
  await row('one').getByRole('button', { name: 'Show less of one' }).click();
  await row('one').getByText('second').waitFor({ state: 'hidden' });
});

test('the status menu fits the frame; only users with permission get the link to manage statuses', async () => {
  await open('- one');
  await row('one').hover();
  await frame().getByRole('button', { name: 'Status of one: To Do' }).click();
  const menu = frame().getByRole('menu', { name: 'Status' });
  await menu.waitFor();
  await expect.poll(() => isFullyVisible(menu, emma)).toBe(true);
  expect(await menu.getByRole('menuitem', { name: 'Manage statuses' }).count()).toBe(0);
  await shots(emma, frame(), 'rows-status');
  expect(await axe()).toEqual([]);
  await clickEntry(frame(), 'In Progress');
  await expect.poll(stored).toBe('~ one');

  const mia = await site.visitor(people.admin);
  await site.open(mia, ISSUE);
  await row('one', panel(mia)).hover();
  await panel(mia).getByRole('button', { name: 'Status of one: In Progress' }).click();
  await clickEntry(panel(mia), 'Manage statuses');
  await mia.waitForURL(/\/projects\/WEB\/settings\//);
  await mia.context().close();
});

test('a status that another user deletes disappears from rows and menus, and its name stays text', async () => {
  const mia = await site.visitor(people.admin);
  const change = async (operation: string, type: string, input: object) => {
    const token = await session(site.programs, mia, ISSUE);
    const query = `mutation ($input: ${type}!) {
      ${operation}(input: $input) { statuses { slug name } errors { message } }
    }`;
    const { data } = await graphql(site.programs, mia, token, query, { input });
    expect(data[operation].errors).toEqual([]);
    return data[operation].statuses.find(({ name }: { name: string }) => name === 'On hold')?.slug;
  };
  const values = { name: 'On hold', color: 'yellow', checked: false };
  const slug = await change('createStatus', 'CreateStatusInput', values);
  await open('- [On hold] one\n- two');
  await frame().getByRole('button', { name: 'Status of one: On hold' }).waitFor();
  await row('two').hover();
  await frame().getByRole('button', { name: 'Status of two: To Do' }).click();
  const entry = frame().getByRole('menuitemradio', { name: 'On hold' });
  await entry.waitFor();
  await shots(emma, frame(), 'rows-own-status');
  await change('deleteStatus', 'DeleteStatusInput', { slug, moveTo: 'in_progress' });
  await entry.waitFor({ state: 'detached' });
  await clickEntry(frame(), 'Done');
  await expect.poll(() => box('one').getAttribute('aria-description')).toBe('In Progress');
  await expect.poll(stored).toBe('~ one\n+ two');
  // Its name is plain text now.
  await frame().getByRole('textbox', { name: 'Add an item' }).fill('[On hold] three');
  await emma.keyboard.press('Enter');
  // The rename takes effect once the server has updated all texts.
  await box('[On hold] three').waitFor({ timeout: 60_000 });
  expect(await box('[On hold] three').getAttribute('aria-description')).toBe('To Do');
  // Otherwise the item would be added to the next test's text.
  await expect.poll(stored).toMatch(/three\n?$/);
  await shots(emma, frame(), 'rows-status-gone');
  await mia.context().close();
});

test('typed text survives changes of another user', async () => {
  const rows = Array.from({ length: 40 }, (_, index) => `- step ${index + 1}`);
  await open(rows.join('\n'));
  // The tracker's field follows and moves the panel.
  await emma.getByText('- step 40').first().waitFor();
  await edit('step 30');
  await emma.keyboard.type(' mine');
  const top = async () => (await row('step 30').boundingBox())?.y ?? Number.NaN;
  const before = await top();
  const changed = rows.with(29, `+ step 30 ${EMMA}`).with(30, '~ step 31 theirs');
  await write(changed.join('\n'));
  await row('step 31 theirs').waitFor();
  await emma.keyboard.type('!');
  expect(await field().textContent()).toBe('step 30 mine!');
  expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1);
  await emma.keyboard.press('Enter');
  await expect.poll(stored).toBe(changed.with(29, `+ step 30 mine! ${EMMA}`).join('\n'));
});

test('a user whose text was overwritten at the same time chooses at its row', async () => {
  await open('- one\n- two');
  await edit('one');
  await emma.keyboard.type(' by Emma');
  await emma.keyboard.press('Enter');
  await expect.poll(stored).toBe('- one by Emma\n- two');
  const mia = await site.visitor(people.admin);
  await writeChecklist(site.programs, mia, ISSUE, '- one by Mia\n- two', '- one\n- two');
  await mia.context().close();
  await row('one by Mia').waitFor();
  const choice = frame().getByRole('group', { name: 'You and Mia Krystof changed the text' });
  await choice.getByText('one by Emma').waitFor();
  await choice.getByRole('button', { name: 'Take theirs: one by Mia' }).click();
  await choice.waitFor({ state: 'detached' });
  await hasFocus(box('one by Mia'));
  expect(await stored()).toBe('- one by Mia\n- two');
});

test('a user whose row is deleted by another one while it is edited sees why, and types on', async () => {
  await open('- first\n- one\n- two');
  await edit('one');
  await emma.keyboard.type(' mine');
  const mia = await site.visitor(people.admin);
  await writeChecklist(site.programs, mia, ISSUE, '- first\n- two');
  await expect.poll(stored).toBe('- first\n- one mine\n- two');
  const notice = frame().getByText('Mia Krystof deleted this item while you edited it.').first();
  await notice.waitFor();
  await hasFocus(field());
  await shots(emma, frame(), 'rows-deleted');
  await hasFocus(field());
  await emma.keyboard.type(' too');
  await emma.keyboard.press('Enter');
  await expect.poll(stored).toBe('- first\n- one mine too\n- two');
  await edit('first');
  await writeChecklist(site.programs, mia, ISSUE, '- one mine too\n- two');
  await mia.context().close();
  await frame().getByText('Mia Krystof deleted “first” while you had it open.').first().waitFor();
  await shots(emma, frame(), 'rows-deleted-unchanged');
  await emma.keyboard.type(' de');
  expect(await stored()).toBe('- one mine too\n- two');
});

test('a row of 10,000 characters shows completely, without overflow', async () => {
  await open(`- ${'word '.repeat(1999)}words\n- ${'x'.repeat(400)}`);
  await frame()
    .getByText(/words$/)
    .waitFor();
  await expect
    .poll(() =>
      frame()
        .locator('html')
        .evaluate(html => html.scrollWidth <= html.clientWidth),
    )
    .toBe(true);
  expect(await axe()).toEqual([]);
});

test('no browser errors', () => {
  expect(site.browserErrors.filter(each => !/404|NOPE/.test(each))).toEqual([]);
});
