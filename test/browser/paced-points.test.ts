import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { edition } from '../../src/domain/edition.ts';
import { FIELD_NAME } from '../../src/domain/storage.ts';
import type { Tracker } from '../../src/tracker/app.ts';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';
import { graphql, session, storedChecklist, writeChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { isAtRest, type Spent, spentFrom } from './ledger.ts';
import { panel, people, type Site, siteOf } from './site.ts';

/** The rate limit points of changes at a user's pace, as counted by the tracker. */

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const FIVE = NAMES.slice(0, 5);
const SEVEN = NAMES.slice(0, 7);
const START = NAMES.map(name => `- ${name}`).join('\n');
const ticked = (names: readonly string[]) =>
  NAMES.map(name => `${names.includes(name) ? '+' : '-'} ${name}`).join('\n');

/** Points of the first view of an issue, of a user's first change of it, and of writing both copies. */
const FIRST_VIEW = 2;
const FIRST_CHANGE = 3;
const WRITES = 2;
/** An account's first view, in an hour, of a project whose portal customers see less than the whole checklist. */
const NO_CUSTOMER = 3;

let tracker: Tracker;
const onTracker = (started: Tracker) => {
  tracker = started;
};
let firstSite: Site;
/** Another site, whose points are counted separately. */
let secondSite: Site;
/** The user who prepares the sites. */
let mia: Page;
onSite(
  async site => {
    firstSite = site;
    const { programs, browser } = site;
    const second = { ...programs, tracker: { ...programs.tracker, url: programs.secondSite ?? '' } };
    secondSite = { ...siteOf(second, browser), visitor: site.visitor };
    mia = await firstSite.visitor(people.admin);
    for (const each of [firstSite, secondSite]) await importFromField(each, 'WEB-1');
    await isAtRest(programs, tracker);
  },
  () => ({ withSecondSite: true, onTracker }),
);

const box = (page: Page, name: string) => panel(page).getByRole('checkbox', { name, exact: true });
const input = (page: Page) => panel(page).getByRole('textbox', { name: 'Add an item' });
const spentSince = ({ programs }: Site) => spentFrom(tracker, programs.tracker.url);
const atRest = () => isAtRest(firstSite.programs, tracker);
const closePage = (page: Page) => page.goto('about:blank');

/** An issue of the tracker with the checklist's property and field. */
async function issueOf({ programs }: Site, page: Page, issue: string) {
  const key = `${edition.key}.checklist`;
  const url = `${programs.tracker.url}/rest/api/2/issue/${issue}`;
  const { fields, names, properties } = await (await page.request.get(`${url}?properties=${key}&expand=names`)).json();
  const field = Object.keys(names).find(id => names[id] === FIELD_NAME) ?? '';
  return { url, field, copies: [properties[key]?.text, fields[field]].map(copy => String(copy ?? '').trimEnd()) };
}

/** Gives an issue a checklist in its field, which the server imports at the first view. */
async function importFromField(site: Site, issue: string): Promise<void> {
  const { url, field } = await issueOf(site, mia, issue);
  expect((await mia.request.put(url, { data: { fields: { [field]: START } } })).status()).toBe(204);
  expect((await storedChecklist(site.programs, mia, issue)).text).toBe(START);
}

/** Like `expect.poll`, which does not work in concurrent tests. */
const eventually = (value: () => Promise<unknown>, expected: unknown): Promise<void> =>
  vi.waitFor(async () => expect(await value()).toEqual(expected), { timeout: WAIT_TIMEOUT, interval: 100 });

/** Resolves when both copies of an issue's checklist have that text. */
const isWritten = (site: Site, page: Page, issue: string, text: string): Promise<void> =>
  eventually(async () => (await issueOf(site, page, issue)).copies, [text, text]);

const isStored = ({ programs }: Site, page: Page, issue: string, text: string): Promise<void> =>
  eventually(async () => (await storedChecklist(programs, page, issue)).text, text);

const sum = (spent: Spent) => Object.values(spent).reduce((all, points) => all + points, 0);

/**
 * Runs `perform` for each value, one per `interval` milliseconds. Resolves with the additional points of a machine that
 * is too slow: one for each two seconds of delay, the shortest after which a copy is written again.
 */
async function paced<T>(all: readonly T[], interval: number, perform: (each: T) => Promise<void>): Promise<number> {
  const start = performance.now();
  for (const [index, each] of all.entries()) {
    await pause(Math.max(0, start + index * interval - performance.now()));
    await perform(each);
  }
  const delay = performance.now() - start - (all.length - 1) * interval;
  return Math.floor(Math.max(0, delay) / 2_000);
}

/** A user ticks five items while another one watches; resolves with the maximum of points. */
async function tickFive(): Promise<number> {
  const pages = await Promise.all([firstSite.visitor(people.editor), firstSite.visitor(people.viewer)]);
  const [emma] = pages;
  await Promise.all(pages.map(page => firstSite.open(page, 'WEB-1')));
  await Promise.all(pages.map(page => box(page, 'one').waitFor()));
  const slow = await paced(FIVE, 3_000, name => box(emma, name).check());
  await isStored(firstSite, emma, 'WEB-1', ticked(FIVE));
  await Promise.all(pages.map(closePage));
  await isWritten(firstSite, emma, 'WEB-1', ticked(FIVE));
  return 5 + slow;
}

/** A user adds seven items; resolves with the maximum of points. */
async function addSeven(): Promise<number> {
  const emma = await secondSite.visitor(people.editor);
  await secondSite.open(emma, 'WEB-1');
  const slow = await paced(SEVEN, 1_000, async name => {
    await input(emma).fill(`more ${name}`);
    await input(emma).press('Enter');
  });
  const text = [START, ...SEVEN.map(name => `- more ${name}`)].join('\n');
  await isStored(secondSite, emma, 'WEB-1', text);
  await closePage(emma);
  await isWritten(secondSite, emma, 'WEB-1', text);
  return 4 + slow;
}

const PREPARED = ['WEB-2', 'WEB-3', 'WEB-4'];
/** Gives issues checklists whose copies are known from their last write. */
async function prepare(): Promise<void> {
  for (const issue of PREPARED) await writeChecklist(secondSite.programs, mia, issue, START);
  for (const issue of PREPARED) await isWritten(secondSite, mia, issue, START);
}

async function tickOne(): Promise<void> {
  const emma = await secondSite.visitor(people.editor);
  await secondSite.open(emma, 'WEB-2');
  await box(emma, 'three').check();
  await isWritten(secondSite, emma, 'WEB-2', ticked(['three']));
}

/** Milliseconds between the first and the last of an issue's newest revisions at the server. */
async function spanOf({ programs }: Site, page: Page, issue: string, versions: number): Promise<number> {
  const { id } = await storedChecklist(programs, page, issue);
  const document =
    'query ($id: ID!, $first: Int) { checklistHistory(issueId: $id, first: $first) { entries { created } } }';
  const token = await session(programs, page, issue);
  const { data } = await graphql(programs, page, token, document, { id, first: versions });
  const times = v.parse(
    v.array(v.object({ created: v.pipe(v.string(), v.isoTimestamp(), v.endsWith('Z')) })),
    data.checklistHistory.entries,
  );
  const [first, last] = [times.at(-1), times[0]].map(entry => Date.parse(entry?.created ?? ''));
  return Number(last) - Number(first);
}

/**
 * Resolves with the maximum of further writes of the property: one if its first write did not wait for the last tick.
 */
async function tickFiveAtOnce(): Promise<number> {
  const emma = await secondSite.visitor(people.editor);
  await secondSite.open(emma, 'WEB-3');
  // A script's click on a box that is still disabled has no effect.
  await eventually(() => box(emma, 'eight').isEnabled(), true);
  await panel(emma)
    .getByRole('checkbox')
    .evaluateAll(boxes => {
      for (const each of boxes.slice(0, 5)) if (each instanceof HTMLElement) each.click();
    });
  await isWritten(secondSite, emma, 'WEB-3', ticked(FIVE));
  return (await spanOf(secondSite, emma, 'WEB-3', FIVE.length)) < 1_000 ? 0 : 1;
}

async function saveText(): Promise<void> {
  const emma = await secondSite.visitor(people.editor);
  const text = await secondSite.openEditor(emma, 'WEB-4');
  await text.press('Control+End');
  await emma.keyboard.insertText('\n- nine');
  await emma.keyboard.press('Control+s');
  await isWritten(secondSite, emma, 'WEB-4', `${START}\n- nine`);
}

// These tests need real time, and run concurrently at two sites, whose points are counted separately.

test.concurrent('five ticks three seconds apart cost at most five', async () => {
  const spent = await spentSince(firstSite);
  const most = await tickFive();
  await atRest();
  const { person = 0, ...copies } = await spent();
  // Of a user who changes the issue, and of one who watches.
  expect(person).toBeLessThanOrEqual(FIRST_CHANGE + NO_CUSTOMER);
  expect(sum(copies)).toBeLessThanOrEqual(most);
});

test.concurrent('seven items cost at most four, and a tick, five at once and a saved text two each', async () => {
  const spentOnItems = await spentSince(secondSite);
  const [most] = await Promise.all([addSeven(), prepare()]);
  await atRest();
  const { person: added, ...items } = await spentOnItems();
  expect(added).toBe(FIRST_CHANGE + PREPARED.length * (FIRST_VIEW + FIRST_CHANGE));
  expect(sum(items) - PREPARED.length * WRITES).toBeLessThanOrEqual(most);

  const spent = await spentSince(secondSite);
  const [slow] = await Promise.all([tickFiveAtOnce(), tickOne(), saveText()]);
  await atRest();
  const { property = 0, ...others } = await spent();
  expect(others).toEqual({ person: PREPARED.length * FIRST_CHANGE, field: PREPARED.length });
  expect(property - PREPARED.length).toBeGreaterThanOrEqual(0);
  expect(property - PREPARED.length).toBeLessThanOrEqual(slow);
});
