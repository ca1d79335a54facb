import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Answer, type Ask, heldSleep, startTracker, type TestTracker } from './harness.ts';

let site: TestTracker;
let editor: Ask;
const held = heldSleep();
beforeEach(async () => {
  site = await startTracker({ sleep: held.sleep });
  editor = site.as('editor');
});
afterEach(() => site.close());

const BULK = '/rest/api/3/issue/properties/x';
const at = (issue: string) => `/rest/api/3/issue/${issue}/properties/x`;
const stored = async (issue: string) => {
  const { status, body } = await editor('GET', at(issue));
  return status === 404 ? undefined : v.parse(v.object({ value: v.unknown() }), body).value;
};
/** The status of an answer's task. */
const taskOf = async ({ headers }: Answer, ask: Ask = editor) =>
  ask('GET', new URL(v.parse(v.string(), headers.location)).pathname);
const put = (value: unknown, filter: unknown, ask: Ask = editor) => ask('PUT', BULK, { json: { value, filter } });

test('a value is set where the property has the expected one, and nowhere else', async () => {
  await editor('PUT', at('WEB-1'), { json: { seq: 1 } });
  await editor('PUT', at('WEB-2'), { json: { seq: 2 } });
  const answer = await put({ seq: 3 }, { entityIds: [10001, 10002, 10003], currentValue: { seq: 1 } });
  expect(answer.status).toBe(303);
  await site.tracker.tasksDone();
  expect((await taskOf(answer)).body).toMatchObject({ status: 'COMPLETE', progress: 100 });
  expect(await Promise.all(['WEB-1', 'WEB-2', 'WEB-3'].map(stored))).toEqual([{ seq: 3 }, { seq: 2 }, undefined]);
});

test('ids as text are refused', async () => {
  expect((await put(1, { entityIds: ['10001'] })).status).toBe(400);
  await site.tracker.tasksDone();
  expect(await stored('WEB-1')).toBeUndefined();
});

test('the first value is set where there is none', async () => {
  await editor('PUT', at('WEB-1'), { json: 'theirs' });
  await put('ours', { entityIds: [10001, 10002], hasProperty: false });
  await site.tracker.tasksDone();
  expect(await Promise.all(['WEB-1', 'WEB-2'].map(stored))).toEqual(['theirs', 'ours']);
});

test('what counts is the value when the task runs', async () => {
  await editor('POST', '/host/faults', { json: { match: '^PUT x$', task: 'late', delayMs: 50 } });
  await editor('PUT', at('WEB-1'), { json: 1 });
  const answer = await put(2, { entityIds: [10001], currentValue: 1 });
  expect((await taskOf(answer)).body).toMatchObject({ status: 'ENQUEUED' });
  await editor('PUT', at('WEB-1'), { json: 'meanwhile' });
  await expect.poll(held.waiting).toBe(1);
  held.end();
  await site.tracker.tasksDone();
  expect((await taskOf(answer)).body).toMatchObject({ status: 'COMPLETE' });
  expect(await stored('WEB-1')).toBe('meanwhile');
});

test('a task that fails has done nothing', async () => {
  await editor('POST', '/host/faults', { json: { match: '^PUT x$', task: 'failed', times: 1 } });
  const answer = await put(1, { entityIds: [10001] });
  await site.tracker.tasksDone();
  expect((await taskOf(answer)).body).toMatchObject({ status: 'FAILED' });
  expect(await stored('WEB-1')).toBeUndefined();
});

test('the add-on gets an event for each written issue, in any order', async () => {
  await put(1, { entityIds: [10001, 10002] });
  await site.tracker.tasksDone();
  const calls = await site.addon.next('/webhooks/issue-property', 2);
  expect(new Set(calls.map(({ body }) => JSON.parse(body).issue.key))).toEqual(new Set(['WEB-1', 'WEB-2']));
});

test('properties are removed where they have the expected value', async () => {
  await editor('PUT', at('WEB-1'), { json: 1 });
  await editor('PUT', at('WEB-2'), { json: 2 });
  await editor('DELETE', BULK, { json: { entityIds: [10001, 10002, 10003], currentValue: 1 } });
  await site.tracker.tasksDone();
  expect(await Promise.all(['WEB-1', 'WEB-2'].map(stored))).toEqual([undefined, 2]);
});

test("without edit permission nothing changes, and other callers' tasks are invisible", async () => {
  const answer = await put(1, { entityIds: [10001] }, site.as('viewer'));
  expect(answer.status).toBe(303);
  await site.tracker.tasksDone();
  expect(await stored('WEB-1')).toBeUndefined();
  expect((await taskOf(answer)).status).toBe(404);
  expect((await taskOf(answer, site.as('viewer'))).status).toBe(200);
});

test.each([
  ['no value', { filter: {} }],
  ['a current value of what has none', { value: 1, filter: { currentValue: 1, hasProperty: false } }],
  ['a value that is too long', { value: 'x'.repeat(32_768) }],
  ['ids that are none', { value: 1, filter: { entityIds: [{}] } }],
])('%s is refused before anything begins', async (_, json) => {
  expect((await editor('PUT', BULK, { json })).status).toBe(400);
});
