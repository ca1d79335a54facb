import { beforeAll, expect, test } from 'vitest';
import { TrackerDeferred } from '../../../src/server/tracker/client.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { add, EDITOR, newIssue, tick, workOn } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

const HOUR = 3_600_000;

/** What the tracker charges for a call that it served (notes/quota.md §2), read from the call alone. */
function charged({ method, path }: TestApp['tracker']['calls'][number]): number {
  if (path.endsWith('/permissions/check')) return 3;
  if (method === 'GET') return path.endsWith('/myself') ? 3 : 2;
  return 1;
}

onStore(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  /** Points of the hour by class of work, as operators see them. */
  async function points(): Promise<Record<string, number>> {
    const { body } = await it.app.inject('/metrics');
    const lines = [...body.matchAll(/^tracker_points\{work="(\w+)"\} (\d+)$/gm)];
    return Object.fromEntries(lines.map(([, work, count]) => [work ?? '', Number(count)]));
  }
  const sum = (all: Record<string, number>) => Object.values(all).reduce((total, each) => total + each, 0);

  /** Points of some work, and what the tracker charges for its calls. */
  async function costOf(work: () => Promise<unknown>): Promise<{ counted: number; charged: number }> {
    const before = sum(await points());
    const { length } = it.tracker.calls;
    await work();
    const calls = it.tracker.calls.slice(length);
    return {
      counted: sum(await points()) - before,
      charged: calls.reduce((total, call) => total + charged(call), 0),
    };
  }

  test('each call of an action is counted once, at what the tracker charges', async () => {
    const issue = await newIssue(it);
    expect(await costOf(issue.read)).toEqual({ counted: 7, charged: 7 });
    it.tracker.granted.set('bob', EDITOR);
    const other = await workOn(it, issue.id, 'bob');
    expect(await costOf(other.read)).toEqual({ counted: 5, charged: 5 });
    const change = async () => {
      await issue.edit(add('Ship it'));
      await issue.edit(tick(0, 'Ship it'));
      await it.settled();
    };
    const cost = await costOf(change);
    expect(cost.counted).toBeGreaterThan(0);
    expect(cost.counted).toBe(cost.charged);
    const { person, field, verdict, sweep } = await points();
    expect([person, field, verdict].every(count => Number(count) > 0)).toBe(true);
    expect(sweep).toBe(0);
  });

  test('an hour without points: no call, a refusal for who waits, and jobs that are put off', async () => {
    const issue = await newIssue(it);
    await issue.edit(add('Ship it'));
    const spent = {
      'ratelimit-policy': '"global-app-quota";q=65000;w=3600',
      ratelimit: '"global-app-quota";r=0;t=1800',
    };
    it.tracker.faults.push(() => new Response('{}', { status: 403, headers: spent }));
    const stranger = await workOn(it, issue.id, 'carol');
    await expect(stranger.read()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    it.tracker.faults.length = 0;

    const { length } = it.tracker.calls;
    await expect(stranger.read()).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
    const failures = await it.background.work(it.checklists.jobs);
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(TrackerDeferred);
      expect(failure).toMatchObject({ retryAfter: expect.any(Number) });
    }
    expect(it.tracker.calls).toHaveLength(length);

    it.elapse(HOUR);
    await it.settled();
    expect(it.tracker.calls.length).toBeGreaterThan(length);
    expect(issue.text()).toBe('- Ship it');
  });
});
