import type { Frame, Page } from 'playwright-core';
import { storageKey } from '../../src/domain/storage.ts';
import { people, startSite } from '../../test/browser/site.ts';
import { timesOf } from '../measure.ts';
import { plainCode } from '../plain.ts';
import { ms } from '../server/figures.ts';
import { click, scroll, type, watch } from './in-page.ts';
import { frameOf, seenIn } from './screen.ts';

/** An epic, its stories, and the sub-tasks of each: 501 issues with ten items each. */
const PARENTS = 25;
const SUBTASKS = 19;
const items = Array.from({ length: 10 }, (_, index) => `Step ${index + 1} of the plan`);

interface Made {
  id: string;
  parent: string | undefined;
  name: string;
}

async function fill(url: string, page: Page): Promise<Made[]> {
  const made: Made[] = [];
  const make = async (kind: string, name: string, parent?: string): Promise<string> => {
    const fields = {
      project: { key: 'WEB' },
      issuetype: { name: kind },
      summary: name,
      ...(parent && { parent: { key: parent } }),
    };
    const properties = [{ key: storageKey('checklist'), value: items.map(item => `- ${item}`).join('\n') }];
    const answer = await page.request.post(`${url}/rest/api/2/issue`, { data: { fields, properties } });
    const { key } = await answer.json();
    made.push({ id: key, parent, name });
    return key;
  };
  const top = await make('Epic', 'Everything');
  for (let story = 1; story <= PARENTS; story++) {
    const key = await make('Story', `Story ${story} of the plan`, top);
    const parts = Array.from({ length: SUBTASKS }, (_, part) => `Part ${part + 1} of story ${story}`);
    await Promise.all(parts.map(name => make('Sub-task', name, key)));
  }
  return made;
}

const OPENS = 20;
const WORDS = 'part 7 of';

/** Measures a page with a tree: clicks, typing and scrolling have the same names in both. */
async function measured(frame: Frame, name: string, field: string, scroller: string): Promise<string[][]> {
  const line = (what: string, times: readonly number[]) => {
    const { median, p95 } = timesOf(times);
    return [`${name}: ${what}`, ms(median), ms(p95)];
  };
  const branch = await frame.evaluate(click, { what: '.tree-row:nth-of-type(2) .tree-toggle', times: OPENS });
  const checklist = await frame.evaluate(click, { what: '.tree-row:nth-of-type(3) .tree-work', times: OPENS });
  const keys = await frame.evaluate(type, { field, text: WORDS });
  await frame.evaluate(type, { field, text: ' ' });
  const steps = await frame.evaluate(scroll, { of: scroller, steps: 30 });
  const there = await frame.locator('.tree-row').count();
  return [
    line('a branch opened or closed', branch),
    line('a checklist opened or closed', checklist),
    line('letter of a search, from key to paint', keys),
    line(`600 pixels further, ${there} rows in the page`, steps),
  ];
}

/** A tree of 500 issues in a real browser, and a plain React list of the same: lines of a table. */
export async function treeLines(): Promise<string[][]> {
  const site = await startSite();
  try {
    const page = await site.visitor(people.projectAdmin);
    const { url } = site.programs.tracker;
    const made = await fill(url, page);
    await page.context().addInitScript(watch);
    const [firsts, wholes]: [number[], number[]] = [[], []];
    for (let round = 0; round < 5; round++) {
      await page.goto(`${url}/plugins/smart-hierarchy?issueKey=${made[0]?.id}&projectKey=WEB`);
      await page
        .frameLocator('main iframe')
        .getByText(/501 issues, .* items done/)
        .waitFor({ timeout: 60_000 });
      const frame = await frameOf(page);
      firsts.push((await seenIn(frame)).painted);
      wholes.push(await frame.evaluate(() => performance.now()));
    }
    const frame = await frameOf(page);
    await page.frameLocator('main iframe').getByRole('button', { name: 'Expand all' }).click();
    const ours = await measured(frame, 'ours', '.tree-filters input', '.tree');
    const { long, longest } = await seenIn(frame);
    const [first, whole] = [timesOf(firsts), timesOf(wholes)];

    const other = await page.context().newPage();
    await other.goto('about:blank');
    await other.evaluate(await plainCode('views/plain.tsx'));
    const shown = await other.evaluate(
      all => {
        const from = performance.now();
        (window as unknown as { show(all: unknown): void }).show(all);
        return new Promise<number>(resolve =>
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from))),
        );
      },
      made.map(issue => ({ ...issue, items })),
    );
    const plain = await measured(other.mainFrame(), 'plain list', '.search', 'body, html');
    return [
      ['ours: first rows painted, from the start of the frame', ms(first.median), ms(first.p95)],
      ['ours: whole tree and all figures', ms(whole.median), ms(whole.p95)],
      ...ours,
      [`ours: tasks of 50 ms and more in all: ${long}`, 'longest', ms(longest)],
      ['plain list: painted, what it shows given', ms(shown), ''],
      ...plain,
    ];
  } finally {
    await site.stop();
  }
}
