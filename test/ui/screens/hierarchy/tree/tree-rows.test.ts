import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growTree, readTree } from '../../../../../src/client/hierarchy/grow.ts';
import { branchOf, type Counts, type IssueTree } from '../../../../../src/client/hierarchy/tree.ts';
import { throttled } from '../../../../../src/client/tracker/throttle.ts';
import {
  rowsOf,
  stepOf,
  type TreeFilter,
  type TreeRow,
  wholeTree,
} from '../../../../../src/ui/screens/hierarchy/tree/tree-rows.ts';
import { fakeBridge } from '../../../../client/fake-bridge.ts';
import { type FakeTreeIssue, treeSite } from '../../../../client/hierarchy/site.ts';

const SMALL: FakeTreeIssue[] = [
  { id: '1' },
  { id: '2', parent: '1', links: [['9', 'blocks']] },
  { id: '3', parent: '1', links: [['5', 'blocks']] },
  { id: '4', parent: '2', subtask: true },
  { id: '5', parent: '2', subtask: true, links: [['3', 'is blocked by']] },
  { id: '6', parent: '3', subtask: true },
  {
    id: '9',
    links: [
      ['2', 'is blocked by'],
      ['10', 'blocks'],
      ['11', 'blocks'],
    ],
  },
  {
    id: '10',
    links: [
      ['9', 'is blocked by'],
      ['11', 'blocks'],
    ],
  },
  {
    id: '11',
    links: [
      ['10', 'is blocked by'],
      ['9', 'is blocked by'],
    ],
  },
];

async function treeOf(issues: readonly FakeTreeIssue[], key: string, grown: string[] = []): Promise<IssueTree> {
  const { request } = treeSite(issues);
  const calls = throttled(fakeBridge({ tracker: request }), { signal: undefined, onWait: () => undefined });
  return growTree(calls, await readTree(calls, key, [], () => undefined), grown);
}

interface Options {
  filter?: Partial<TreeFilter>;
  toggled?: { get(path: string): boolean | undefined };
  counts?: Record<string, Counts>;
  kept?: string[];
}
const look = (tree: IssueTree, { filter, toggled = new Map(), counts = {}, kept = [] }: Options = {}) =>
  rowsOf({
    tree,
    toggled,
    filter: { ...wholeTree, ...filter },
    countsOf: id => counts[id],
    kept: new Set(kept),
  });
/** Rows as an outline: `--2` is at level two, `~` marks a linked issue, `*` one that is elsewhere in the tree. */
const outline = (rows: readonly TreeRow[]) =>
  rows.map(
    ({ issue, level, relation, repeated }) =>
      `${'-'.repeat(level - 1)}${relation === undefined ? '' : '~'}${issue.id}${repeated ? '*' : ''}`,
  );
const every = { get: () => true };

describe('rows', () => {
  test('at first the path to the issue and its children are expanded', async () => {
    expect(outline(look(await treeOf(SMALL, 'T-1')))).toEqual(['1', '-2', '--4', '--5', '--~9', '-3', '--6', '--~5*']);
    expect(outline(look(await treeOf(SMALL, 'T-5')))).toEqual(['1', '-2', '--4', '--5', '---~3*', '--~9', '-3']);
  });

  test('each row has its level, position, set size and whether it is expanded', async () => {
    const [top, second] = look(await treeOf(SMALL, 'T-1'));
    expect(top).toMatchObject({ level: 1, position: 1, size: 1, expandable: true, expanded: true, path: '/1' });
    expect(second).toMatchObject({ level: 2, position: 1, size: 2, relation: undefined, path: '/1/2' });
    const closed = look(await treeOf(SMALL, 'T-1'), { toggled: new Map([['/1/2', false]]) });
    expect(outline(closed)).toEqual(['1', '-2', '-3', '--6', '--~5*']);
    expect(closed[1]).toMatchObject({ expandable: true, expanded: false });
  });

  test('circular links end at the issue that the tree has already', async () => {
    const tree = await treeOf(SMALL, 'T-1', ['9', '10', '11']);
    expect(outline(look(tree, { toggled: every }))).toEqual([
      ...['1', '-2', '--4', '--5', '---~3*', '--~9', '---~10', '----~11', '-----~9*', '---~11*', '-3', '--6', '--~5*'],
    ]);
    expect(outline(look(tree, { toggled: every, filter: { links: false } }))).toEqual([
      ...['1', '-2', '--4', '--5', '-3', '--6'],
    ]);
  });

  test('a filter shows matches with all their ancestors, at every level', async () => {
    const tree = await treeOf(SMALL, 'T-4');
    const closed = new Map([['/1', false]]);
    expect(outline(look(tree, { filter: { text: ' t-6 ' }, toggled: closed }))).toEqual(['1', '-3', '--6']);
    expect(outline(look(tree, { filter: { text: 'issue 9' } }))).toEqual(['1', '-2', '--~9']);
    expect(look(tree, { filter: { text: 'nothing' } })).toEqual([]);
    const counts = {
      4: { total: 2, checked: 2, mandatoryOpen: 0 },
      5: { total: 2, checked: 1, mandatoryOpen: 0 },
      6: { total: 2, checked: 0, mandatoryOpen: 1 },
    };
    expect(outline(look(tree, { filter: { show: 'open' }, counts }))).toEqual(['1', '-2', '--5', '-3', '--6']);
    expect(outline(look(tree, { filter: { show: 'mandatory' }, counts }))).toEqual(['1', '-3', '--6']);
    // A row with unsaved input stays in the list.
    expect(outline(look(tree, { filter: { show: 'mandatory' }, counts, kept: ['4'] }))).toEqual([
      ...['1', '-2', '--4', '-3', '--6'],
    ]);
  });

  const sites = fc
    .array(
      fc.record({
        parent: fc.nat(9),
        links: fc.array(fc.tuple(fc.nat(9), fc.constantFrom('blocks', 'relates to')), { maxLength: 4 }),
      }),
      {
        minLength: 1,
        maxLength: 10,
      },
    )
    .map(all =>
      all.map(({ parent, links }, index) => ({
        id: String(index),
        ...(parent < 8 && { parent: String(parent) }),
        links: links.map(([other, words]) => [String(other), words] as const),
      })),
    );
  test('for any links the expanded tree is finite, and each row has its own path', async () => {
    await fc.assert(
      fc.asyncProperty(sites, fc.boolean(), async (issues, filtered) => {
        const tree = await treeOf(
          issues,
          'T-0',
          issues.map(({ id }) => id),
        );
        const rows = look(tree, { toggled: every, filter: { text: filtered ? 'issue' : '' } });
        expect(new Set(rows.map(({ path }) => path)).size).toBe(rows.length);
        const own = rows.filter(({ repeated }) => !repeated).map(({ issue }) => issue.id);
        expect(new Set(own).size).toBe(own.length);
        expect(branchOf(tree, tree.root).filter(id => !own.includes(id))).toEqual([]);
      }),
    );
  });
});

describe('keys', () => {
  const rows = async (toggled = new Map<string, boolean>()) => look(await treeOf(SMALL, 'T-1'), { toggled });
  const go = (all: readonly TreeRow[], at: number, key: string) => {
    const step = stepOf(all, at, key);
    return step && 'to' in step
      ? step.to.path
      : step && 'toggle' in step
        ? step.toggle.map(({ path }) => path)
        : step && 'work';
  };

  test('move through the rows as in a treegrid', async () => {
    const all = await rows();
    expect(go(all, 0, 'ArrowDown')).toBe('/1/2');
    expect(go(all, 0, 'ArrowUp')).toBeUndefined();
    expect(go(all, 1, 'ArrowUp')).toBe('/1');
    expect(go(all, 2, 'End')).toBe('/1/3/~5');
    expect(go(all, 2, 'Home')).toBe('/1');
    expect(go(all, 0, 'PageDown')).toBe('/1/3/~5');
    expect(go(all, 7, 'PageUp')).toBe('/1');
    expect(go(all, 1, 'ArrowRight')).toBe('/1/2/4');
    expect(go(all, 2, 'ArrowRight')).toBeUndefined();
    expect(go(all, 1, 'ArrowLeft')).toEqual(['/1/2']);
    expect(go(all, 2, 'ArrowLeft')).toBe('/1/2');
    expect(go(all, 2, 'Enter')).toBe('work');
    expect(go(all, 2, ' ')).toBe('work');
    expect(go(all, 2, 'F2')).toBeUndefined();
    expect(stepOf([], 0, 'ArrowDown')).toBeUndefined();
  });

  test('expand one row or all its siblings, and find by a letter', async () => {
    const all = await rows(
      new Map([
        ['/1/2', false],
        ['/1/3', false],
      ]),
    );
    expect(go(all, 1, 'ArrowRight')).toEqual(['/1/2']);
    expect(go(all, 1, '*')).toEqual(['/1/2', '/1/3']);
    expect(go(all, 0, '*')).toBeUndefined();
    expect(go(all, 0, 'i')).toBe('/1/2');
    expect(go(all, 2, 't')).toBe('/1');
    expect(go(all, 0, 'z')).toBeUndefined();
  });
});
