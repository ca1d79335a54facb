import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { TrackerDeferred } from '../../../src/server/errors/tracker.ts';
import { addAssignment } from '../../../src/server/templates/assignments.ts';
import { callApi, createToken } from '../support/api.ts';
import { appOf, startApp, type TestApp } from '../support/app.ts';
import { add, EDITOR, newIssue, tick, workOn } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { onStore } from '../support/stores.ts';
import { ADDON_ACCOUNT, OWN_FIELD } from '../support/tracker.ts';

const HOUR = 3_600_000;
/** Delay into the next hour within which deferred work starts, in milliseconds. */
const SPREAD = 300_000;

/** Price of a served call in the tracker (docs/decisions/quota.md), from the call alone. */
function charged({ method, path }: TestApp['tracker']['calls'][number]): number {
  if (path.endsWith('/permissions/check')) return 3;
  if (method === 'GET') return path.endsWith('/myself') ? 3 : 2;
  return 1;
}

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  /** Points of the hour by class of work, from the metrics. */
  async function points(): Promise<Record<string, number>> {
    const { body } = await it.app.inject('/metrics');
    const lines = [...body.matchAll(/^tracker_points\{work="(\w+)"\} (\d+)$/gm)];
    return Object.fromEntries(lines.map(([, work, count]) => [work ?? '', Number(count)]));
  }
  const sum = (all: Record<string, number>) => Object.values(all).reduce((total, each) => total + each, 0);

  /** Points counted for some work, and the tracker's price of its calls. */
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

  /** The issue for a user who opened it in the tracker, with the frame's token. */
  async function shownTo(account: string, id: string) {
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    it.tracker.granted.set(account, EDITOR);
    const checklists = it.checklists.of({ tenant, account, frame: { issue: id, shown: Date.now() } });
    const { change } = await workOn(it, id, account);
    return { read: () => checklists.read(id), change };
  }
  const cost = (points: number) => ({ counted: points, charged: points });

  test('actions cost the points that are allowed for them', async () => {
    // Read once per process: the field, and the account of own calls.
    const first = await newIssue(it);
    await first.edit(add('- a'));
    await it.settled();

    const { id } = await newIssue(it, EDITOR);
    const { read, change } = await shownTo(randomUUID(), id);
    // A page sends two requests when it opens.
    expect(await costOf(() => Promise.all([read(), read()]))).toEqual(cost(2));
    expect(await costOf(read)).toEqual(cost(0));
    const other = await shownTo(randomUUID(), id);
    expect(await costOf(other.read)).toEqual(cost(0));
    await change(add('- a\n- b\n- c'), await read());
    await it.settled();

    const ticking = await shownTo(randomUUID(), id);
    const ticked = async (...names: string[]) => {
      for (const name of names) await ticking.change(tick('abc'.indexOf(name), name), await read());
    };
    // A user's first change: property, field and permission.
    expect(await costOf(() => ticked('a').then(it.settled))).toEqual(cost(2 + 3));
    // Within its minute, the writes only.
    expect(await costOf(() => ticked('b').then(it.settled))).toEqual(cost(2));
    // Concurrent changes are written once.
    await ticked('c');
    const base = await read();
    await Promise.all(['d', 'e', 'f'].map(name => ticking.change(add(name), base)));
    expect(await costOf(it.settled)).toEqual(cost(2));
  });

  test('a rule costs a read where an event may match it, and nothing else', async () => {
    const issue = await newIssue(it);
    const post = async (kind: string, payload: object) => {
      const url = `/webhooks/issue-${kind}?issueId=${issue.id}`;
      const headers = { authorization: `JWT ${it.requestToken('POST', url, { sub: ADDON_ACCOUNT })}` };
      expect((await it.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(204);
    };
    const changes = (fieldId: string, to: unknown) => ({
      changelog: { items: [{ fieldId, field: fieldId, toString: to }] },
    });
    const hook = (kind: string, payload: object) => post(kind, payload).then(it.settled);
    const changed = (field: string, more: object = {}) => hook('updated', { ...changes(field, 'x'), ...more });
    const inProject = (id: string) => ({ issue: { fields: { project: { id } } } });
    await issue.edit(add('- a'));
    await it.settled();
    await use().store.tenant(it.tenant.id, async tx => {
      const rule = { account: 'admin', template: 'none', issueTypes: [], statuses: ['3'], enabled: true };
      const rules = [
        { moment: 'CREATED', projects: [OTHER_PROJECT], field: null },
        { moment: 'MOVED', projects: [PROJECT], field: null },
        { moment: 'FIELD_CHANGED', projects: [], field: 'priority' },
      ] as const;
      for (const [position, each] of rules.entries())
        await addAssignment(tx, it.tenant.id, { ...rule, ...each, id: randomUUID(), position });
    });
    onTestFinished(async () => void (await use().raw('delete from template_rule')));

    // Events of own writes cause no call.
    const { onProperty, onFields } = it.tracker;
    onTestFinished(() => void Object.assign(it.tracker, { onProperty, onFields }));
    it.tracker.onProperty = () => post('property', {});
    it.tracker.onFields = (_issue, fields) => post('updated', changes(OWN_FIELD, fields[OWN_FIELD]));
    expect(await costOf(() => issue.edit(tick(0, 'a')).then(it.settled))).toEqual(cost(2));
    expect(await costOf(() => changed('labels'))).toEqual(cost(0));
    expect(await costOf(() => hook('updated', {}))).toEqual(cost(0));
    expect(await costOf(() => hook('created', inProject(PROJECT)))).toEqual(cost(0));
    expect(await costOf(() => changed('status', inProject(OTHER_PROJECT)))).toEqual(cost(0));

    expect(await costOf(() => hook('created', inProject(OTHER_PROJECT)))).toEqual(cost(2));
    expect(await costOf(() => hook('created', {}))).toEqual(cost(2));
    for (const field of ['status', 'priority', 'issuetype'])
      expect(await costOf(() => changed(field, inProject(PROJECT)))).toEqual(cost(2));
  });

  test("each call is counted once, at the tracker's price", async () => {
    const issue = await newIssue(it);
    const bob = await workOn(it, issue.id, 'bob');
    it.tracker.granted.set('bob', EDITOR);
    const { counted, charged } = await costOf(async () => {
      await issue.edit(add('Ship it'));
      await bob.edit(tick(0, 'Ship it'));
      await it.settled();
      await issue.writeField('+ Ship it\n- By hand');
      await it.settled();
    });
    expect(counted).toBeGreaterThan(0);
    expect(counted).toBe(charged);
    const { person, field, verdict, event, sweep } = await points();
    expect([person, field, verdict, event].every(count => Number(count) > 0)).toBe(true);
    expect(sweep).toBe(0);
  });

  test('a program reads known issues for nothing, and unknown ones, also by key, for one read', async () => {
    const { secret } = await createToken(use().store, it);
    const read = (issue: string) => callApi(it, secret, `/issues/${issue}/checklist`);
    const grow = (issue: string) =>
      callApi(it, secret, `/issues/${issue}/checklist/changes`, {
        body: { change: add('x') },
        headers: { 'if-match': '*' },
      });
    const [first, second] = [await newIssue(it), await newIssue(it)];
    expect(await costOf(() => read(`PR-${first.id}`))).toEqual(cost(2));
    expect(await costOf(() => read(second.id))).toEqual(cost(2));
    for (const issue of [first.id, `PR-${first.id}`, second.id, `PR-${second.id}`]) {
      expect(await costOf(() => read(issue))).toEqual(cost(0));
    }
    expect(await costOf(() => callApi(it, secret, '/checklists?open=true'))).toEqual(cost(0));
    // The app's permission once for a project, then the writes of both copies only.
    expect(await costOf(() => grow(first.id).then(it.settled))).toEqual(cost(3 + 2));
    expect(await costOf(() => grow(second.id).then(it.settled))).toEqual(cost(2));
    expect((await points()).api).toBeGreaterThan(0);
  });

  test('the writes of a change count for its author', async () => {
    const issue = await newIssue(it);
    await issue.edit(add('- a'));
    await it.settled();
    await it.quota.exchange();
    const rows = await use().raw(
      `select array_agg(work order by work) as works from quota_use
        where tenant = $1 and account <> '' group by account`,
      [it.tenant.id],
    );
    expect(rows).toContainEqual({ works: ['field', 'person', 'verdict'] });
  });

  test('an hour without points: no calls, user actions are refused, and jobs are deferred', async () => {
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
    const failures = await it.background.work(it.jobs);
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(TrackerDeferred);
      const { retryAfter } = v.parse(v.object({ retryAfter: v.number() }), failure);
      expect(retryAfter).toBeGreaterThanOrEqual(HOUR / 2);
      expect(retryAfter).toBeLessThanOrEqual(HOUR / 2 + SPREAD);
    }
    expect(it.tracker.calls).toHaveLength(length);

    it.elapse(HOUR / 2 + SPREAD);
    await it.settled();
    expect(it.tracker.calls.length).toBeGreaterThan(length);
    expect(await issue.text()).toBe('- Ship it');
  });
});
