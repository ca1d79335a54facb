import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { edition } from '../../src/domain/edition.ts';
import { jobs, storage } from '../../src/domain/messages.ts';
import { FIELD_NAME } from '../../src/domain/storage.ts';
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

const copiesOf = (user: Page) => frameOf(user).getByRole('region', { name: 'Copies in Jira' });

test('an administrator of a project repairs the copies of checklists that were never opened', async () => {
  const pavel = await visit('projectAdmin', '/projects/WEB/settings/project-settings');
  const key = `${edition.key}.checklist`;
  const url = `${site.programs.tracker.url}/rest/api/2/issue/WEB-6`;
  const read = async () => (await pavel.request.get(`${url}?properties=${key}&expand=names`)).json();
  const { names } = await read();
  const field = Object.keys(names).find(id => names[id] === FIELD_NAME) ?? '';
  // As an automation of the tracker does, on an issue without a checklist.
  await pavel.request.delete(`${url}/properties/${key}`);
  await pavel.request.put(url, { data: { fields: { [field]: '- ! Approve\n+ Test' } } });
  await copiesOf(pavel).getByRole('button', { name: 'Repair copies' }).press('Enter');
  await copiesOf(pavel)
    .getByText(/^\d+ issues checked, [1-9]\d* repaired\.$/)
    .waitFor();
  expect((await read()).properties[key]).toMatchObject({
    text: '- ! Approve\n+ Test',
    progress: { total: 2, percent: 50, mandatoryOpen: 1 },
  });
  await copiesOf(pavel).getByRole('button', { name: 'Repair copies' }).press('Enter');
  await copiesOf(pavel)
    .getByText(/^\d+ issues checked, 0 repaired\.$/)
    .waitFor();
  await page.shots(pavel, frameOf(pavel), 'repair-copies-project');
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

/** Shows a section in each theme and width; nothing of it is cut off. */
async function inEachWidth(user: Page, section: Locator, name: string): Promise<void> {
  for (const theme of page.themes) {
    await page.switchTheme(user, frameOf(user), theme);
    for (const width of [1280, 400, 360]) {
      await page.resize(user, { width, height: 900 });
      const beyond = await section.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect(beyond, `${name} in ${width}`).toBeLessThanOrEqual(0);
      for (const list of await section.getByRole('list').all()) {
        const hidden = await list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
        expect(hidden, `the list, ${name} in ${width}`).toBeLessThanOrEqual(0);
      }
      await page.shot(section, `${name}-${theme}-${width}`);
    }
    expect(await axeFindings(section), `${name}, ${theme}`).toEqual([]);
  }
  await page.resize(user, { width: 1280, height: 900 });
}

/** An administrator at the site's settings, where the server answers a query with other data. */
async function answered(query: string) {
  const mia = await visit('admin', '/admin/site-settings');
  await check(mia).waitFor();
  let data: object | undefined;
  await answerGraphql(mia, route =>
    data && route.request().postData()?.includes(query) ? route.fulfill({ json: { data } }) : route.continue(),
  );
  const answer = async (now: object) => {
    data = now;
    await mia.reload();
  };
  return { mia, answer };
}

test('each state says what to do, in each width', async () => {
  const { mia, answer } = await answered('getStoredData');
  for (const [name, { refused = [], mailedProjects = [], jobs = [] }, words] of states) {
    await answer({ storedData: { refused, mailedProjects }, jobs });
    await sectionOf(mia).getByText(words).first().waitFor();
    await inEachWidth(mia, sectionOf(mia), `stored-data-${name}`);
  }
});

test('a repair says what it does and did, in each width', async () => {
  const { mia, answer } = await answered('getRepair');
  const repair = (values: object) => job({ kind: 'SYNCHRONIZE', ...values });
  const repairs: [string, object[], string][] = [
    ['idle', [], 'Repair copies'],
    ['starting', [repair({ state: 'QUEUED', total: null, seen: 0, ended: null })], 'The repair is starting.'],
    [
      'running',
      [repair({ state: 'RUNNING', seen: 120, done: 7, ended: null, log: [log(null, jobs.notAnswering)] })],
      '120 of 240 issues checked, 7 repaired.',
    ],
    ['cancelled', [repair({ state: 'CANCELLED', seen: 120, done: 7 })], 'The repair was cancelled.'],
    [
      'failed',
      [repair({ done: 211, failed: 2, log: [log('WEB-3', storage.fieldRefused), log('WEB-4', jobs.notEqual)] })],
      '2 issues couldn’t be repaired.',
    ],
  ];
  for (const [name, found, words] of repairs) {
    await answer({ jobs: found });
    await copiesOf(mia).getByText(words).last().waitFor();
    await inEachWidth(mia, copiesOf(mia), `repair-copies-${name}`);
  }
});
