import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { edition } from '../../src/domain/edition.ts';
import { FIELD_NAME } from '../../src/domain/storage.ts';
import type { Tracker } from '../../src/tracker/app.ts';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';
import { graphql, session, storedChecklist, writeChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { isAtRest, type Spent, spentFrom } from './ledger.ts';
import { panel, people, type Site, siteOf } from './site.ts';

/** What people do in panels costs the points that design.md §4.5 lists, as the tracker counts them. */

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const FIVE = NAMES.slice(0, 5);
const SEVEN = NAMES.slice(0, 7);
const START = NAMES.map(name => `- ${name}`).join('\n');
const ticked = (names: readonly string[]) =>
  NAMES.map(name => `${names.includes(name) ? '+' : '-'} ${name}`).join('\n');

/** Points of the first look at an issue, of a person's first change of it, and of both copies' writes. */
const NEW = 2;
const FIRST_CHANGE = 3;
const WRITTEN = 2;

let tracker: Tracker;
const onTracker = (started: Tracker) => {
  tracker = started;
};
let here: Site;
/** Another site, whose points are counted apart. */
let there: Site;
/** Prepares what others do. */
let mia: Page;
onSite(
  async site => {
    here = site;
    const { programs, browser } = site;
    const second = { ...programs, tracker: { ...programs.tracker, url: programs.secondSite ?? '' } };
    there = { ...siteOf(second, browser), visitor: site.visitor };
    mia = await here.visitor(people.admin);
    for (const each of [here, there]) await begin(each, 'WEB-1');
    await isAtRest(programs, tracker);
  },
  () => ({ withSecondSite: true, onTracker }),
);

const box = (page: Page, name: string) => panel(page).getByRole('checkbox', { name, exact: true });
const input = (page: Page) => panel(page).getByRole('textbox', { name: 'Add an item' });
const spentSince = ({ programs }: Site) => spentFrom(tracker, programs.tracker.url);
const atRest = () => isAtRest(here.programs, tracker);
const leave = (page: Page) => page.goto('about:blank');

/** An issue as the tracker answers with the checklist's property and field. */
async function issueOf({ programs }: Site, page: Page, issue: string) {
  const key = `${edition.key}.checklist`;
  const url = `${programs.tracker.url}/rest/api/2/issue/${issue}`;
  const { fields, names, properties } = await (await page.request.get(`${url}?properties=${key}&expand=names`)).json();
  const field = Object.keys(names).find(id => names[id] === FIELD_NAME) ?? '';
  return { url, field, copies: [properties[key]?.text, fields[field]].map(copy => String(copy ?? '').trimEnd()) };
}

/** Gives an issue a checklist in its field, which the server takes over at the first look at it. */
async function begin(site: Site, issue: string): Promise<void> {
  const { url, field } = await issueOf(site, mia, issue);
  expect((await mia.request.put(url, { data: { fields: { [field]: START } } })).status()).toBe(204);
  expect((await storedChecklist(site.programs, mia, issue)).text).toBe(START);
}

/** Like `expect.poll`, which knows no test of those that run at once. */
const eventually = (value: () => Promise<unknown>, expected: unknown): Promise<void> =>
  vi.waitFor(async () => expect(await value()).toEqual(expected), { timeout: WAIT_TIMEOUT, interval: 100 });

/** Resolves when both copies of an issue's checklist are that text. */
const isWritten = (site: Site, page: Page, issue: string, text: string): Promise<void> =>
  eventually(async () => (await issueOf(site, page, issue)).copies, [text, text]);

const isKept = ({ programs }: Site, page: Page, issue: string, text: string): Promise<void> =>
  eventually(async () => (await storedChecklist(programs, page, issue)).text, text);

const sum = (spent: Spent) => Object.values(spent).reduce((all, points) => all + points, 0);

/**
 * Does something for each, `every` so many milliseconds. Resolves with the points that a machine may cost which did not
 * keep the pace: two seconds more between two changes are the least after which a copy is written once more.
 */
async function paced<T>(all: readonly T[], every: number, act: (each: T) => Promise<void>): Promise<number> {
  const begun = performance.now();
  for (const [index, each] of all.entries()) {
    await pause(Math.max(0, begun + index * every - performance.now()));
    await act(each);
  }
  const late = performance.now() - begun - (all.length - 1) * every;
  return Math.floor(Math.max(0, late) / 2_000);
}

/** A person looks at a new issue and at known ones, and another person does for a minute; resolves with the points. */
async function lookAround(): Promise<number> {
  const [emma, victor] = await Promise.all([here.visitor(people.editor), here.visitor(people.viewer)]);
  await here.open(emma, 'WEB-6');
  await input(emma).waitFor();
  await victor.clock.install();
  await Promise.all([emma.reload(), here.open(victor, 'WEB-6')]);
  await Promise.all([emma, victor].map(page => box(page, 'Tell support').waitFor()));
  await victor.clock.runFor(60_000);
  expect(await box(victor, 'Tell support').isVisible()).toBe(true);
  await leave(victor);
  const others = ['WEB-2', 'WEB-3', 'WEB-4', 'WEB-5', 'WEB-7', 'WEB-8', 'HELP-1', 'HELP-2'];
  for (const issue of others) await storedChecklist(here.programs, emma, issue);
  for (const issue of ['WEB-1', 'WEB-6', ...others]) {
    await here.open(emma, issue);
    await input(emma).waitFor();
  }
  await leave(emma);
  return NEW * (1 + others.length);
}

/** A person ticks five items while another one looks; resolves with the most points. */
async function tickFive(): Promise<number> {
  const pages = await Promise.all([here.visitor(people.editor), here.visitor(people.viewer)]);
  const [emma] = pages;
  await Promise.all(pages.map(page => here.open(page, 'WEB-1')));
  await Promise.all(pages.map(page => box(page, 'one').waitFor()));
  const slow = await paced(FIVE, 3_000, name => box(emma, name).check());
  await isKept(here, emma, 'WEB-1', ticked(FIVE));
  await Promise.all(pages.map(leave));
  await isWritten(here, emma, 'WEB-1', ticked(FIVE));
  return 5 + slow;
}

/** A person adds seven items; resolves with the most points. */
async function addSeven(): Promise<number> {
  const emma = await there.visitor(people.editor);
  await there.open(emma, 'WEB-1');
  const slow = await paced(SEVEN, 1_000, async name => {
    await input(emma).fill(`more ${name}`);
    await input(emma).press('Enter');
  });
  const text = [START, ...SEVEN.map(name => `- more ${name}`)].join('\n');
  await isKept(there, emma, 'WEB-1', text);
  await leave(emma);
  await isWritten(there, emma, 'WEB-1', text);
  return 4 + slow;
}

const KEPT = ['WEB-2', 'WEB-3', 'WEB-4'];
/** Gives issues checklists whose copies are known from their last write. */
async function prepare(): Promise<void> {
  for (const issue of KEPT) await writeChecklist(there.programs, mia, issue, START);
  for (const issue of KEPT) await isWritten(there, mia, issue, START);
}

async function tickOne(): Promise<void> {
  const emma = await there.visitor(people.editor);
  await there.open(emma, 'WEB-2');
  await box(emma, 'three').check();
  await isWritten(there, emma, 'WEB-2', ticked(['three']));
}

/** Milliseconds between the first and the last of an issue's newest versions, as the server has them. */
async function spanOf({ programs }: Site, page: Page, issue: string, versions: number): Promise<number> {
  const { id } = await storedChecklist(programs, page, issue);
  const document =
    'query ($id: ID!, $first: Int) { checklistHistory(issueId: $id, first: $first) { entries { created } } }';
  const token = await session(programs, page, issue);
  const { data } = await graphql(programs, page, token, document, { id, first: versions });
  const times = z.array(z.object({ created: z.iso.datetime() })).parse(data.checklistHistory.entries);
  const [first, last] = [times.at(-1), times[0]].map(entry => Date.parse(entry?.created ?? ''));
  return Number(last) - Number(first);
}

/** Resolves with how often at most the property is written again, where its first write waited no longer for the last one. */
async function tickFiveAtOnce(): Promise<number> {
  const emma = await there.visitor(people.editor);
  await there.open(emma, 'WEB-3');
  await box(emma, 'eight').waitFor();
  await panel(emma)
    .getByRole('checkbox')
    .evaluateAll(boxes => {
      for (const each of boxes.slice(0, 5)) if (each instanceof HTMLElement) each.click();
    });
  await isWritten(there, emma, 'WEB-3', ticked(FIVE));
  return (await spanOf(there, emma, 'WEB-3', FIVE.length)) < 1_000 ? 0 : 1;
}

async function saveText(): Promise<void> {
  const emma = await there.visitor(people.editor);
  const text = await there.openEditor(emma, 'WEB-4');
  await text.press('Control+End');
  await emma.keyboard.insertText('\n- nine');
  await emma.keyboard.press('Control+s');
  await isWritten(there, emma, 'WEB-4', `${START}\n- nine`);
}

// What needs its real seconds goes on at two sites at once, whose points the tracker counts apart.

test.concurrent('to look costs what a new issue does, and five ticks three seconds apart at most five', async () => {
  const spent = await spentSince(here);
  const [looked, most] = await Promise.all([lookAround(), tickFive()]);
  await atRest();
  const { person, ...copies } = await spent();
  expect(person).toBe(looked + FIRST_CHANGE);
  expect(sum(copies)).toBeLessThanOrEqual(most);
});

test.concurrent('seven items cost at most four, and a tick, five at once and a saved text two each', async () => {
  const spentOnItems = await spentSince(there);
  const [most] = await Promise.all([addSeven(), prepare()]);
  await atRest();
  const { person: added, ...items } = await spentOnItems();
  expect(added).toBe(FIRST_CHANGE + KEPT.length * (NEW + FIRST_CHANGE));
  expect(sum(items) - KEPT.length * WRITTEN).toBeLessThanOrEqual(most);

  const spent = await spentSince(there);
  const [slow] = await Promise.all([tickFiveAtOnce(), tickOne(), saveText()]);
  await atRest();
  const { property = 0, ...others } = await spent();
  expect(others).toEqual({ person: KEPT.length * FIRST_CHANGE, field: KEPT.length });
  expect(property - KEPT.length).toBeGreaterThanOrEqual(0);
  expect(property - KEPT.length).toBeLessThanOrEqual(slow);
});
