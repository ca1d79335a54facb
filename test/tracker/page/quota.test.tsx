import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SiteContext } from '../../../src/tracker/page/app/site.ts';
import { client } from '../../../src/tracker/page/data/client.ts';
import { QuotaScreen } from '../../../src/tracker/page/screens/quota.tsx';
import type { HostQuota, LedgerLine } from '../../../src/tracker/wire/quota.ts';
import type { HostState } from '../../../src/tracker/wire/site.ts';

const user = { accountId: 'a', displayName: 'Emma', avatar: '/a.svg', role: 'Editor' };
const site: HostState = {
  ...{ site: 'Local tracker', user, users: [user], projects: [] },
  addons: [{ state: 'installed', key: 'app.one', name: 'Checklist' }],
};
const line = (rest: Partial<LedgerLine>): LedgerLine => ({
  ...{ app: 'app.one', site: 'http://localhost:2990', call: 'GET /issue/:issue', cause: null, source: 'documented' },
  ...{ calls: 1, points: 2, refused: 0 },
  ...rest,
});
const nothing: HostQuota = { limit: null, since: '2026-11-22T10:20:30.000Z', ends: null, apps: [], ledger: [] };
const limit = { points: 1_500, seconds: 3_600, beta: false };
const spent: HostQuota = {
  ...{ limit, since: '2026-11-22T10:00:00.000Z', ends: '2026-11-22T11:00:00.000Z' },
  apps: [{ key: 'app.one', spent: 1_501 }],
  ledger: [
    line({ calls: 750, points: 1_500 }),
    line({ call: 'PUT /issue/:issue', cause: 'tick', site: 'http://localhost:2991', points: 1, refused: 4 }),
  ],
};

let quota: HostQuota;
/** The page's changes: method and body. */
let changes: unknown[];
beforeEach(() => {
  quota = nothing;
  changes = [];
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: { method?: string; body?: string } = {}) => {
    expect(path).toBe('/host/quota');
    if (method === 'GET') return new Response(JSON.stringify(quota));
    changes.push(method, ...(body === undefined ? [] : [JSON.parse(body)]));
    return new Response(null, { status: 204 });
  });
});
afterEach(() => {
  client.clear();
  vi.unstubAllGlobals();
});

async function show(answer: HostQuota): Promise<HTMLElement> {
  quota = answer;
  render(
    <QueryClientProvider client={client}>
      <SiteContext value={site}>
        <QuotaScreen />
      </SiteContext>
    </QueryClientProvider>,
  );
  return screen.findByRole('region', { name: 'Checklist' });
}

const rows = (table: string) =>
  within(screen.getByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(1)
    .map(row => Array.from(row.children, cell => cell.textContent));

test('an installed app that has spent nothing is there, without a limit', async () => {
  const app = await show(nothing);
  expect(app).toHaveTextContent('Spent since 10:20:30 UTC0 points');
  expect(app).toHaveTextContent('RemainingNo limit');
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
});

test('shows points by call, site and cause, and that they are used up', async () => {
  const app = await show(spent);
  expect(app).toHaveTextContent('Spent since 10:00 UTC1,501 points');
  expect(app).toHaveTextContent('Remaining0 points');
  expect(app).toHaveTextContent('Resets11:00 UTC');
  expect(within(app).getByRole('status')).toHaveTextContent('All calls of the app are refused until 11:00 UTC.');
  expect(rows('Points by call')).toEqual([
    ['GET /issue/:issue documented', '750', '1,500', '0'],
    ['PUT /issue/:issue documented', '1', '1', '4'],
  ]);
  expect(rows('Points by site').map(([name]) => name)).toEqual(['http://localhost:2990', 'http://localhost:2991']);
  expect(rows('Points by cause').map(([name]) => name)).toEqual(['Not named by the app', 'tick']);
});

test('a limit that is only announced refuses nothing', async () => {
  const app = await show({ ...spent, limit: { ...limit, beta: true } });
  expect(within(app).getByRole('status')).toHaveTextContent('The limit is only announced, so calls still work');
});

test('the limit is set, taken away and reset by keyboard, and the focus stays', async () => {
  const person = userEvent.setup();
  await show(nothing);
  const points = screen.getByLabelText('Points of each app');
  expect(points).toHaveValue(65_000);
  await person.clear(points);
  await person.type(points, '10');
  await person.tab();
  await person.tab();
  await person.keyboard(' {Enter}');
  const set = { limit: { points: 10, seconds: 3_600, beta: true } };
  await vi.waitFor(() => expect(changes).toEqual(['PUT', set]));
  expect(screen.getByRole('checkbox', { name: /announce/ })).toHaveFocus();
  for (const name of ['Remove limit', 'Reset points']) {
    screen.getByRole('button', { name }).focus();
    await person.keyboard('{Enter}');
    expect(screen.getByRole('button', { name })).toHaveFocus();
  }
  await vi.waitFor(() => expect(changes).toEqual(['PUT', set, 'PUT', { limit: null }, 'DELETE']));
});
