import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { add } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { onSync } from '../support/sync.ts';

/** Seconds between two scrapes and evaluations, as Prometheus has them by default. */
const INTERVAL = 60;

const ruleShape = v.object({ alert: v.string(), expr: v.string(), for: v.optional(v.string()) });
const file = join(import.meta.dirname, '../../../deploy/observability/alerts.yml');
const rulesShape = v.object({ groups: v.array(v.object({ rules: v.array(ruleShape) })) });
const rule = v
  .parse(rulesShape, parse(readFileSync(file, 'utf8')))
  .groups.flatMap(({ rules }) => rules)
  .find(({ alert }) => alert === 'ChecklistCopiesRefused');

/** The values of `copies_refused` with these reasons, of a scrape. */
const values = (scrape: string, reasons: RegExp): number[] =>
  [...scrape.matchAll(/^copies_refused\{copy="\w+",reason="(\w+)"\} (\d+)$/gm)].flatMap(([, reason = '', count]) =>
    reasons.test(reason) ? [Number(count)] : [],
  );

/** The time from a refusal to the alert, by the rule as it is deployed. */
onSync(({ it, work }) => {
  test('a refused copy gives an alert within minutes, which ends with the refusal', async () => {
    provokes({ errors: /CopyRefused/, retries: true });
    const [, reasons = '', range] =
      /^max by \(copy, reason\) \(last_over_time\(copies_refused\{reason=~"([\w|]+)"\}\[(\d+)m\]\)\) > 0$/.exec(
        rule?.expr ?? '',
      ) ?? [];
    const pause = Number(/^(\d+)m$/.exec(rule?.for ?? '')?.[1]) * 60;
    expect([reasons, range, pause]).toEqual(['forbidden|refused', '2', 120]);
    const isRefused = async () =>
      values(await it.metrics.registry.metrics(), new RegExp(`^(${reasons})$`)).some(count => count > 0);
    const issue = await work.settledIssue('- a');
    expect(await isRefused()).toBe(false);
    it.tracker.faults = [({ method }) => (method === 'PUT' ? new Response('{}', { status: 403 }) : undefined)];
    await issue.edit(add('b'));
    await it.settled();
    // The refusal came directly after a scrape, so that it is seen at the latest time.
    let since: number | undefined;
    let seconds = 0;
    for (;;) {
      seconds += INTERVAL;
      since = (await isRefused()) ? (since ?? seconds) : undefined;
      if (since !== undefined && seconds - since >= pause) break;
      expect(seconds).toBeLessThan(600);
    }
    expect(seconds).toBe(180);
    it.tracker.faults = [];
    await issue.edit(add('c'));
    await it.settled();
    expect(await isRefused()).toBe(false);
  });
});
