import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Frame, Page } from 'playwright-core';
import { panel, people, type Site, startSite } from '../test/browser/site.ts';
import { amount, compare, isSmoke, numberIn } from './comparison.ts';
import { table, timesOf } from './measure.ts';
import { tick, watch } from './panel/in-page.ts';
import { slowLoadLine } from './panel/slow-load.ts';
import { plainCode } from './plain.ts';

/*
 * The issue panel as built, in a real browser around the local tracker: its size, its first rows, one tick, and how many
 * rows React renders for that, beside a plain React list of the same rows in the same run. `npm run bench:panel`
 */

const sizes = isSmoke ? [20, 30] : [20, 100, 500];
const TICKS = amount(9);
const ROUNDS = amount(5);
/** The one of 100 rows. */
const SLOW_ISSUE = 'WEB-2';
const ISSUES = ['WEB-1', SLOW_ISSUE, 'WEB-3'];
const client = join(import.meta.dirname, '../dist/client');

/** Chunks that the panel loads later (src/ui/chunks.ts). */
const parts = ['panel-tools', 'changes', 'panel-menus', 'editor', 'help'];

const ms = (time: number) => `${time.toFixed(1)} ms`;

const lines = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    i % 25 === 0 ? `# Part ${i / 25 + 1}` : `- Step ${i}: check **totals** 2030-01-0${1 + (i % 9)}`,
  );

/** Bytes after gzip of the scripts that a chunk needs, and of how many files. */
async function sizeOf(names: readonly string[]): Promise<[files: number, bytes: number]> {
  const manifest: Record<string, { file: string; name?: string; imports?: string[] }> = JSON.parse(
    await readFile(join(client, '.vite/manifest.json'), 'utf8'),
  );
  const files = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (!chunk || files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(visit);
  };
  for (const [key, { name = '' }] of Object.entries(manifest))
    if (names.includes(key) || names.includes(name)) visit(key);
  const code = await Promise.all([...files].map(file => readFile(join(client, file))));
  return [files.size, code.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0)];
}

async function printSizes(): Promise<void> {
  const first = ['index.html', 'screens/panel/panel.tsx'];
  const [count, bytes] = await sizeOf(first);
  compare({ what: 'first load', ours: bytes, beside: 'the limit', other: 120_000, unit: 'bytes', goal: 1 });
  const rows = [['first load', String(count), String(bytes)]];
  for (const part of parts) {
    const [files, more] = await sizeOf([...first, part]);
    rows.push([`+ ${part}`, String(files - count), String(more - bytes)]);
  }
  process.stdout.write(`${table(['JavaScript of the panel', 'files', 'bytes, gzip'], rows)}\n\n`);
}

async function frameOf(page: Page): Promise<Frame> {
  const frame = await (await panel(page).locator('body').elementHandle())?.ownerFrame();
  if (!frame) throw new Error('The panel is not there.');
  return frame;
}

/** The measurements of a frame, recorded by `watch`. */
const seenIn = (frame: Frame) =>
  frame.evaluate(() => (window as unknown as { seen: Record<'answered' | 'shown' | 'painted' | 'rows', number> }).seen);

async function panelLine(site: Site, page: Page, issue: string, count: number): Promise<string[]> {
  await site.open(page, issue);
  const input = panel(page).getByRole('textbox', { name: 'Add an item' });
  await input.fill(lines(count).join('\n'));
  await input.press('Enter');
  await panel(page)
    .locator('li[data-key]')
    .nth(count - 1)
    .waitFor();
  await panel(page).getByText('Saving…').waitFor({ state: 'detached' });
  const firsts: { shown: number; painted: number }[] = [];
  for (let round = 0; round < 3; round++) {
    await page.reload();
    await panel(page).getByRole('textbox', { name: 'Add an item' }).waitFor();
    const { answered, shown, painted } = await seenIn(await frameOf(page));
    firsts.push({ shown: shown - answered, painted: painted - answered });
  }
  const frame = await frameOf(page);
  // What follows the first rows is loaded.
  await panel(page).getByRole('button', { name: 'Filter' }).waitFor();
  await frame.evaluate(tick, 3);
  const before = (await seenIn(frame)).rows;
  const times = timesOf(await frame.evaluate(tick, TICKS));
  const rows = ((await seenIn(frame)).rows - before) / TICKS;
  const [shown, painted] = [timesOf(firsts.map(each => each.shown)), timesOf(firsts.map(each => each.painted))];
  return [
    `panel, ${count} rows`,
    ms(shown.median),
    ms(painted.median),
    ms(times.median),
    ms(times.p95),
    rows.toFixed(1),
  ];
}

async function plainLine(page: Page, code: string, count: number): Promise<string[]> {
  await page.goto('about:blank');
  await page.evaluate(code);
  const first = await page.evaluate(async texts => {
    const { plain } = window as unknown as { plain: { show(texts: readonly string[]): void } };
    const start = performance.now();
    plain.show(texts);
    const shown = performance.now() - start;
    await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
    return { shown, painted: performance.now() - start };
  }, lines(count));
  const rowsOf = () =>
    page.evaluate(() => (window as unknown as { plain: { counts: { rows: number } } }).plain.counts.rows);
  await page.evaluate(tick, 3);
  const before = await rowsOf();
  const times = timesOf(await page.evaluate(tick, TICKS));
  const rows = ((await rowsOf()) - before) / TICKS;
  return [
    `plain React list, ${count}`,
    ms(first.shown),
    ms(first.painted),
    ms(times.median),
    ms(times.p95),
    rows.toFixed(1),
  ];
}

await printSizes();
const site = await startSite();
try {
  const page = await site.visitor(people.editor);
  // The compiler of this file names functions by a helper that pages do not have.
  await page.context().addInitScript('globalThis.__name = given => given');
  await page.addInitScript(watch);
  const empty = await site.browser.newPage();
  const code = await plainCode('panel/plain.tsx');
  const rows: string[][] = [];
  for (const [index, count] of sizes.entries()) {
    const ours = await panelLine(site, page, ISSUES[index] ?? '', count);
    const plain = await plainLine(empty, code, count);
    rows.push(ours, plain);
    const ms = { unit: 'ms' } as const;
    const [shown, bare] = [numberIn(ours[1]), numberIn(plain[1])];
    compare({
      what: `${count} rows in the page`,
      ours: shown,
      beside: 'a plain React list',
      other: bare,
      ...ms,
      goal: 1.8,
    });
    if (count === 500)
      compare({ what: 'one tick in 500 rows', ours: numberIn(ours[3]), beside: 'the limit', other: 4, ...ms, goal: 1 });
  }
  const slow = await slowLoadLine(site, SLOW_ISSUE, ROUNDS);
  const limit = { beside: 'the limit', unit: 'ms', goal: 1 } as const;
  compare({ what: 'slow load, 100 rows: rows', ours: numberIn(slow[0]), other: 600, ...limit });
  compare({ what: 'slow load, 100 rows: usable', ours: numberIn(slow[1]), other: 800, ...limit });
  const slowHead = ['4 × CPU, fast 3G, empty cache, 100 rows', 'rows', 'usable', 'scripts until then', 'bytes of them'];
  process.stdout.write(`${table(slowHead, [['panel', ...slow]])}\n\n`);
  const head = ['list', 'rows in the page', 'painted', 'one tick', 'p95', 'rows rendered'];
  process.stdout.write(`${table(head, rows)}\n`);
  process.stdout.write(
    [
      '\nFirst rows: since the host answered, or since the plain list was asked for. A tick: click to page.',
      'Rows rendered: the item, and in the panel the header that counts it (test/ui/checklist/row/renders.mocked.test.tsx).\n',
    ].join('\n'),
  );
} finally {
  await site.stop();
}
