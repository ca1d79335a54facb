import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** API tokens, from the settings that create one to a program's change. */

const ISSUE = 'WEB-4';

let site: page.Site;
let mia: Page;

onSite(async started => {
  site = started;
  mia = await site.visitor(page.people.admin);
});

const frame = (): FrameLocator => mia.frameLocator('main iframe');
const section = () => frame().getByRole('region', { name: 'API tokens' });
const call = (secret: string, path: string, init: RequestInit = {}) =>
  fetch(`${site.programs.addon.url}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'if-match': '*' },
  });

/** Screenshots of the section; in a narrow frame it does not scroll sideways. */
async function inWidths(name: string): Promise<void> {
  await section().scrollIntoViewIfNeeded();
  await page.shots(mia, frame(), `api-tokens-${name}`);
  await mia.setViewportSize({ width: 360, height: 900 });
  const beyond = () => section().evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  await expect.poll(beyond, { message: name }).toBeLessThanOrEqual(0);
  await mia.setViewportSize({ width: 1280, height: 900 });
}

test('a token is created by keyboard, and a program changes a checklist with it', async () => {
  await mia.goto(`${site.programs.tracker.url}/admin/site-settings`);
  await section().getByText('No tokens yet. Create one for each program.').waitFor();
  await inWidths('empty');
  await section().getByRole('button', { name: 'Create API token' }).focus();
  await mia.keyboard.press('Enter');
  await expect
    .poll(() =>
      section()
        .getByRole('textbox', { name: 'Name' })
        .evaluate(each => each === document.activeElement),
    )
    .toBe(true);
  await mia.keyboard.type('Build server');
  await section().getByRole('combobox', { name: 'Access' }).selectOption('Read and write');
  const projects = section().getByRole('combobox', { name: 'Add a project' });
  await projects.fill('WEB');
  await section()
    .getByRole('option', { name: /\(WEB\)$/, selected: true })
    .waitFor();
  await projects.press('Enter');
  await section()
    .getByRole('button', { name: /^Remove / })
    .waitFor();
  await inWidths('form');
  await section().getByRole('button', { name: 'Create token' }).click();
  const field = section().getByRole('textbox', { name: /^Token/ });
  await field.waitFor();
  const secret = await field.inputValue();
  expect(secret).toMatch(/^scl_/);
  await section().getByRole('button', { name: 'Copy token' }).click();
  await section().getByText('Copied.').waitFor();
  await inWidths('secret');
  expect(await axeFindings(section())).toEqual([]);

  const change = { kind: 'addChecklistItemsFromText', text: 'Deployed by the build server' };
  const answer = await call(secret, `/issues/${ISSUE}/checklist/changes`, {
    method: 'POST',
    body: JSON.stringify({ change }),
  });
  expect(answer.status, await answer.clone().text()).toBe(200);
  const text = await call(secret, `/issues/${ISSUE}/checklist`).then(each => each.json());
  expect(JSON.stringify(text)).toContain('Deployed by the build server');

  await section().getByRole('button', { name: 'Done' }).click();
  await section().getByRole('button', { name: 'Revoke Build server' }).waitFor();
  await inWidths('list');

  await section().getByRole('button', { name: 'Revoke Build server' }).click();
  await inWidths('revoke');
  await section().getByRole('button', { name: 'Revoke token' }).click();
  await section().getByText('No tokens yet. Create one for each program.').waitFor();
  expect((await call(secret, `/issues/${ISSUE}/checklist`)).status).toBe(401);
});

test('the log has no token', () => {
  expect(site.programs.addon.output()).not.toContain('scl_');
});
