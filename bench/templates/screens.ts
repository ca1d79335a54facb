import type { Frame, FrameLocator, Locator, Page } from 'playwright-core';
import { graphql, session } from '../../test/browser/api.ts';
import { frameOf } from '../../test/browser/axe.ts';
import { people, type Site, startSite } from '../../test/browser/site.ts';
import { amount, compare, isSmoke } from '../comparison.ts';
import { table, timesOf } from '../measure.ts';
import { plainCode } from '../plain.ts';
import { type Seen, scrollThrough, watch } from './in-page.ts';
import { administrator, fill, STATUSES_IN_ALL, statusName, TEMPLATES, templateName } from './site.ts';

/** Without the display's clock: a frame begins when there is something to show, so that times are of the work itself. */
const unpaced = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

const LOADS = amount(5);
const MOVES = amount(10);
const DRAGS = amount(5);
const STEPS = amount(20);
const WORDS = isSmoke ? 'r' : 'release of part 1';
/** Milliseconds after each key: long enough for the search that it begins. */
const PAUSE = amount(500, 100);
/** Pixels of the page that one frame scrolls by. */
const STEP = 600;
/** The figures to reach: a key's median, and the longest task. */
const [KEY, TASK] = [16, 50];

const ms = (time: number) => `${time.toFixed(1)} ms`;
const pause = () => new Promise(resolve => setTimeout(resolve, PAUSE));

interface Line {
  cells: string[];
  reached: boolean;
}

function line(
  name: string,
  times: readonly number[],
  { tasks, busy }: Pick<Taken, 'tasks' | 'busy'>,
  most = Number.POSITIVE_INFINITY,
): Line {
  const { median, p95 } = timesOf(times);
  const longest = Math.max(0, ...tasks);
  const each = busy / Math.max(1, times.length);
  if (!name.startsWith('plain')) {
    const limit = { beside: 'the limit', unit: 'ms', goal: 1 } as const;
    if (most !== Number.POSITIVE_INFINITY) compare({ what: name, ours: median, other: most, ...limit });
    compare({ what: `${name}, longest task`, ours: longest, other: TASK, ...limit });
  }
  return {
    cells: [
      name,
      String(times.length),
      ms(median),
      ms(p95),
      each === 0 ? '' : ms(each),
      longest === 0 ? `≤ ${TASK} ms` : ms(longest),
    ],
    reached: median <= most && longest <= TASK,
  };
}

/** A frame's measurements, and the milliseconds its main thread was busy. */
type Taken = Seen & { busy: number };

const busy = new WeakMap<Frame, () => Promise<number>>();

/** Reads the processor time of a frame's main thread, which other programs hardly affect. */
async function busyOf(frame: Frame): Promise<() => Promise<number>> {
  const context = frame.page().context();
  // A frame of the page's own process has no session of its own.
  const session = await context.newCDPSession(frame).catch(() => context.newCDPSession(frame.page()));
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
  };
}

const last = new WeakMap<Frame, number>();

/** The measurements since the last reading. */
async function take(frame: Frame): Promise<Taken> {
  const read = busy.get(frame) ?? (await busyOf(frame));
  busy.set(frame, read);
  const now = await read();
  const before = last.get(frame) ?? 0;
  last.set(frame, now);
  const seen = await frame.evaluate(() => (window as unknown as { take(): Seen }).take());
  // A new document counts from zero.
  return { ...seen, busy: now < before ? now : now - before };
}

const sumOf = (taken: readonly Taken[]): Pick<Taken, 'tasks' | 'busy'> => ({
  tasks: taken.flatMap(({ tasks }) => tasks),
  busy: taken.reduce((sum, { busy }) => sum + busy, 0),
});

/** A list in a page: its frame, and where input goes. */
interface ListPage {
  frame: Frame;
  inside: FrameLocator | Page;
  page: Page;
}

async function searching({ frame, inside, page }: ListPage, name: string): Promise<Line> {
  await inside.locator('input:not([type=file])').first().click();
  await pause();
  await take(frame);
  for (const key of [...WORDS, ...Array.from(WORDS, () => 'Backspace')]) {
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    await pause();
  }
  const taken = await take(frame);
  return line(`${name}: a key of search`, taken.keys, taken, KEY);
}

async function scrolling({ frame }: ListPage, name: string): Promise<Line> {
  await frame.evaluate(scrollThrough, STEP);
  await take(frame);
  const times = await frame.evaluate(scrollThrough, STEP);
  return line(`${name}: a frame of scrolling`, times, await take(frame), KEY);
}

/** The drag handle of a status, by its name. Queries by role would cost the page more than its own work. */
const handle = ({ inside }: ListPage, index: number): Locator =>
  inside.locator(`button[aria-label^="Move ${statusName(index)}"]`);

/** Presses a button without waiting in the page, which would keep it busy. */
async function press({ frame }: Pick<ListPage, 'frame'>, words: string): Promise<boolean> {
  const pressed = await frame.evaluate(words => {
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === words);
    button?.click();
    return button !== undefined;
  }, words);
  await pause();
  return pressed;
}

async function moving(place: ListPage, name: string): Promise<Line[]> {
  const { frame, page } = place;
  await handle(place, STATUSES_IN_ALL - 1).focus();
  await take(frame);
  for (let count = 0; count < MOVES; count++) {
    await page.keyboard.press('ArrowUp');
    await pause();
  }
  const moved = await take(frame);
  for (let count = 0; count < DRAGS; count++) {
    const target = handle(place, 150 + count);
    await handle(place, 156 + count).dragTo(target, { targetPosition: { x: 8, y: 1 } });
    await pause();
  }
  const dropped = await take(frame);
  return [
    line(`${name}: moved by a key`, moved.keys, moved, KEY),
    line(`${name}: moved by a drop`, dropped.drops, dropped),
  ];
}

/** Moves down a tree with the keyboard. */
async function walking({ frame, inside, page }: ListPage, name: string): Promise<Line> {
  await inside.locator('[role=treeitem]').first().focus();
  await take(frame);
  for (let count = 0; count < STEPS; count++) {
    await page.keyboard.press('ArrowDown');
    await pause();
  }
  const taken = await take(frame);
  return line(`${name}: an arrow key`, taken.keys, taken, KEY);
}

const TREE = 'tree of 1,000 templates';
const MANAGER = '1,000 templates';
const STATUSES = '200 statuses';

async function ours(site: Site, page: Page): Promise<Line[]> {
  const inside = page.frameLocator('main iframe');
  const firsts: Record<'templates' | 'statuses', Taken[]> = { templates: [], statuses: [] };
  const open = async (): Promise<ListPage> => {
    await page.goto(`${site.programs.tracker.url}/admin/site-settings`);
    const last = inside.locator(`li:nth-child(${STATUSES_IN_ALL})`);
    await last.waitFor();
    await pause();
    return { page, inside, frame: await frameOf(last) };
  };
  let place = await open();
  for (let load = 0; load < LOADS; load++) {
    place = await open();
    firsts.statuses.push(await take(place.frame));
    await press(place, 'Manage templates');
    await inside.locator('li').first().waitFor();
    await pause();
    firsts.templates.push(await take(place.frame));
  }
  const first = (name: string, seen: readonly Taken[]) =>
    line(
      `${name}: first rows`,
      seen.flatMap(({ lists }) => lists.slice(0, 1)),
      sumOf(seen),
    );
  const lines = [first(MANAGER, firsts.templates), await searching(place, `${MANAGER}, one page shown`)];
  await take(place.frame);
  while (await press(place, 'Show more'));
  const paged = await take(place.frame);
  lines.push(line(`${MANAGER}: show more`, paged.lists, paged));
  lines.push(await searching(place, `${MANAGER}, all shown`));
  lines.push(await scrolling(place, `${MANAGER}, all shown`));
  lines.push(first(STATUSES, firsts.statuses));
  place = await open();
  lines.push(...(await moving(place, STATUSES)));
  await page.goto(`${site.programs.tracker.url}/plugins/smart-templates-editor`);
  const last = inside.locator(`[role=treeitem]:nth-child(${TEMPLATES})`);
  await last.waitFor();
  await pause();
  place = { page, inside, frame: await frameOf(last) };
  await take(place.frame);
  lines.push(await searching(place, TREE), await walking(place, TREE));
  return lines;
}

async function plain(page: Page): Promise<Line[]> {
  const code = await plainCode('templates/plain.tsx');
  const names = {
    templates: Array.from({ length: TEMPLATES }, (_, index) => templateName(index)),
    statuses: Array.from({ length: STATUSES_IN_ALL }, (_, index) => statusName(index)),
  };
  const place = { page, inside: page, frame: page.mainFrame() };
  const lines: Line[] = [];
  for (const [what, name] of [
    ['templates', 'plain list, 1,000 templates'],
    ['statuses', 'plain list, 200 statuses'],
  ] as const) {
    const seen: Taken[] = [];
    for (let load = 0; load < LOADS; load++) {
      await page.goto('about:blank');
      await page.evaluate(code);
      await page.evaluate(
        ([what, names]) => {
          const { came, show } = window as unknown as { came(): void; show(what: string, names: string[]): void };
          came();
          show(what, names);
        },
        [what, names[what]] as const,
      );
      await pause();
      seen.push(await take(place.frame));
    }
    const lists = seen.flatMap(each => each.lists);
    lines.push(line(`${name}: first rows`, lists, sumOf(seen)));
    if (what === 'statuses') lines.push(...(await moving(place, name)));
    else lines.push(await searching(place, name), await scrolling(place, name));
  }
  return lines;
}

/** Measures the built screens in a browser around the local tracker, and prints a table. */
export async function screens(): Promise<void> {
  const site = await startSite({ flags: unpaced });
  try {
    const page = await site.visitor(people.admin);
    const token = await session(site.programs, page, 'WEB-1');
    await fill(
      administrator(async (query, variables) => {
        const { data, errors } = await graphql(site.programs, page, token, query, variables as object);
        if (!data || errors) throw new Error(JSON.stringify(errors));
        return data;
      }),
    );
    // The compiler of this file names functions by a helper that pages do not have.
    await page.context().addInitScript('globalThis.__name = given => given');
    await page.context().addInitScript(watch);
    const lines = [...(await ours(site, page)), ...(await plain(await page.context().newPage()))];
    const head = ['screen', 'times', 'median', 'p95', 'processor', 'longest task'];
    process.stdout.write(
      'Screens in a real browser, frames as fast as they come. First rows: from the answer to the painted rows; keys and ' +
        `drops: to the painted change. Processor: time of the frame’s main thread for each, all that follows included.\n\n${table(
          head,
          lines.map(({ cells }) => cells),
        )}\n\n`,
    );
    const missed = lines.filter(({ reached, cells }) => !reached && !cells[0]?.startsWith('plain'));
    process.stdout.write(
      `To reach: a key's and a scrolled frame's median ≤ ${KEY} ms, no task over ${TASK} ms: ` +
        `${missed.length === 0 ? 'yes' : `no (${missed.map(({ cells }) => cells[0]).join('; ')})`}.\n`,
    );
  } finally {
    await site.stop();
  }
}
