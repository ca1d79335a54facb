import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ForgeTracker, startForge } from './forge/harness.ts';
import type { Ask } from './harness.ts';

/** Reports of stored accounts, at the site for Connect's add-on and at the platform for the app on Forge. */
let site: ForgeTracker;
beforeEach(async () => {
  site = await startForge();
  await site.set({ closedAccounts: ['gone'], updatedAccounts: ['renamed'], reportDays: 3 });
});
afterEach(() => site.close());

type Report = (json: unknown) => ReturnType<Ask>;
const onConnect = async (): Promise<Report> => json =>
  site.asAddon()('POST', '/rest/atlassian-connect/latest/report-accounts', { json });
async function onForge(): Promise<Report> {
  const headers = { authorization: `Bearer ${(await site.tokens()).app}` };
  return json => site.anonymous('POST', '/forge-gateway/app/report-accounts', { json, headers });
}

const accounts = (...ids: string[]) => ({
  accounts: ids.map(accountId => ({ accountId, updatedAt: '2026-01-01T00:00:00.000Z' })),
});

test.each([
  ['Connect', onConnect],
  ['Forge', onForge],
])('on %s, closed and updated accounts are named, and the days of the cycle', async (_, start) => {
  const report = await start();
  expect(await report(accounts('gone', 'stays', 'renamed'))).toMatchObject({
    status: 200,
    headers: { 'cycle-period': '3' },
    body: {
      accounts: [
        { accountId: 'gone', status: 'closed' },
        { accountId: 'renamed', status: 'updated' },
      ],
    },
  });
  expect(await report(accounts('stays'))).toMatchObject({ status: 204, headers: { 'cycle-period': '3' } });
});

test.each([
  ['Connect', onConnect],
  ['Forge', onForge],
])('on %s, no report, too many accounts and unknown ones are refused', async (_, start) => {
  const report = await start();
  const many = Array.from({ length: 91 }, (_, number) => `person-${number}`);
  for (const json of [{}, accounts(), accounts(...many), accounts('unknown')])
    expect((await report(json)).status).toBe(400);
});

test('people report nothing', async () => {
  const report = site.as('site-admin')('POST', '/rest/atlassian-connect/latest/report-accounts', { json: accounts() });
  expect((await report).status).toBe(401);
});
