import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { launchChromium } from '../test/browser/chromium.ts';
import { amount, compare, given, isSmoke } from './comparison.ts';
import { type Contestant, contestants, type EditorBench } from './editor/contestants.ts';
import { hotSpots } from './editor/profile.ts';
import { table, timesOf } from './measure.ts';
import { random } from './random.ts';
import { mixedText } from './texts.ts';

/*
 * From key to paint in a real Chromium: our editor whole, a bare CodeMirror, and one with its Markdown language, on the
 * same text in the same run, a few keys each in turn. Time runs from the key event's own time stamp to the end of the
 * frame that shows it. Once with frames as fast as they come, which shows the cost of the work, and once at the
 * display's 60 a second, as users see it. `npm run bench:editor [SECONDS] [--profile]`
 */

declare global {
  interface Window {
    bench: EditorBench;
  }
}

const seconds = isSmoke ? 1 : Math.max(30, Number(given.find(argument => /^\d+$/.test(argument)) ?? 30));
const profile = given.includes('--profile');

const SIZES = isSmoke ? [200] : [200, 2_000, 20_000];
const ROUNDS = amount(10);
const KEYS = 'review it ';
/** Milliseconds between keys: faster than any typing, and each key has its frame. */
const PAUSE = 25;
/** The figure to reach, beside the bare editor. */
const RATIO_GOAL = 1.1;

const ms = (time: number) => `${time.toFixed(1)} ms`;

async function pageCode(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: {
      __BUILD__: JSON.stringify({ edition: 'pro', version: '0', platform: 'cloud', development: true, limits: {} }),
    },
    build: {
      write: false,
      minify: !profile,
      target: 'es2022',
      lib: { entry: join(import.meta.dirname, 'editor/page.ts'), formats: ['iife'], name: 'page' },
    },
  });
  const [output] = [built].flat();
  if (!output || !('output' in output)) throw new Error('The page was not built.');
  return output.output[0].code;
}

async function withPage<T>(code: string, flags: readonly string[], work: (page: Page) => Promise<T>): Promise<T> {
  const browser = await launchChromium(flags);
  try {
    const page = await browser.newPage({ viewport: { width: 1000, height: 820 } });
    page.on('pageerror', error => process.stderr.write(`${error}\n`));
    await page.setContent(
      '<!doctype html><html lang="en"><body style="margin: 0; font-family: sans-serif"></body></html>',
    );
    await page.addScriptTag({ content: code });
    return await work(page);
  } finally {
    await browser.close();
  }
}

const pause = (time: number) => new Promise(resolve => setTimeout(resolve, time));

async function type(page: Page, keys: string): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    // Not in step with the display.
    await pause(PAUSE + Math.random() * 16);
  }
}

async function keyToPaint(page: Page, lines: number): Promise<Record<Contestant, number[]>> {
  const times: Record<Contestant, number[]> = { bare: [], markdown: [], checklist: [] };
  const r = random(lines);
  await page.evaluate(text => window.bench.open(text), mixedText(lines, 1));
  for (let round = -1; round < ROUNDS; round++) {
    const line = r.int(lines) + 1;
    for (const name of contestants) {
      await page.evaluate(([name, line]) => window.bench.show(name, line), [name, line] as const);
      await type(page, KEYS);
      const taken = await page.evaluate(() => window.bench.take());
      // The first round and the first key of each warm up.
      if (round >= 0) times[name].push(...taken.times.slice(1));
    }
  }
  return times;
}

async function measured(title: string, code: string, flags: readonly string[]): Promise<boolean> {
  let reached = true;
  const rows = await withPage(code, flags, async page => {
    const rows: string[][] = [];
    for (const lines of SIZES) {
      const times = await keyToPaint(page, lines);
      const bare = timesOf(times.bare);
      for (const name of contestants) {
        const { median, p95 } = timesOf(times[name]);
        const ratios = [median / bare.median, p95 / bare.p95];
        if (name === 'checklist') {
          reached &&= ratios.every(ratio => ratio <= RATIO_GOAL);
          const beside = { beside: 'a bare CodeMirror', unit: 'ms', goal: RATIO_GOAL } as const;
          const what = `${title.toLowerCase()}, ${lines.toLocaleString('en')} lines`;
          compare({ what: `${what}, median`, ours: median, other: bare.median, ...beside });
          compare({ what: `${what}, p95`, ours: p95, other: bare.p95, ...beside });
        }
        rows.push([
          lines.toLocaleString('en'),
          name,
          String(times[name].length),
          ms(median),
          ms(p95),
          ...ratios.map(ratio => `${ratio.toFixed(2)} ×`),
        ]);
      }
    }
    return rows;
  });
  const head = ['lines', 'editor', 'keys', 'median', 'p95', 'median to bare', 'p95 to bare'];
  process.stdout.write(`${title}\n\n${table(head, rows)}\n\n`);
  return reached;
}

async function longTasks(code: string): Promise<void> {
  const rows = await withPage(code, [], async page => {
    await page.evaluate(text => window.bench.open(text), mixedText(2_000, 1));
    const rows: string[][] = [];
    for (const name of contestants) {
      await page.evaluate(name => window.bench.show(name, 1_000), name);
      const end = performance.now() + seconds * 1000;
      let keys = 0;
      while (performance.now() < end) {
        await type(page, KEYS);
        await page.keyboard.press(keys % 40 === 0 ? 'Enter' : 'Backspace');
        keys += KEYS.length + 1;
      }
      const { longTasks, times } = await page.evaluate(() => window.bench.take());
      const { median, p95 } = timesOf(times);
      rows.push([name, String(keys), String(longTasks.length), ms(Math.max(0, ...longTasks)), ms(median), ms(p95)]);
    }
    return rows;
  });
  const head = ['editor', 'keys', 'tasks over 50 ms', 'longest', 'median', 'p95'];
  process.stdout.write(`Typing for ${seconds} s each in 2,000 lines, 60 frames a second\n\n${table(head, rows)}\n\n`);
}

/** Without the display's clock: a frame begins when there is something to show. */
const unpaced = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

const code = await pageCode();
if (profile) {
  for (const lines of [2_000, 20_000]) {
    const rows = await withPage(code, unpaced, async page => {
      await page.evaluate(text => window.bench.open(text), mixedText(lines, 1));
      await page.evaluate(line => window.bench.show('checklist', line), lines / 2);
      return hotSpots(page, KEYS.length * ROUNDS, () => type(page, KEYS.repeat(ROUNDS)));
    });
    process.stdout.write(
      `Where a key's time goes in ${lines.toLocaleString('en')} lines, ours\n\n${table(['function', 'own µs a key', 'with callees'], rows)}\n\n`,
    );
  }
} else {
  const reached = await measured('Key to paint, frames as fast as they come', code, unpaced);
  const paced = await measured('Key to paint, 60 frames a second', code, []);
  await longTasks(code);
  process.stdout.write(
    `To reach: median and p95 ≤ ${RATIO_GOAL} × bare. At 60 frames a second: ${paced ? 'yes' : 'no'}; as fast as they come: ${reached ? 'yes' : 'no'}.\n`,
  );
}
