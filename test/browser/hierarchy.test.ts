import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { storedChecklist, writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import * as page from './site.ts';

/** The page with an issue, what is above and below it, and what these are linked to. */

let site: page.Site;
let emma: Page;

beforeAll(async () => {
  site = await page.startSite();
  emma = await site.visitor(page.people.editor);
  const texts: Record<string, string> = {
    'WEB-1': '# Release\n- ! Agree on the date\n+ Tell everybody',
    'WEB-2': '- Look at checkout.ts\n+ Ask the shop\n~ Write it',
    'WEB-3': '- ! A long one that has to wrap somewhere, since nobody ever wrote shorter sentences about it',
    'HELP-4': '- Call the provider',
  };
  for (const [key, text] of Object.entries(texts)) await writeChecklist(site.programs, emma, key, text);
});

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await page.shot(emma, `failed ${task.name}`);
});

afterAll(() => site.stop());

const frameOf = (who: Page): FrameLocator => who.frameLocator('main iframe');
const frame = () => frameOf(emma);
const open = (who: Page, key: string) =>
  who.goto(`${site.programs.tracker.url}/plugins/smart-hierarchy?issueKey=${key}&projectKey=${key.split('-')[0]}`);
const rows = (where = frame()) => where.locator('.tree-row');
const row = (key: string, where = frame()) => rows(where).filter({ has: where.getByRole('link', { name: key, exact: true }) });

test('look', async () => {
  await open(emma, 'WEB-2');
  await row('WEB-1').first().waitFor();
  await frame().getByText('of 15 items done').waitFor({timeout: 5000}).catch(() => undefined);
  await page.shots(emma, frame(), 'hierarchy');
  await row('WEB-2').first().getByRole('button', { name: /^Checklist of/ }).click();
  await frame().getByRole('checkbox').first().waitFor();
  await page.shots(emma, frame(), 'hierarchy-open');
  console.log(await axeFindings(frame().locator('main')));
  await row('WEB-1').first().getByRole('button', { name: /^Apply/ }).click();
  await frame().getByRole('button', { name: /^Close|^Apply to/ }).first().waitFor();
  await page.shots(emma, frame(), 'hierarchy-apply');
  await emma.setViewportSize({ width: 360, height: 800 });
  await page.shots(emma, frame(), 'hierarchy-apply-360');
  await open(emma, 'WEB-2');
  await row('WEB-1').first().waitFor();
  await page.shots(emma, frame(), 'hierarchy-360');
  await emma.setViewportSize({ width: 1280, height: 900 });
  await site.open(emma, 'WEB-2');
  await emma.getByRole('button', { name: 'Smart hierarchy' }).click();
  const panel = emma.getByRole('region', { name: 'Smart hierarchy', exact: true }).frameLocator('iframe');
  await panel.locator('.tree-row').first().waitFor();
  await page.shots(emma, panel, 'hierarchy-panel');
  console.log(site.complaints, await storedChecklist(site.programs, emma, 'WEB-1'));
});
