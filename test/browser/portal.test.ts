import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';
import { graphql, sendChange, session, storedChecklist, writeChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { people, type Site, shots } from './site.ts';

/** A customer's view in the portal, and issues converted from items: server and tracker together. */

const CUSTOMER = 'qm:7c5a41d9:b2f6';

let site: Site;
onSite(
  async started => {
    site = started;
  },
  () => ({ withForge: true }),
);

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

/** Chooses what customers of the service project see, in its settings. */
async function chooseForCustomers(words: string): Promise<void> {
  const mia = await site.visitor(people.admin);
  await mia.goto(`${site.programs.tracker.url}/projects/HELP/settings/project-settings`);
  const frame = mia.frameLocator('iframe');
  const field = frame.getByRole('combobox', { name: 'Customers see' });
  await field.selectOption(words);
  await expect.poll(() => frame.getByText(hintOf(words)).count()).toBe(1);
  await frame.getByText('Administer project', { exact: true }).waitFor();
  await field.evaluate(it => it.scrollIntoView({ block: 'center' }));
  await shots(mia, frame, 'portal-settings');
  await mia.close();
}

const hintOf = (words: string) => (words === 'Nothing' ? /don’t see checklists/ : /under the title “Progress”/);

test.each(['connect', 'forge'])('a customer sees what the project shows, in frames of %s', async framework => {
  const emma = await site.visitor(people.editor);
  const { id } = await issue(emma, 'HELP-1');
  const save = async (user: Page, text: string) => {
    const token = await session(site.programs, user, 'HELP-1');
    return sendChange(site.programs, user, token, {
      ...{ issueId: id, base },
      change: { kind: 'updateChecklistFromText', text },
    });
  };
  const text =
    '# Internal\n- Ask the vendor\n# Delivery !customers !before:Done\n+ Order a new laptop\n- Pack it [~accountid:x1]';
  await writeChecklist(site.programs, emma, 'HELP-1', text);

  const carla = await customer();
  await carla.addInitScript(frames => localStorage.setItem('tracker.frames', frames), framework);
  expect((await carla.request.get(`${site.programs.tracker.url}/rest/api/2/issue/HELP-1`)).status()).toBe(404);
  await chooseForCustomers('Nothing');
  await carla.goto(`${site.programs.tracker.url}/portal/HELP-1`);
  const region = carla.getByRole('region', { name: /Checklist/ });
  const panel = region.frameLocator('iframe');
  await expect.poll(() => region.locator('iframe').evaluate(frame => frame.clientHeight)).toBeLessThan(10);

  await chooseForCustomers('Sections visible to customers');
  await carla.reload();
  await panel.getByRole('heading', { name: 'Progress' }).waitFor();
  await panel.getByText('Order a new laptop').waitFor();
  expect(await panel.getByRole('checkbox', { name: 'Order a new laptop' }).isChecked()).toBe(true);
  expect(await panel.getByRole('checkbox', { name: 'Pack it' }).isEnabled()).toBe(false);
  expect(await panel.locator('body').textContent()).not.toMatch(/Ask the vendor|Internal|@|Before Done|customers/);
  expect(await panel.getByRole('textbox').count()).toBe(0);
  expect(await panel.getByRole('button').count()).toBe(0);
  await shots(carla, panel, `portal-${framework}`);

  expect((await save(carla, '- mine')).errors).toHaveLength(1);
  const read = 'query ($id: ID!) { checklist(issueId: $id) { text } }';
  const asked = await graphql(site.programs, carla, await session(site.programs, carla, 'HELP-1'), read, { id });
  expect(asked.data?.checklist ?? null).toBeNull();
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
