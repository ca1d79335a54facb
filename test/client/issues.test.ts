import { expect, test, vi } from 'vitest';
import { createIssues } from '../../src/client/issues.ts';
import { findIssues } from '../../src/client/tracker/find-issues.ts';
import { fakeBridge, type Handler, status } from './fake-bridge.ts';

const bean = (key: string) => ({
  id: `id-${key}`,
  key,
  fields: {
    summary: `About ${key}`,
    assignee: null,
    priority: null,
    status: { name: 'Done', statusCategory: { colorName: 'green' } },
    issuetype: { iconUrl: 'https://t.example/task.svg' },
  },
});
const keyOf = (path: string) => path.split('/').at(-1) ?? '';

const site =
  (keys: readonly string[]): Handler =>
  (path, { query }) => {
    if (path.endsWith('/issue/picker')) {
      const issues = keys.map(key => ({ key, id: 1 }));
      return { sections: [{ id: 'hs' }, { id: 'cs', issues }] };
    }
    if (path.endsWith('/search/jql')) {
      const wanted = /\((.*)\)/.exec(String(query?.jql))?.[1]?.split(', ') ?? [];
      return { issues: wanted.map(bean).reverse() };
    }
    return bean(keyOf(path));
  };

test('issues are found by the prefix of a key, with the fields that the picker lacks', async () => {
  const bridge = fakeBridge({ tracker: site(['WEB-12', 'WEB-1', 'APP-1', 'WEB-2', 'WEB-1']) });
  const found = await findIssues(bridge, 'WEB-1');
  expect(found.map(({ key, name, status }) => [key, name, status.title, status.lozenge])).toEqual([
    ['WEB-1', 'About WEB-1', 'Done', 'success'],
    ['WEB-12', 'About WEB-12', 'Done', 'success'],
  ]);
  expect(bridge.calls.map(({ path, init }) => [path, init.query?.query ?? init.query?.jql])).toEqual([
    ['/rest/api/2/issue/picker', 'WEB-1'],
    ['/rest/api/3/search/jql', 'key in (WEB-1, WEB-12)'],
  ]);
});

test('at most ten issues are returned, and none without a second call', async () => {
  const many = Array.from({ length: 15 }, (_, index) => `WEB-${index + 1}`);
  expect(await findIssues(fakeBridge({ tracker: site(many) }), 'WEB-')).toHaveLength(10);
  const none = fakeBridge({ tracker: site([]) });
  expect(await findIssues(none, 'UTF-8')).toEqual([]);
  expect(none.calls).toHaveLength(1);
});

test.each<[string, Handler]>([
  ['no JSON', () => status(200, '<html>')],
  ['nothing', () => ({})],
  ['keys that are none', () => ({ sections: [{ issues: [{ key: 'WEB-1) OR (1' }] }] })],
])('an answer of %s is no issue', async (_what, tracker) => {
  expect(await findIssues(fakeBridge({ tracker }), 'WEB-')).toEqual([]);
});

test('a refusal rejects', async () => {
  await expect(findIssues(fakeBridge({ tracker: () => status(403, 'No.') }), 'WEB-')).rejects.toThrow('No.');
});

test('each issue is requested once, no more than four at a time', async () => {
  let [open, most] = [0, 0];
  const release: (() => void)[] = [];
  const bridge = fakeBridge({
    tracker: path =>
      new Promise<object>(resolve => {
        most = Math.max(most, ++open);
        release.push(() => {
          open--;
          resolve(bean(keyOf(path)));
        });
      }),
  });
  const issues = createIssues(bridge);
  const keys = Array.from({ length: 9 }, (_, index) => `WEB-${index + 1}`);
  for (const key of [...keys, ...keys]) issues.request(key);
  for (let done = 0; done < 9; done++) {
    await vi.waitFor(() => expect(release.length).toBeGreaterThan(0));
    release.shift()?.();
  }
  await vi.waitFor(() => expect(issues.get().size).toBe(9));
  expect(most).toBe(4);
  expect(bridge.calls).toHaveLength(9);
});

test('an issue that is missing or not visible is null; a failed request is repeated later', async () => {
  let now = 0;
  const bridge = fakeBridge({
    tracker: path => status(path.endsWith('WEB-1') ? 404 : path.endsWith('WEB-2') ? 403 : 500, 'Oh.'),
  });
  const issues = createIssues(bridge, () => now);
  const ask = () => {
    for (const key of ['WEB-1', 'WEB-2', 'WEB-3']) issues.request(key);
  };
  ask();
  await vi.waitFor(() => expect(issues.get().size).toBe(2));
  expect([...issues.get()]).toEqual([
    ['WEB-1', null],
    ['WEB-2', null],
  ]);
  await vi.waitFor(() => expect(bridge.calls).toHaveLength(3));
  ask();
  expect(bridge.calls).toHaveLength(3);
  now = 60_000;
  bridge.tracker = path => bean(keyOf(path));
  ask();
  await vi.waitFor(() => expect(issues.get().get('WEB-3')).toMatchObject({ name: 'About WEB-3' }));
  expect(bridge.calls).toHaveLength(4);
});

test('a searched issue is not requested again', () => {
  const bridge = fakeBridge();
  const issues = createIssues(bridge);
  issues.learn([]);
  const summary = {
    id: '1',
    key: 'WEB-1',
    link: '/browse/WEB-1',
    name: 'S',
    assignee: undefined,
    priority: undefined,
    status: { title: 'Done', color: 'green', lozenge: 'success' as const, icon: '' },
  };
  issues.learn([summary]);
  issues.request('WEB-1');
  expect(issues.get().get('WEB-1')).toBe(summary);
  expect(bridge.calls).toEqual([]);
});
