import type { Page } from 'playwright-core';
import { panel, people, type Site } from '../../test/browser/site.ts';
import { timesOf } from '../measure.ts';

/** 4 × CPU, and "fast 3G" as Lighthouse simulates it: 1.6 Mbit/s down, 750 kbit/s up, 150 ms. */
const CPU = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };

interface Load {
  /** Milliseconds since the frame's page was asked for. */
  rows: number;
  usable: number;
  files: number;
  bytes: number;
}

/** Runs in the frame from its start: records when the first row is there, and when all controls around the rows are. */
function watchLoad(): void {
  const load = { rows: 0, usable: 0 };
  Object.assign(window, { load });
  new MutationObserver((_, observer) => {
    if (load.rows === 0 && document.querySelector('li[data-key]')) load.rows = performance.now();
    const names = [...document.querySelectorAll('button, input, textarea')].map(
      control => control.getAttribute('aria-label') ?? control.textContent,
    );
    const isUsable = ['Add an item', 'Filter', 'Open editor'].every(name => names.includes(name));
    if (load.rows === 0 || !isUsable) return;
    observer.disconnect();
    load.usable = performance.now();
  }).observe(document, { childList: true, subtree: true, attributes: true });
}

async function loadOnce(site: Site, issue: string): Promise<Load> {
  const page: Page = await site.visitor(people.editor);
  try {
    await page.addInitScript('globalThis.__name = given => given');
    await page.addInitScript(watchLoad);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', NETWORK);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU });
    await site.open(page, issue);
    const body = panel(page).locator('body');
    await panel(page).getByRole('button', { name: 'Filter' }).waitFor();
    await body.evaluate(
      () =>
        new Promise<void>(resolve => {
          const isThere = () =>
            (window as unknown as { load: Load }).load.usable > 0 ? resolve() : void setTimeout(isThere, 50);
          isThere();
        }),
    );
    return await body.evaluate(() => {
      const { load } = window as unknown as { load: Load };
      const files = performance
        .getEntriesByType('resource')
        .filter(
          (entry): entry is PerformanceResourceTiming => entry.name.endsWith('.js') && entry.startTime < load.usable,
        );
      return { ...load, files: files.length, bytes: files.reduce((sum, each) => sum + each.encodedBodySize, 0) };
    });
  } finally {
    await page.context().close();
  }
}

/** A line of the table: medians of some loads with an empty cache. */
export async function slowLoadLine(site: Site, issue: string, rounds: number): Promise<string[]> {
  const loads: Load[] = [];
  for (let round = 0; round < rounds; round++) loads.push(await loadOnce(site, issue));
  const median = (of: (load: Load) => number) => timesOf(loads.map(of)).median;
  return [
    `${median(load => load.rows).toFixed(0)} ms`,
    `${median(load => load.usable).toFixed(0)} ms`,
    String(median(load => load.files)),
    String(median(load => load.bytes)),
  ];
}
