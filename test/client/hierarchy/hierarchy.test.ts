import { expect, test, vi } from 'vitest';
import type { HostBridge } from '../../../src/bridge/bridge.ts';
import type { GraphqlClient } from '../../../src/client/graphql.ts';
import { countsOf, createHierarchy } from '../../../src/client/hierarchy/hierarchy.ts';
import { fakeBridge, status } from '../fake-bridge.ts';
import { type FakeTreeIssue, treeSite } from './site.ts';

const may = {
  canAddChecklistItems: true,
  canChangeItemStatuses: true,
  canDeleteChecklistItems: true,
  canEditChecklist: true,
  canImportTemplate: true,
};

function open(issues: readonly FakeTreeIssue[], key = 'T-1') {
  const site = treeSite(issues);
  const asked: string[][] = [];
  const state: { broken: boolean; total: number; unseen: Set<string>; hold: Promise<void> } = {
    ...{ broken: false, total: 2, unseen: new Set<string>(), hold: Promise.resolve() },
  };
  const query = async (_: unknown, { issueIds }: { issueIds: string[] }) => {
    asked.push(issueIds);
    if (state.broken) throw new Error('away');
    const found = issueIds.filter(id => !state.unseen.has(id));
    const figures = { total: state.total, checked: 1, mandatoryOpen: 0, permissions: may };
    await state.hold;
    return { checklistSummaries: found.map(issueId => ({ issueId, ...figures })) };
  };
  const graphql = { query } as unknown as GraphqlClient;
  const bridge: HostBridge = fakeBridge({ tracker: site.request });
  const hierarchy = createHierarchy({ bridge, graphql }, key);
  const counts = (id: string) => countsOf(hierarchy.get(), id);
  return { site, asked, state, hierarchy, counts };
}

const SMALL: FakeTreeIssue[] = [
  { id: '1' },
  { id: '2', parent: '1', links: [['9', 'blocks']] },
  { id: '9', links: [['2', 'is blocked by']] },
  { id: '11', parent: '9' },
];

test('the tree shows before the counts, which are requested a hundred at a time', async () => {
  const many = Array.from({ length: 230 }, (_, index) => ({ id: String(index + 2), parent: '1' }));
  const { hierarchy, asked } = open([{ id: '1' }, ...many]);
  const sizes: [number, number][] = [];
  hierarchy.subscribe(() => {
    const { tree, summaries } = hierarchy.get();
    sizes.push([tree?.issues.size ?? 0, summaries.size]);
  });
  await hierarchy.refresh();
  expect(asked.map(ids => ids.length)).toEqual([100, 100, 31]);
  expect(sizes.filter(([, figures]) => figures === 0).map(([issues]) => issues)).toEqual(
    expect.arrayContaining([101, 201, 231]),
  );
  expect(hierarchy.get()).toMatchObject({ reading: undefined, summaryError: undefined, waitsUntil: undefined });
});

test('a refreshed tree replaces the previous one, at once', async () => {
  const { hierarchy, site, state, counts } = open(SMALL);
  await hierarchy.refresh();
  site.issues.set('3', { id: '3', parent: '1' });
  site.issues.delete('2');
  state.total = 5;
  const sizes: number[] = [];
  hierarchy.subscribe(() => sizes.push(hierarchy.get().tree?.issues.size ?? 0));
  await hierarchy.refresh();
  expect([...(hierarchy.get().tree?.issues.keys() ?? [])]).toEqual(['1', '3']);
  // A partial tree never replaces a whole one.
  expect(new Set(sizes)).toEqual(new Set([3, 2]));
  expect(counts('3')).toMatchObject({ total: 5 });
});

test('a failed refresh keeps the tree', async () => {
  const { hierarchy, site } = open(SMALL);
  await hierarchy.refresh();
  site.faults.push(() => status(500, 'Down.'));
  await expect(hierarchy.refresh()).rejects.toThrow();
  expect(hierarchy.get().tree?.issues.size).toBe(3);
  expect(hierarchy.get().reading).toBeUndefined();
});

test('a checklist that is not visible differs from counts that failed', async () => {
  const { hierarchy, state, counts } = open(SMALL);
  state.unseen.add('2');
  await hierarchy.refresh();
  expect(hierarchy.get().summaries.get('2')).toBeNull();
  expect(counts('2')).toBeUndefined();
  state.broken = true;
  await hierarchy.refresh();
  expect(hierarchy.get().summaryError).toEqual(new Error('away'));
  expect(counts('1')).toMatchObject({ total: 2 });
  state.broken = false;
  state.unseen.clear();
  hierarchy.retry();
  await vi.waitFor(() => expect(hierarchy.get().summaryError).toBeUndefined());
  expect(counts('2')).toMatchObject({ total: 2 });
});

test('an open checklist has its shown counts, a closed one those that were read', async () => {
  const { hierarchy, counts, state } = open(SMALL);
  await hierarchy.refresh();
  hierarchy.learn('1', { total: 7, checked: 7, mandatoryOpen: 0 });
  state.total = 3;
  hierarchy.stale(['1', '2', '77']);
  await vi.waitFor(() => expect(counts('2')).toMatchObject({ total: 3 }));
  expect(counts('1')).toMatchObject({ total: 7 });
  hierarchy.learn('1', undefined);
  expect(counts('1')).toMatchObject({ total: 3 });
});

test('an answer after a newer one is ignored', async () => {
  const { hierarchy, state, asked, counts } = open(SMALL);
  await hierarchy.refresh();
  asked.length = 0;
  let release = () => {};
  state.hold = new Promise<void>(resolve => {
    release = resolve;
  });
  const slow = hierarchy.refresh();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  Object.assign(state, { hold: Promise.resolve(), total: 9 });
  hierarchy.stale(['2']);
  await vi.waitFor(() => expect(counts('2')).toMatchObject({ total: 9 }));
  release();
  await slow;
  expect(counts('2')).toMatchObject({ total: 9 });
  expect(counts('1')).toMatchObject({ total: 2 });
});

test('several stale counts are read at once, of issues in the tree only', async () => {
  const { hierarchy, asked } = open(SMALL);
  await hierarchy.refresh();
  asked.length = 0;
  for (const id of ['2', '1', '2', '77']) hierarchy.stale([id]);
  await vi.waitFor(() => expect(asked).toEqual([['1', '2']]));
  hierarchy.stale(['1']);
  hierarchy.stop();
});

test('after a gap all counts requested before are read again, also during a reading', async () => {
  const many = Array.from({ length: 130 }, (_, index) => ({ id: String(index + 2), parent: '1' }));
  const { hierarchy, asked, state, counts } = open([{ id: '1' }, ...many]);
  hierarchy.gap();
  let release = () => {};
  state.hold = new Promise<void>(resolve => {
    release = resolve;
  });
  const reading = hierarchy.refresh();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const [first = []] = asked;
  state.total = 9;
  hierarchy.gap();
  state.hold = Promise.resolve();
  release();
  await reading;
  await vi.waitFor(() => expect(counts(first[0] ?? '')).toMatchObject({ total: 9 }));
  // The rest was requested after it.
  expect(asked.map(ids => ids.length)).toEqual([100, 31, 100]);
  expect(asked.at(-1)?.toSorted()).toEqual(first.toSorted());
});

test('descendants of a linked issue that arrive during a refresh stay', async () => {
  const { hierarchy } = open(SMALL);
  await hierarchy.refresh();
  // The whole tree takes more calls, and so ends later.
  await Promise.all([hierarchy.refresh(), hierarchy.grow('9')]);
  expect(hierarchy.get().tree?.children.get('9')).toEqual(['11']);
});

test('descendants of a linked issue stay after a refresh; a failure rejects', async () => {
  const { hierarchy, site, asked } = open(SMALL);
  await hierarchy.refresh();
  expect(hierarchy.get().tree?.children.has('9')).toBe(false);
  site.faults.push(asked => (asked === 'children 9' ? status(500, 'Down.') : undefined));
  await expect(hierarchy.grow('9')).rejects.toThrow();
  expect(hierarchy.get().growing.size).toBe(0);
  site.faults.length = 0;
  asked.length = 0;
  await Promise.all([hierarchy.grow('9'), hierarchy.grow('9')]);
  expect(hierarchy.get().tree?.children.get('9')).toEqual(['11']);
  expect(asked).toEqual([['11']]);
  await hierarchy.refresh();
  expect(hierarchy.get().tree?.children.get('9')).toEqual(['11']);
});
