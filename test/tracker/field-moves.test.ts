import { afterEach, beforeEach, expect, test } from 'vitest';
import { ADDON_KEY } from './addon.ts';
import { type ForgeTracker, startForge } from './forge/harness.ts';
import type { Ask } from './harness.ts';

let site: ForgeTracker;
let ask: Ask;
beforeEach(async () => {
  site = await startForge();
  ask = site.gateway((await site.tokens()).app);
});
afterEach(() => site.close());

const task = (field: string, key = ADDON_KEY) => `/rest/atlassian-connect/1/migration/${key}/${field}/task`;
const state = async (field: string) => (await ask('GET', task(field))).body;

test('the task that moves a field of Connect is read by the app, and there is none for other fields', async () => {
  await site.set({ fieldMoves: { 'checklist-text': 'RUNNING' } });
  expect(await ask('GET', task('checklist-text'))).toMatchObject({
    status: 200,
    body: { status: 'RUNNING', lastUpdate: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
  });
  const refusal = (statusCode: number) => ({ status: statusCode, body: { message: expect.any(String), statusCode } });
  expect(await ask('GET', task('checklist-label'))).toMatchObject(refusal(404));
  expect(await ask('GET', task('checklist-text', 'other.app'))).toMatchObject(refusal(404));
  expect(await site.as('site-admin')('GET', task('checklist-text'))).toMatchObject(refusal(401));
});

test('the app begins a task again, and one that is complete on demand only', async () => {
  await site.set({ fieldMoves: { 'checklist-text': 'FAILED', 'checklist-label': 'COMPLETE' } });
  expect((await ask('POST', task('checklist-text'))).status).toBe(202);
  expect(await state('checklist-text')).toMatchObject({ status: 'RUNNING' });
  await ask('POST', task('checklist-label'));
  expect(await state('checklist-label')).toMatchObject({ status: 'COMPLETE' });
  await ask('POST', `${task('checklist-label')}?retriggerCompletedMigration=true`);
  expect(await state('checklist-label')).toMatchObject({ status: 'RUNNING' });
  expect((await ask('POST', task('checklist-mandatory-open'))).status).toBe(404);
});
