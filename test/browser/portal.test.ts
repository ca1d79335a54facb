import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';
import { sendChange, session, storedChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { people, type Site, shot } from './site.ts';

/** A customer's view in the portal, and issues converted from items: server and tracker together. */

const CUSTOMER = 'qm:7c5a41d9:b2f6';

let site: Site;
onSite(async started => {
  site = started;
});

/** A customer, whose only page of the tracker is the portal. */
async function customer(): Promise<Page> {
  const page = await (await site.browser.newContext()).newPage();
  page.setDefaultTimeout(WAIT_TIMEOUT);
  await page.request.post(`${site.programs.tracker.url}/host/user`, { data: { accountId: CUSTOMER } });
  return page;
}

const issue = async (page: Page, key: string, query = '') =>
  (await page.request.get(`${site.programs.tracker.url}/rest/api/2/issue/${key}${query}`)).json();

const base = { epoch: '', seq: 0, hash: '', text: '' };

test('a customer sees the checklist of their request read-only', async () => {
  const emma = await site.visitor(people.editor);
  const { id } = await issue(emma, 'HELP-1');
  const save = async (user: Page, text: string) => {
    const token = await session(site.programs, user, 'HELP-1');
    return sendChange(site.programs, user, token, {
      ...{ issueId: id, base },
      change: { kind: 'updateChecklistFromText', text },
    });
  };
  expect((await save(emma, '- Order a new laptop\n+ Ask the manager')).errors).toEqual([]);

  const carla = await customer();
  expect((await carla.request.get(`${site.programs.tracker.url}/rest/api/2/issue/HELP-1`)).status()).toBe(404);
  await carla.goto(`${site.programs.tracker.url}/portal/HELP-1`);
  const panel = carla.getByRole('region', { name: /Checklist/ }).frameLocator('iframe');
  await panel.getByText('Order a new laptop').waitFor();
  expect(await panel.getByRole('checkbox', { name: 'Ask the manager' }).isChecked()).toBe(true);
  expect(await panel.getByRole('checkbox', { name: 'Order a new laptop' }).isEnabled()).toBe(false);
  expect(await panel.getByRole('textbox').count()).toBe(0);
  await shot(carla, 'portal');

  expect((await save(carla, '- mine')).errors).toHaveLength(1);
});

test('an item is converted to a sub-task, and another one to a linked issue', async () => {
  const emma = await site.visitor(people.editor);
  const { id } = await issue(emma, 'WEB-2');
  const token = await session(site.programs, emma, 'WEB-2');
  const text = '- Write the release notes\n- Tell the **support** team';
  const made: string[] = [];
  for (const [index, to] of (['SUBTASK', 'LINKED_ISSUE'] as const).entries()) {
    const target = { index, text: text.split('\n')[index]?.slice(2) ?? '' };
    const change = { kind: 'convertItemToIssue', target, to } as const;
    const { errors, issueKey } = await sendChange(site.programs, emma, token, {
      ...{ issueId: id, base: { ...base, text } },
      change,
    });
    expect(errors).toEqual([]);
    made.push(issueKey);
  }
  const { fields } = await issue(emma, 'WEB-2');
  expect(fields.subtasks.map((each: { key: string }) => each.key)).toContain(made[0]);
  const linked = fields.issuelinks.find((each: { inwardIssue?: { key: string } }) => each.inwardIssue?.key === made[1]);
  expect(linked).toMatchObject({ inwardIssue: { fields: { summary: 'Tell the support team' } } });
  const { text: now } = await storedChecklist(site.programs, emma, 'WEB-2');
  expect(now).toBe(`- Write the release notes ${made[0]}\n- Tell the **support** team ${made[1]}`);
});
