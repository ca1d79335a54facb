import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';
import { writeChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { people, type Site, shots } from './site.ts';

/** A customer's view in the portal, as the project's settings choose it. */

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

test('in the settings of the project it is chosen what a customer sees', async () => {
  const mia = await site.visitor(people.admin);
  await writeChecklist(
    site.programs,
    mia,
    'HELP-1',
    '# Internal\n- Ask the vendor\n# Delivery !customers !before:Done\n+ Order a new laptop\n- Pack it [~accountid:x1]',
  );
  await mia.goto(`${site.programs.tracker.url}/projects/HELP/settings/project-settings`);
  const settings = mia.frameLocator('iframe');
  const field = settings.getByRole('combobox', { name: 'Customers see' });
  await field.selectOption('Sections visible to customers');
  await settings.getByText(/under the title “Progress”/).waitFor();
  await field.evaluate(it => it.scrollIntoView({ block: 'center' }));
  await shots(mia, settings, 'portal-settings');

  const carla = await customer();
  await carla.goto(`${site.programs.tracker.url}/portal/HELP-1`);
  const region = carla.getByRole('region', { name: /Checklist/ });
  const panel = region.frameLocator('iframe');
  await panel.getByRole('heading', { name: 'Progress' }).waitFor();
  await panel.getByText('Order a new laptop').waitFor();
  expect(await panel.getByRole('checkbox', { name: 'Order a new laptop' }).isChecked()).toBe(true);
  expect(await panel.getByRole('checkbox', { name: 'Pack it' }).isEnabled()).toBe(false);
  expect(await panel.locator('body').textContent()).not.toMatch(/Ask the vendor|Internal|@|Before Done|customers/);
  expect(await panel.getByRole('textbox').or(panel.getByRole('button')).count()).toBe(0);
  await shots(carla, panel, 'portal-connect');

  await field.selectOption('Nothing');
  await settings.getByText(/don’t see checklists/).waitFor();
  await carla.reload();
  await panel.getByText('No progress is shared for this request.').waitFor();
  expect(await panel.locator('body').textContent()).not.toMatch(/laptop/);
  await shots(carla, panel, 'portal-nothing');
});
