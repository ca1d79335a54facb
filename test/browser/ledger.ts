import * as v from 'valibot';
import { expect, vi } from 'vitest';
import type { Tracker } from '../../src/tracker/app.ts';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';
import type { Programs } from './programs.ts';

/**
 * Whether a server of the add-on has unfinished jobs, apart from those that wait for their hour: sweeps, searches of due
 * items, digests, reports of accounts and the end of old data. An unknown state counts as one.
 */
export async function hasJobs(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/metrics`).catch(() => undefined);
  if (!answer?.ok) return true;
  const open =
    /^jobs\{name="(?!(?:sweep|find-due|send-digest|report-people|prune)")[^"]+",state="(?:waiting|active|retry)"\} [1-9]/m;
  return open.test(await answer.text());
}

/** Resolves when both copies of each checklist are written, and their events are delivered and processed. */
export async function isAtRest({ addon }: Pick<Programs, 'addon'>, { webhooksSent, second }: Tracker): Promise<void> {
  const isQuiet = async () => {
    if (await hasJobs(addon.url)) return false;
    await Promise.all([webhooksSent(), second?.webhooksSent()]);
    return !(await hasJobs(addon.url));
  };
  await vi.waitFor(async () => expect(await isQuiet()).toBe(true), { timeout: WAIT_TIMEOUT, interval: 100 });
}

const line = v.object({
  site: v.string(),
  call: v.string(),
  cause: v.nullable(v.string()),
  calls: v.number(),
  points: v.number(),
  refused: v.number(),
});
const quota = v.object({
  ends: v.nullable(v.pipe(v.string(), v.isoTimestamp(), v.endsWith('Z'))),
  ledger: v.array(line),
});

/** The tracker's counts of the add-on's calls in this window. */
export const ledgerOf = async ({ app }: Tracker): Promise<v.InferOutput<typeof quota>> =>
  v.parse(quota, (await app.inject('/host/quota')).json());

/** Points by the cause of the calls; causes without points are left out. */
export type Spent = Readonly<Record<string, number>>;

async function spentAt(tracker: Tracker, site: string): Promise<Map<string, number>> {
  const spent = new Map<string, number>();
  for (const { site: of, cause, points } of (await ledgerOf(tracker)).ledger) {
    const key = cause ?? 'unnamed';
    if (of === site) spent.set(key, (spent.get(key) ?? 0) + points);
  }
  return spent;
}

/** Resolves with a function that returns the points spent at that site since, also across the end of the hour. */
export async function spentFrom(tracker: Tracker, site: string): Promise<() => Promise<Spent>> {
  const unlimited = await tracker.app.inject({ method: 'PUT', url: '/host/quota', payload: { limit: null } });
  expect(unlimited.statusCode).toBeLessThan(300);
  const before = await spentAt(tracker, site);
  return async () => {
    const now = await spentAt(tracker, site);
    const since = [...now].map(([cause, points]) => [cause, points - (before.get(cause) ?? 0)] as const);
    return Object.fromEntries(since.filter(([, points]) => points > 0));
  };
}
