import type { FrameLocator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { storage } from '../../src/domain/messages.ts';
import type { Tracker } from '../../src/tracker/app.ts';
import { storedChecklist, writeChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { isAtRest, ledgerOf } from './ledger.ts';
import { provokes } from './left-behind.ts';
import { panel, people, resize, type Site, shot, shots, switchTheme, themes } from './site.ts';

// Refused copies, in the log of the server and in consoles.
provokes(/CopyRefused| 40[034] /);

/** A site that refuses what it can, all at once: the platform's refusals in projects and issues. */

let site: Site;
let tracker: Tracker;
onSite(
  async started => {
    site = started;
  },
  () => ({
    onTracker: running => {
      tracker = running;
    },
  }),
);

const address = (path: string) => `${site.programs.tracker.url}${path}`;

async function visitor(name: keyof typeof people): Promise<Page> {
  const page = await site.visitor(people[name]);
  onTestFinished(() => page.close());
  return page;
}

/** Refuses everything, or ends that. */
async function refuse(mia: Page, isRefused: boolean): Promise<void> {
  const put = async (path: string, data: object) =>
    expect((await mia.request.put(address(path), { data })).ok()).toBe(true);
  await put('/host/projects/WEB', { apps: isRefused ? 'restricted' : 'administrator', isTeamManaged: isRefused });
  await put('/host/issues/WEB-3', { isArchived: isRefused });
  await put('/host/projects/HELP', { apps: isRefused ? 'blocked' : 'administrator' });
}

/** Takes screenshots of an administrator's lines in both themes and each width, into which they fit. */
async function pictures(page: Page, frame: FrameLocator, name: string): Promise<void> {
  const section = frame.getByRole('region', { name: 'Stored data' });
  for (const theme of themes) {
    await switchTheme(page, frame, theme);
    for (const width of [1280, 400, 360]) {
      await resize(page, { width, height: 900 });
      const beyond = await section.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect(beyond, `${name} in ${width}`).toBeLessThanOrEqual(0);
      await shot(section, `${name}-${theme}-${width}`);
    }
  }
  await resize(page, { width: 1280, height: 900 });
}

const callsSoFar = async () => (await ledgerOf(tracker)).ledger.reduce((sum, { calls }) => sum + calls, 0);

test('checklists stay usable, nothing is retried without end, and administrators see what to do', async () => {
  const mia = await visitor('admin');
  const emma = await visitor('editor');
  const pavel = await visitor('projectAdmin');
  const issues = ['WEB-2', 'WEB-3', 'HELP-1'];
  for (const issue of issues) await writeChecklist(site.programs, mia, issue, '- before');
  await isAtRest(site.programs, tracker);
  const calls = await callsSoFar();
  await refuse(mia, true);

  // In the restricted project and in the archived issue a user adds items in the panel; the blocked one shows no panel.
  for (const issue of ['WEB-2', 'WEB-3']) {
    await site.openLoaded(emma, issue);
    const input = panel(emma).getByRole('textbox', { name: 'Add an item' });
    await input.fill('Added meanwhile');
    await input.press('Enter');
    await expect.poll(async () => (await storedChecklist(site.programs, emma, issue)).text).toContain('meanwhile');
  }
  await panel(emma).getByText(storage.propertyRefused(400)).waitFor();
  await shots(emma, panel(emma), 'refused-site-panel');
  await writeChecklist(site.programs, mia, 'HELP-1', '- before\n- Added meanwhile');

  const frame = mia.frameLocator('main iframe');
  await mia.goto(address('/admin/site-settings'));
  const lines = frame.getByRole('region', { name: 'Stored data' }).getByRole('listitem');
  const isShown = async (words: RegExp) => (await lines.filter({ hasText: words }).count()) > 0;
  // Copies are written in the background. The policy's answers are 403 and 404 in turn, so that either line may show.
  await expect
    .poll(async () => {
      await mia.reload();
      await frame.getByText('The check compares copies and counts').waitFor();
      await lines.first().waitFor();
      return Promise.all(
        [/ Check for archived issues\./, / permission scheme and data security policies\./].map(isShown),
      );
    })
    .toEqual([true, true]);
  await frame.getByText(/^Jira emails watchers .* in project WEB\. To stop these emails, grant/).waitFor();
  await pictures(mia, frame, 'refused-site-settings');
  await pavel.goto(address('/projects/WEB/settings/project-settings'));
  const ofProject = pavel.frameLocator('main iframe');
  await ofProject.getByText(/^Jira emails watchers .* in this project\./).waitFor();
  await pictures(pavel, ofProject, 'refused-site-project');
  // What is refused is tried again at growing pauses only.
  expect((await callsSoFar()) - calls).toBeLessThan(60);

  await refuse(mia, false);
  for (const issue of issues) await writeChecklist(site.programs, mia, issue, '- before\n- Added meanwhile\n- after');
  await expect
    .poll(async () => {
      await mia.reload();
      await frame.getByText('The check compares copies and counts').waitFor();
      return lines.count();
    })
    .toBe(0);
});
