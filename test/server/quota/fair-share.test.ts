import { expect, test } from 'vitest';
import { createFairShare } from '../../../src/server/quota/fair-share.ts';

/** How many of the requests of a site are admitted, while another one sends its own from time to time. */
function admitted(busy: number, others: readonly string[]): { loud: number; quiet: number } {
  const { admits } = createFairShare({ utilization: () => busy, now: () => 0 });
  let [loud, quiet] = [0, 0];
  for (let round = 0; round < 100; round += 1) {
    for (let count = 0; count < 10; count += 1) loud += Number(admits('loud', 1));
    for (const site of others) quiet += Number(admits(site, 1));
  }
  return { loud, quiet };
}

test('while the process is busy, a site that sends most leaves the others their share', () => {
  const { loud, quiet } = admitted(1, ['quiet', 'other']);
  expect(quiet).toBe(200);
  expect(loud).toBeLessThan(250);
  expect(loud).toBeGreaterThan(90);
});

test('a process that is not busy, or whose only site it is, admits everything', () => {
  expect(admitted(0.5, ['quiet'])).toEqual({ loud: 1_000, quiet: 100 });
  expect(admitted(1, [])).toEqual({ loud: 1_000, quiet: 0 });
});

test('a share is that of the last seconds', () => {
  let time = 0;
  const { admits } = createFairShare({ utilization: () => 1, now: () => time });
  for (let count = 0; count < 100; count += 1) {
    admits('loud', 1);
    admits('quiet', 1);
  }
  for (let count = 0; count < 300; count += 1) admits('loud', 1);
  expect(admits('loud', 1)).toBe(false);
  time += 11_000;
  expect(admits('loud', 1)).toBe(true);
});

test('few requests with much work count as many', () => {
  const { admits, spent } = createFairShare({ utilization: () => 1, now: () => 0 });
  let loud = 0;
  for (let round = 0; round < 30; round += 1) {
    for (let count = 0; count < 10; count += 1) expect(admits('usual', 1)).toBe(true);
    if (!admits('loud', 16)) continue;
    spent('loud', 500);
    loud += 1;
  }
  expect(loud).toBeGreaterThan(1);
  expect(loud).toBeLessThan(15);
});
