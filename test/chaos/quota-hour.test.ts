import { randomUUID } from 'node:crypto';
import { afterEach, expect, inject, test, vi } from 'vitest';
import type { Tracker, TrackerSite } from '../../src/tracker/app.ts';
import { editor, siteAdmin } from '../../src/tracker/site/people.ts';
import { isAtRest, ledgerOf } from '../browser/ledger.ts';
import { type Programs, startPrograms } from '../browser/programs.ts';
import { full } from '../run/seed.ts';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';
import { createDatabase } from '../server/support/postgres.ts';
import { createSession, type Session, type View } from './addon.ts';
import { settled } from './checks.ts';
import { copiesOf, pause } from './site.ts';

/** The built server when an hour's points are used up: at a tracker with short hours, or by another site. */

let programs: Programs;
let tracker: Tracker;
afterEach(() => programs.stop());

async function start(env: Record<string, string> = {}): Promise<void> {
  await fromFullHour();
  const database = full
    ? {}
    : { createDatabase: () => createDatabase(inject('postgres'), { template: inject('template') }) };
  programs = await startPrograms({
    ...database,
    env,
    withSecondSite: true,
    onTracker(started) {
      tracker = started;
    },
  });
}

const HOUR = 3_600_000;
/** The maximum number of milliseconds of a test: the tracker's real hours are the server's own, by which it counts. */
const LONGEST = 90_000;
/** Resolves at once, unless a full hour is near. */
async function fromFullHour(): Promise<void> {
  const left = HOUR - (Date.now() % HOUR);
  if (left < LONGEST) await pause(left);
}

const limit = (points: number, seconds: number) =>
  tracker.app.inject({ method: 'PUT', url: '/host/quota', payload: { limit: { points, seconds, beta: false } } });

/** Seconds of an hour that has just begun: hours follow each other from 1970 on. */
function shortHour(): number {
  const second = Math.floor(Date.now() / 1000);
  const [shortest = 20] = Array.from({ length: 11 }, (_, index) => 20 + index).sort(
    (a, b) => (second % a) - (second % b),
  );
  return shortest;
}

const ISSUES = ['10001', '10002', '10003', '10004', '10005', '10006'];

type Ledger = Awaited<ReturnType<typeof ledgerOf>>['ledger'];

const nothing = { epoch: '', seq: 0, hash: '' };

/** Adds items to checklists as one user. */
function addingAt(trackerUrl: string, account: string) {
  const session = createSession({ trackerUrl }, account);
  const texts = new Map<string, View>();
  const { url } = programs.addon;
  return {
    /** Rejects unless the item is acknowledged. */
    async add(issueId: string, text: string): Promise<void> {
      const { epoch, seq, hash } = texts.get(issueId) ?? (await session.read(issueId, url)) ?? nothing;
      const change = { kind: 'addChecklistItemsFromText', text };
      const input = { issueId, clientId: randomUUID(), base: { epoch, seq, hash }, change };
      const outcome = await session.send(input, url);
      if (outcome.kind !== 'done') throw new Error(`${issueId}: ${JSON.stringify(outcome)}`);
      texts.set(issueId, outcome.view);
    },
    /** The text of the server's last acknowledgement. */
    textOf: (issue: string) => settled(texts.get(issue)?.text ?? ''),
    read: async (issue: string) => settled((await session.read(issue, url))?.text ?? ''),
  };
}

/** Both copies of an issue's checklist at a site. */
const copiesAt = async (site: TrackerSite, issue: string) => {
  const { property, field } = await copiesOf(site, issue);
  return [property, field].map(settled);
};

const sum = (ledger: Ledger, count: 'points' | 'refused', site: string): number =>
  ledger.filter(line => line.site === site).reduce((all, line) => all + line[count], 0);
const sumOf = async (count: 'points' | 'refused', site: string): Promise<number> =>
  sum((await ledgerOf(tracker)).ledger, count, site);

/** Points left when the short hour begins: fewer than the first writes take. */
const LEFT = 3;
/** Milliseconds without a change after which the field is due as well. */
const QUIET = 6_000;
/** Calls of one site that can be in flight when its points end: its jobs, and one that a user waits for. */
const ON_THEIR_WAY = 5;

test('no call once the points have ended, every change is accepted, and the next hour makes the copies right', async () => {
  await start();
  const { url } = programs.tracker;
  const emma = addingAt(url, editor.accountId);
  for (const issue of ISSUES) await emma.add(issue, 'before');
  await isAtRest(programs, tracker);

  const seconds = shortHour();
  await limit((await sumOf('points', url)) + LEFT, seconds);
  let items = 0;
  const addToAll = async () => {
    items += 1;
    for (const issue of ISSUES) await emma.add(issue, `item ${items}`);
  };
  for (; (await sumOf('refused', url)) === 0; await pause(100)) await addToAll();
  const { ends } = await ledgerOf(tracker);
  const end = Date.parse(ends ?? '');
  for (; Date.now() < end - QUIET; await pause(300)) await addToAll();
  for (const issue of ISSUES) {
    expect(await emma.read(issue)).toBe(emma.textOf(issue));
    expect(emma.textOf(issue)).toContain(`- item ${items}`);
    expect((await copiesAt(tracker, issue))[0]).not.toBe(emma.textOf(issue));
  }
  let [refused, next] = [0, ends];
  for (; next === ends; await pause(50)) {
    const { ends: now, ledger } = await ledgerOf(tracker);
    if (now === ends) refused = sum(ledger, 'refused', url);
    next = now;
  }
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThanOrEqual(ON_THEIR_WAY);

  const areRight = async () => {
    for (const issue of ISSUES) {
      const text = emma.textOf(issue);
      expect(await copiesAt(tracker, issue)).toEqual([text, text]);
    }
  };
  await vi.waitFor(areRight, { timeout: WAIT_TIMEOUT, interval: 100 });
  expect(Date.parse((await ledgerOf(tracker)).ends ?? '')).toBe(end + seconds * 1_000);
});

/** Points of an hour, as few as the server assumes. */
const POOL = 6_500;
/** Concurrent requests, and permission checks of each: their answers are not cached. */
const WIDTH = 4;
const ASKED = Array.from({ length: 5 }, (_, index) => `j${index}: jobs(scope: {}) { state }`).join(' ');

test('a second site is served while the first spends all it can', async () => {
  await start({ QUOTA_POINTS: String(POOL) });
  const second = tracker.second;
  const secondUrl = programs.secondSite ?? '';
  if (!second) throw new Error('There is no second site.');
  await limit(POOL, 3_600);
  const emma = addingAt(secondUrl, editor.accountId);
  const addToAll = async (item: string) => {
    for (const issue of ISSUES) await emma.add(issue, item);
  };
  const areWritten = async () => {
    const properties = () => Promise.all(ISSUES.map(async issue => (await copiesAt(second, issue))[0]));
    await expect.poll(properties).toEqual(ISSUES.map(emma.textOf));
  };
  await addToAll('before');
  await areWritten();

  // Each with a token of its own, of another second: a token is good for 600 requests a minute.
  const spenders = Array.from({ length: WIDTH + 1 }, () =>
    createSession({ trackerUrl: programs.tracker.url }, siteAdmin.accountId),
  );
  /** Of a request within the limits of requests and the site's share of the process, which are not those of points. */
  const answerTo = async (spender: Session | undefined) => {
    for (;;) {
      const answer = await spender?.ask(programs.addon.url, `{ ${ASKED} }`);
      if (answer !== 'status 429') return answer;
      await pause(500);
    }
  };
  for (const spender of spenders) {
    expect(await answerTo(spender)).toBeTypeOf('object');
    await pause(1_000);
  }
  const [last, ...others] = spenders;
  const spendAll = async (spender: Session) => {
    while (typeof (await answerTo(spender)) === 'object');
  };
  await Promise.all([...others.map(spendAll), addToAll('meanwhile')]);
  const first = await sumOf('points', programs.tracker.url);
  // For want of points.
  expect(await answerTo(last)).toMatch(/^error /);
  // It may spend until half of the points are used, by whichever site: the second one has used some meanwhile.
  expect(first + (await sumOf('points', secondUrl))).toBeGreaterThan(POOL / 2);
  await addToAll('afterwards');
  await areWritten();
  expect(await sumOf('points', programs.tracker.url)).toBe(first);
  expect((await sumOf('refused', programs.tracker.url)) + (await sumOf('refused', secondUrl))).toBe(0);
});
