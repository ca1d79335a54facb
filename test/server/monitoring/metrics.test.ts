import { Gauge } from 'prom-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMetrics, type Metrics } from '../../../src/server/monitoring/metrics.ts';

let metrics: Metrics;
let answer: (value: number | undefined) => void;
let asked = 0;
beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
  metrics = createMetrics();
  const gauge: Gauge = new Gauge({
    name: 'rows',
    help: 'A figure of the database',
    registers: [metrics.registry],
    collect: metrics.asking('rows', async () => {
      asked += 1;
      const value = await new Promise<number | undefined>(resolve => {
        answer = resolve;
      });
      if (value === undefined) throw new Error('away');
      gauge.set(value);
    }),
  });
});
afterEach(() => void vi.useRealTimers());

/** The gauge and whether it is stale, and the milliseconds that this took. */
async function scraped(given?: number) {
  const start = Date.now();
  const { registry } = metrics;
  const text = registry.metrics();
  if (given !== undefined) answer(given);
  await vi.advanceTimersByTimeAsync(0);
  const later = vi.advanceTimersByTimeAsync(60_000);
  let took = 0;
  void text.then(() => {
    took = Date.now() - start;
  });
  await later;
  const lines = await text;
  const value = (name: string) => Number(new RegExp(`^${name}(?:\\{name="rows"\\})? (\\S+)`, 'm').exec(lines)?.[1]);
  return { rows: value('rows'), stale: value('metrics_stale'), took };
}

test('while the database is silent, only the first answer waits for it, and briefly', async () => {
  expect(await scraped(3)).toEqual({ rows: 3, stale: 0, took: 0 });
  expect(await scraped()).toEqual({ rows: 3, stale: 1, took: 500 });
  expect(await scraped()).toEqual({ rows: 3, stale: 1, took: 0 });
  // It is asked once at a time.
  expect(asked).toBe(2);
  answer(4);
  await vi.advanceTimersByTimeAsync(0);
  expect(await scraped(5)).toEqual({ rows: 5, stale: 0, took: 0 });
});

test('after a failure the database is asked again without waiting, until it answers', async () => {
  expect(await scraped(3)).toMatchObject({ stale: 0 });
  const failed = metrics.registry.metrics();
  answer(undefined);
  expect(await failed).toMatch(/^metrics_stale\{name="rows"\} 1$/m);
  expect(await scraped()).toEqual({ rows: 3, stale: 1, took: 0 });
  answer(4);
  await vi.advanceTimersByTimeAsync(0);
  expect(await scraped(5)).toEqual({ rows: 5, stale: 0, took: 0 });
});
