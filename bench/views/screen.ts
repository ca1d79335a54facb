import type { Frame, Page } from 'playwright-core';
import { people as accounts } from '../../src/tracker/site/people.ts';
import { sendChange, session } from '../../test/browser/api.ts';
import { people, startSite } from '../../test/browser/site.ts';
import { timesOf } from '../measure.ts';
import { ms } from '../server/figures.ts';
import { scroll, type, watch } from './in-page.ts';
import { ITEMS } from './site.ts';

/** Items of a checklist: as many as the tracker's property has room for, with room to spare. */
const EACH = 250;
const words = ['release', 'audit', 'launch', 'review'];

/** Creates 10,000 items assigned to the visitor, on issues of their own. */
async function fill(url: string, page: Page, programs: Parameters<typeof session>[0]): Promise<void> {
  const mine = `[~accountid:${accounts.find(({ displayName }) => displayName === people.editor)?.accountId}]`;
  for (let from = 0; from < ITEMS; from += EACH) {
    const fields = { project: { key: 'WEB' }, issuetype: { id: '10002' }, summary: `Part ${from / EACH} of the plan` };
    const made = await (await page.request.post(`${url}/rest/api/2/issue`, { data: { fields } })).json();
    const lines = Array.from({ length: EACH }, (_, index) => {
      const day = index % 2 === 0 ? ` 2030-01-${String(1 + (index % 28)).padStart(2, '0')}` : '';
      return `- Step ${from + index} of the ${words[index % 4]} ${mine}${day}`;
    });
    const token = await session(programs, page, made.key);
    const base = { epoch: '', seq: 0, hash: '-', text: '' };
    const change = { kind: 'updateChecklistFromText', text: lines.join('\n') } as const;
    const { errors } = await sendChange(programs, page, token, { issueId: made.id, base, change });
    const [error] = errors;
    if (error) throw new Error(error.message);
  }
}

export interface Seen {
  painted: number;
  long: number;
  longest: number;
}

export const seenIn = (frame: Frame) => frame.evaluate(() => (window as unknown as { seen: Seen }).seen);

export async function frameOf(page: Page): Promise<Frame> {
  const frame = await (await page.frameLocator('main iframe').locator('body').elementHandle())?.ownerFrame();
  if (!frame) throw new Error('The page is not there.');
  return frame;
}

/** The page of 10,000 items in a real browser: lines of a table. */
export async function screenLines(): Promise<string[][]> {
  const site = await startSite();
  try {
    const page = await site.visitor(people.editor);
    const { url } = site.programs.tracker;
    await fill(url, page, site.programs);
    await page.context().addInitScript(watch);
    const firsts: number[] = [];
    const rows = page.frameLocator('main iframe').locator('li[data-key]');
    for (let round = 0; round < 5; round++) {
      await page.goto(`${url}/plugins/assigned-items`);
      await rows.nth(20).waitFor();
      await page
        .frameLocator('main iframe')
        .getByText(/open items/)
        .waitFor();
      firsts.push((await seenIn(await frameOf(page))).painted);
    }
    const frame = await frameOf(page);
    const keys = timesOf(await frame.evaluate(type, { field: '.assigned-filters input', text: 'audit' }));
    await page.frameLocator('main iframe').getByRole('textbox', { name: 'Search' }).fill('');
    await rows.nth(90).waitFor({ state: 'attached' });
    const steps = timesOf(await frame.evaluate(scroll, { of: 'body, html', steps: 200 }));
    const there = await rows.count();
    const last = Number(await rows.last().getAttribute('data-key'));
    const { long, longest } = await seenIn(frame);
    const first = timesOf(firsts);
    return [
      ['first rows painted, from the start of the frame', ms(first.median), ms(first.p95)],
      ['letter of a search, from key to paint', ms(keys.median), ms(keys.p95)],
      [`600 pixels further, down to item ${last + 1}`, ms(steps.median), ms(steps.p95)],
      [`rows in the page there: ${there}; tasks of 50 ms and more in all: ${long}`, 'longest', ms(longest)],
    ];
  } finally {
    await site.stop();
  }
}
