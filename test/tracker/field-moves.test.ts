import { afterEach, expect, test } from 'vitest';
import { ADDON_KEY } from './addon.ts';
import { type ForgeTracker, startForge } from './forge/harness.ts';

let site: ForgeTracker;
afterEach(() => site.close());

test('the task that moves a field of Connect is read by the app, and there is none for other fields', async () => {
  site = await startForge();
  await site.set({ fieldMoves: { 'checklist-text': 'RUNNING' } });
  const ask = site.gateway((await site.tokens()).app);
  const task = (field: string, key = ADDON_KEY) => `/rest/atlassian-connect/1/migration/${key}/${field}/task`;
  expect(await ask('GET', task('checklist-text'))).toMatchObject({ status: 200, body: { status: 'RUNNING' } });
  expect((await ask('GET', task('checklist-label'))).status).toBe(404);
  expect((await ask('GET', task('checklist-text', 'other.app'))).status).toBe(404);
  expect((await site.as('site-admin')('GET', task('checklist-text'))).status).toBe(401);
});
