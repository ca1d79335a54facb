import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TrackerError } from '../../../src/client/errors.ts';
import { growTree, MAX_ISSUES, readTree } from '../../../src/client/hierarchy/grow.ts';
import { parseTreeIssue } from '../../../src/client/hierarchy/issue.ts';
import { branchOf, type IssueTree, pathTo, rollUps } from '../../../src/client/hierarchy/tree.ts';
import { type Throttled, throttled } from '../../../src/client/tracker/throttle.ts';
import { fakeBridge, status } from '../fake-bridge.ts';
import { type FakeTreeIssue, treeSite } from './site.ts';

function siteOf(issues: readonly FakeTreeIssue[]) {
  const site = treeSite(issues);
  const calls: Throttled = throttled(fakeBridge({ tracker: site.request }), {
    signal: undefined,
    onWait: () => undefined,
  });
  const progress: IssueTree[] = [];
  return {
    site,
    progress,
    read: (key: string, grown: string[] = []) => readTree(calls, key, grown, now => progress.push(now)),
    calls,
  };
}
const shape = ({ children }: IssueTree) => Object.fromEntries([...children].filter(([, ids]) => ids.length > 0));

const SMALL: FakeTreeIssue[] = [
  { id: '1' },
  { id: '2', parent: '1', links: [['9', 'blocks']] },
  { id: '3', parent: '1' },
  { id: '4', parent: '2', subtask: true },
  {
    id: '5',
    parent: '2',
    subtask: true,
    links: [
      ['3', 'blocks'],
      ['8', 'relates to'],
    ],
  },
  { id: '8', hidden: true },
  {
    id: '9',
    links: [
      ['2', 'is blocked by'],
      ['10', 'blocks'],
    ],
  },
  { id: '10', links: [['9', 'is blocked by']] },
  { id: '11', parent: '9' },
];

test('the tree starts at the topmost issue, whichever issue was requested', async () => {
  for (const id of ['1', '2', '5']) {
    const { read, site } = siteOf(SMALL);
    const tree = await read(`T-${id}`);
    expect(tree).toMatchObject({ root: '1', focus: id, more: false });
    expect(shape(tree)).toEqual({ 1: ['2', '3'], 2: ['4', '5'] });
    expect([...tree.issues.keys()].sort()).toEqual(['1', '2', '3', '4', '5', '9']);
    expect(pathTo(tree, '5')).toEqual(['1', '2', '5']);
    expect(branchOf(tree, '2')).toEqual(['2', '4', '5']);
    // Sub-tasks have no children.
    expect(site.asked.filter(asked => asked.startsWith('children'))).toEqual(['children 1', 'children 2,3']);
  }
});

test('an issue that is not visible is absent, as are its ancestors', async () => {
  const hide = (id: string) => SMALL.map(issue => (issue.id === id ? { ...issue, hidden: true } : issue));
  expect((await siteOf(SMALL).read('T-5')).issues.has('8')).toBe(false);
  const below = await siteOf(hide('1')).read('T-5');
  expect(below).toMatchObject({ root: '2', focus: '5' });
  expect([...below.issues.keys()].sort()).toEqual(['2', '3', '4', '5', '9']);
  expect(shape(below)).toEqual({ 2: ['4', '5'] });
  expect(shape(await siteOf(hide('2')).read('T-1'))).toEqual({ 1: ['3'] });
  await expect(siteOf(hide('5')).read('T-5')).rejects.toMatchObject({ status: 404 });
});

test('descendants of a linked issue are read on request, and cycles end', async () => {
  const { read, calls } = siteOf(SMALL);
  const tree = await growTree(calls, await read('T-2'), ['9']);
  expect(shape(tree)).toEqual({ 1: ['2', '3'], 2: ['4', '5'], 9: ['11'] });
  expect(tree.issues.get('10')?.links).toEqual([{ id: '9', words: 'is blocked by' }]);
  expect(shape(await read('T-2', ['9', '77']))).toEqual(shape(tree));
});

test('children are read a hundred per page, and each page is reported', async () => {
  const many = Array.from({ length: 250 }, (_, index) => ({ id: String(index + 2), parent: '1' }));
  const { read, site, progress } = siteOf([{ id: '1' }, ...many]);
  const tree = await read('T-1');
  expect(tree.children.get('1')).toHaveLength(250);
  expect(progress.map(({ issues }) => issues.size).slice(0, 3)).toEqual([101, 201, 251]);
  expect(site.asked.filter(asked => asked.startsWith('children')).map(asked => asked.split(',').length)).toEqual([
    ...[1, 1, 1, 100, 100, 50],
  ]);
});

test('of more than a thousand issues the first ones are returned, with a flag', async () => {
  const many = Array.from({ length: 1_200 }, (_, index) => ({ id: String(index + 2), parent: '1', subtask: true }));
  const tree = await siteOf([{ id: '1' }, ...many]).read('T-1');
  expect(tree.issues.size).toBe(MAX_ISSUES);
  expect(tree.more).toBe(true);
});

test('an issue deleted during the reading leaves all others', async () => {
  const { read, site } = siteOf(SMALL);
  site.faults.push(asked => {
    if (asked === 'children 2,3') site.issues.delete('3');
    return undefined;
  });
  expect(shape(await read('T-1'))).toEqual({ 1: ['2', '3'], 2: ['4', '5'] });
});

test('a refusal of the tracker rejects', async () => {
  const { read, site } = siteOf(SMALL);
  site.faults.push(asked => (asked.startsWith('children') ? status(400, 'Unbounded.') : undefined));
  await expect(read('T-1')).rejects.toThrow(TrackerError);
  site.faults.splice(0, 1, asked => (asked.startsWith('children') ? status(200, '<html>') : undefined));
  expect(shape(await read('T-2'))).toEqual({ 1: ['2'] });
});

test('invalid issues and links are left out', () => {
  const [one] = SMALL;
  const { request } = treeSite([
    {
      ...one,
      id: '1',
      links: [
        ['2', 'a'],
        ['2', 'a'],
        ['2', 'b'],
      ],
    },
  ]);
  const answer = JSON.parse(request('/issue/bulkfetch', { json: { issueIdsOrKeys: ['1'] } }).text);
  const [bean] = answer.issues;
  bean.fields.issuelinks.push(null, { type: {} }, { type: { inward: 'x', outward: 'y' } }, 7);
  expect(parseTreeIssue(bean)?.links).toEqual([{ id: '2', words: 'a, b' }]);
  expect(parseTreeIssue({ ...bean, fields: { ...bean.fields, parent: null, issuelinks: null } })).toMatchObject({
    parent: undefined,
    links: [],
  });
  for (const broken of [null, 7, {}, { ...bean, fields: { ...bean.fields, project: 'T' } }])
    expect(parseTreeIssue(broken)).toBeUndefined();
});

/** Parents and links of all kinds, including cycles. */
const sites = fc
  .array(fc.record({ parent: fc.nat(11), links: fc.array(fc.nat(11), { maxLength: 3 }), hidden: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  })
  .map(all =>
    all.map(
      ({ parent, links, hidden }, index): FakeTreeIssue => ({
        id: String(index),
        ...(parent < 10 && { parent: String(parent) }),
        links: links.map(other => [String(other), 'blocks'] as const),
        hidden: hidden && index > 0,
      }),
    ),
  );

test('for any parents and links each issue has one position, and hidden ones have none', async () => {
  await fc.assert(
    fc.asyncProperty(sites, async issues => {
      const { read, calls } = siteOf(issues);
      const tree = await read('T-0');
      const grown = await growTree(calls, tree, [...tree.issues.keys()]);
      for (const each of [tree, grown]) {
        const placed = [each.root, ...[...each.children.values()].flat()];
        expect(new Set(placed).size).toBe(placed.length);
        expect(branchOf(each, each.root)).toContain(each.focus);
        for (const id of [...each.issues.keys(), ...placed]) expect(issues[Number(id)]?.hidden).toBe(false);
      }
    }),
  );
});

test('the totals of a branch are the sums of its issues', async () => {
  await fc.assert(
    fc.asyncProperty(sites, fc.array(fc.nat(9), { minLength: 12, maxLength: 12 }), async (issues, totals) => {
      const tree = await siteOf(issues).read('T-0');
      const countsOf = (id: string) => {
        const total = totals[Number(id)] ?? 0;
        return total === 0 ? undefined : { total, checked: 1, mandatoryOpen: total - 1 };
      };
      const sums = rollUps(tree, countsOf, id => Number(id) % 2 === 0);
      for (const id of tree.issues.keys()) {
        const branch = branchOf(tree, id);
        const known = branch.flatMap(each => countsOf(each) ?? []);
        expect(sums.get(id)).toEqual({
          issues: branch.length,
          unknown: branch.length - known.length,
          changeable: branch.filter(each => Number(each) % 2 === 0).length,
          total: known.reduce((sum, { total }) => sum + total, 0),
          checked: known.length,
          mandatoryOpen: known.reduce((sum, { mandatoryOpen }) => sum + mandatoryOpen, 0),
        });
      }
    }),
  );
});
