import type { FrameLocator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { storage } from '../../src/domain/messages.ts';
import { axeFindings } from './axe.ts';
import { answerGraphql } from './fault-injection.ts';
import { onSite } from './fixture.ts';
import { provokes } from './left-behind.ts';
import * as page from './site.ts';

provokes(/ 403 /);

/** Copies that Jira refuses, in the panel, and the report on stored data in the settings, for administrators. */

let site: page.Site;
onSite(async started => {
  site = started;
});

/** Replaces the faults of the tracker. */
async function setFaults(...faults: object[]): Promise<void> {
  const url = `${site.programs.tracker.url}/host/faults`;
  await fetch(url, { method: 'DELETE' });
  for (const fault of faults) {
    const { ok } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    });
    expect(ok).toBe(true);
  }
}

test('an open panel says that a copy is refused, until it is written', async () => {
  const emma = await site.visitor(page.people.editor);
  onTestFinished(() => emma.close());
  onTestFinished(() => setFaults());
  await site.openLoaded(emma, 'WEB-3');
  const input = page.panel(emma).getByRole('textbox', { name: 'Add an item' });
  const says = page.panel(emma).getByText(storage.propertyRefused(403));
  await setFaults({ match: '^PUT .*/properties/', status: 403 });
  await input.fill('Refused');
  await input.press('Enter');
  await says.waitFor();
  for (const theme of page.themes) {
    await page.switchTheme(emma, page.panel(emma), theme);
    for (const width of [1280, 400, 360]) {
      await page.resize(emma, { width, height: 900 });
      await expect.poll(() => page.fits(page.panel(emma))).toBe(true);
      await page.shot(page.panel(emma).locator('body'), `refused-copy-${theme}-${width}`);
    }
  }
  await page.resize(emma, { width: 1280, height: 900 });
  await setFaults();
  await input.fill('Taken');
  await input.press('Enter');
  await says.waitFor({ state: 'detached' });
});

const frameOf = (user: Page): FrameLocator => user.frameLocator('main iframe');
const sectionOf = (user: Page) => frameOf(user).getByRole('region', { name: 'Stored data' });
const check = (user: Page) => sectionOf(user).getByRole('button', { name: 'Check stored data' });

async function visit(name: keyof typeof page.people, path: string): Promise<Page> {
  const user = await site.visitor(page.people[name]);
  onTestFinished(() => user.close());
  await user.goto(`${site.programs.tracker.url}${path}`);
  return user;
}

test('an administrator of a project checks its stored data', async () => {
  const pavel = await visit('projectAdmin', '/projects/WEB/settings/project-settings');
  await check(pavel).press('Enter');
  await sectionOf(pavel)
    .getByText(/^\d+ issues? checked, 0 repaired\.$/)
    .waitFor();
  await page.shots(pavel, frameOf(pavel), 'stored-data-project');
});

const job = (values: object) => ({
  ...{ id: '1', kind: 'CHECK', state: 'DONE', total: 240, seen: 240, done: 0, failed: 0, skipped: 240 },
  ...{ ended: '2026-11-01T10:00:00.000Z', log: [] },
  ...values,
});
const refusal = (copy: string, reason: string, values: object) => ({
  ...{ copy, reason, issues: 0, projects: 0, projectKeys: [] },
  ...values,
});
const log = (issue: string | null, message: string) => ({ issue, message });

interface Answer {
  refused?: object[];
  mailedProjects?: string[];
  jobs?: object[];
}

const states: [string, Answer, string][] = [
  ['idle', {}, 'The check compares copies and counts'],
  [
    'running',
    { jobs: [job({ state: 'RUNNING', seen: 120, ended: null })] },
    'Checking stored data: 120 of 240 issues done.',
  ],
  [
    'repaired',
    {
      jobs: [
        job({
          // The log keeps the last lines only.
          done: 211,
          log: [
            log('WEB-1', 'Repaired: the issue property, the Checklist Text field, counts of items, assigned items.'),
            log('WEB-2', 'Repaired: the use of statuses.'),
          ],
        }),
      ],
    },
    '240 issues checked, 211 repaired.',
  ],
  [
    'different',
    {
      jobs: [
        job({
          failed: 1,
          log: [
            log(null, 'Project WEB doesn’t take its copy of the statuses. Retrying automatically.'),
            log('WEB-3', 'The copies in Jira aren’t equal yet. They’re written in the background.'),
          ],
        }),
      ],
    },
    '1 issue couldn’t be repaired.',
  ],
  [
    'refused',
    {
      refused: [
        refusal('property', 'forbidden', { issues: 12 }),
        refusal('field', 'screen', { issues: 1 }),
        refusal('statuses', 'forbidden', { projects: 7, projectKeys: ['HELP', 'OPS', 'SALES', 'TEST', 'WEB'] }),
        refusal('templates', 'refused', { projects: 1, projectKeys: ['WEB'] }),
      ],
      jobs: [job({ kind: 'REFRESH', state: 'RUNNING', seen: 12, ended: null })],
    },
    'Updating checklists to the new statuses: 12 of 240 issues done.',
  ],
  ['mail', { mailedProjects: ['HELP', 'OPS', 'WEB'] }, 'Jira emails watchers when the app updates'],
  [
    'failed',
    { jobs: [job({ state: 'FAILED', seen: 3, log: [log(null, 'The app was uninstalled.')] })] },
    'didn’t finish',
  ],
];

test('each state says what to do, in each width', async () => {
  const mia = await visit('admin', '/admin/site-settings');
  await check(mia).waitFor();
  let answer: object | undefined;
  await answerGraphql(mia, route =>
    answer && route.request().postData()?.includes('getStoredData')
      ? route.fulfill({ json: { data: answer } })
      : route.continue(),
  );
  for (const [name, { refused = [], mailedProjects = [], jobs = [] }, words] of states) {
    answer = { storedData: { refused, mailedProjects }, jobs };
    await mia.reload();
    await sectionOf(mia).getByText(words).first().waitFor();
    for (const theme of page.themes) {
      await page.switchTheme(mia, frameOf(mia), theme);
      for (const width of [1280, 400, 360]) {
        await page.resize(mia, { width, height: 900 });
        const beyond = await sectionOf(mia).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
        expect(beyond, `${name} in ${width}`).toBeLessThanOrEqual(0);
        for (const list of await sectionOf(mia).getByRole('list').all()) {
          const hidden = await list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
          expect(hidden, `the list, ${name} in ${width}`).toBeLessThanOrEqual(0);
        }
        await page.shot(sectionOf(mia), `stored-data-${name}-${theme}-${width}`);
      }
      expect(await axeFindings(sectionOf(mia)), `${name}, ${theme}`).toEqual([]);
    }
    await page.resize(mia, { width: 1280, height: 900 });
  }
});
