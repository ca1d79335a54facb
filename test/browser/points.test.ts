import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Tracker } from '../../src/tracker/app.ts';
import { storedChecklist, writeChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { isAtRest, ledgerOf, spentFrom } from './ledger.ts';
import { panel, people, type Site } from './site.ts';

/** The rate limit points of what pages ask for, as counted by the tracker. */

/** Points of the first view of an issue. */
const FIRST_VIEW = 2;
/** The maximum number of points, once, of a checklist that another app wrote as plain text: a compare-and-set with its reads, and the field. */
const TAKE_OVER = 9;
/** An account's first view, in an hour, of a project whose portal customers see less than the whole checklist. */
const NO_CUSTOMER = 3;

let tracker: Tracker;
const onTracker = (started: Tracker) => {
  tracker = started;
};
let site: Site;
/** The user who prepares the site. */
let mia: Page;
onSite(
  async started => {
    site = started;
    mia = await site.visitor(people.admin);
    // A new site reads its fields and settings once.
    await writeChecklist(site.programs, mia, 'WEB-1', '- one');
    await isAtRest(site.programs, tracker);
  },
  () => ({ onTracker }),
);

const input = (page: Page) => panel(page).getByRole('textbox', { name: 'Add an item' });

test('looking at an issue costs the points of a new one, and further users, known issues and a minute nothing', async () => {
  const [emma, victor] = [await site.visitor(people.editor), await site.visitor(people.viewer)];
  const spent = await spentFrom(tracker, site.programs.tracker.url);
  await site.openLoaded(emma, 'WEB-6');
  await input(emma).waitFor();
  await victor.clock.install();
  await site.openLoaded(victor, 'WEB-6');
  const box = panel(victor).getByRole('checkbox', { name: 'Tell support', exact: true });
  await box.waitFor();
  await victor.clock.runFor(60_000);
  expect(await box.isVisible()).toBe(true);
  await victor.goto('about:blank');
  const others = ['WEB-2', 'HELP-1'];
  for (const issue of others) await storedChecklist(site.programs, emma, issue);
  for (const issue of others) {
    await site.openLoaded(emma, issue);
    await input(emma).waitFor();
  }
  await isAtRest(site.programs, tracker);
  const { person, ...written } = await spent();
  expect(person).toBe(FIRST_VIEW * (1 + others.length) + NO_CUSTOMER);
  // Of WEB-6, whose text stood in the property alone.
  expect(Object.values(written).reduce((sum, points) => sum + points, 0)).toBeLessThanOrEqual(TAKE_OVER);
  const again = await spentFrom(tracker, site.programs.tracker.url);
  await site.openLoaded(emma, 'WEB-6');
  await input(emma).waitFor();
  await isAtRest(site.programs, tracker);
  expect(await again()).toEqual({});
  await emma.goto('about:blank');
});

test('a page of assigned items reads its issues and projects itself: the app only asks for permissions, and that once', async () => {
  const pavel = await site.visitor(people.projectAdmin);
  const item = '- Look at it [~accountid:5b10a2844c20165700ede21b]';
  await writeChecklist(site.programs, mia, 'WEB-6', item);
  await writeChecklist(site.programs, mia, 'WEB-7', item);
  await isAtRest(site.programs, tracker);
  const callsNow = async () => {
    const { ledger } = await ledgerOf(tracker);
    const here = ledger.filter(({ site: of, cause }) => of === site.programs.tracker.url && cause === 'person');
    return new Map(here.map(({ call, calls }) => [call, calls]));
  };
  const before = await callsNow();
  const asPerson = () => pavel.waitForResponse(answer => answer.url().endsWith('/permissions/check') && answer.ok());
  await pavel.clock.install();
  const first = asPerson();
  await pavel.goto(`${site.programs.tracker.url}/plugins/assigned-items`);
  const frame = pavel.locator('iframe').contentFrame();
  for (const key of ['WEB-6', 'WEB-7'])
    await frame.locator('.assigned-heading h2', { hasText: key }).getByRole('img').waitFor();
  await frame
    .getByRole('combobox', { name: 'Project' })
    .getByText(/^Web shop \(2\)$/)
    .waitFor({ state: 'attached' });
  const after = await callsNow();
  const made = [...after].filter(([call, calls]) => calls > (before.get(call) ?? 0));
  expect(made.map(([call]) => call)).toEqual(['POST /permissions/check']);
  // The page asks again and again, as its user.
  await first;
  const again = asPerson();
  await pavel.clock.runFor(120_000);
  await again;
  expect(await callsNow()).toEqual(after);
});
