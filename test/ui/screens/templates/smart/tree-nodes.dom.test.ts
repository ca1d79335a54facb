import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TemplateFolder } from '../../../../../src/client/admin/template-views.ts';
import { moveBy, nodesOf, type TreeNode } from '../../../../../src/ui/screens/templates/smart/template-tree.tsx';

const filed = (id: string, name: string) => ({ id, name, itemCount: 1, isDefault: false, updated: '' });
const folders: TemplateFolder[] = [
  { projectId: '11', mayChange: true, templates: [filed('3', 'Release')] },
  { projectId: null, mayChange: false, templates: [filed('1', 'Done'), filed('2', 'Release train')] },
  { projectId: '9', mayChange: true, templates: [] },
];
const names = new Map([
  ['11', 'Shop 10'],
  ['9', 'Shop 2'],
]);
const closed = new Set<string>();
const words = (nodes: readonly TreeNode[]) =>
  nodes.map(node => (node.kind === 'folder' ? `${node.name} ${node.count}` : `  ${node.template.name}`));

test('the site comes first, projects by name, with numeric order of numbers', () => {
  expect(words(nodesOf({ folders, names, search: '', closed }))).toEqual([
    'Whole site 2',
    '  Done',
    '  Release train',
    'Shop 2 0',
    'Shop 10 1',
    '  Release',
  ]);
});

test('a search leaves matches, in expanded folders, regardless of case and white space', () => {
  const collapsed = new Set(['folder ', 'folder 11']);
  expect(words(nodesOf({ folders, names, search: '', closed: collapsed }))).toEqual([
    'Whole site 2',
    'Shop 2 0',
    'Shop 10 1',
  ]);
  expect(words(nodesOf({ folders, names, search: ' RELEASE ', closed: collapsed }))).toEqual([
    'Whole site 1',
    '  Release train',
    'Shop 10 1',
    '  Release',
  ]);
  expect(nodesOf({ folders, names, search: 'none', closed })).toEqual([]);
});

const name = fc.constantFrom('Release', 'Done', 'Release train', 'Ümlaut', 'a');
const folder = fc.record({
  projectId: fc.option(fc.nat({ max: 9 }).map(String)),
  mayChange: fc.boolean(),
  templates: fc.uniqueArray(
    fc.tuple(fc.uuid(), name).map(([id, called]) => filed(id, called)),
    {
      maxLength: 6,
      selector: ({ id }) => id,
    },
  ),
});
const trees = fc.record({
  folders: fc.uniqueArray(folder, { maxLength: 5, selector: ({ projectId }) => projectId }),
  names: fc.constant(names),
  search: fc.constantFrom('', 'rel', 'ü', 'none'),
  closed: fc.subarray(['folder ', 'folder 1', 'folder 2']).map(keys => new Set(keys)),
});

test('keys move to visible nodes, and reach each of them', () => {
  fc.assert(
    fc.property(trees, tree => {
      const nodes = nodesOf(tree);
      const keys = nodes.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      for (const [at, node] of nodes.entries()) {
        for (const key of ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Home', 'End']) {
          const move = moveBy(key, nodes, at);
          if (move && 'to' in move) expect(keys).toContain(move.to);
          if (move && 'toggle' in move) expect(node).toMatchObject({ kind: 'folder', key: move.toggle });
        }
        expect(moveBy('ArrowDown', nodes, at)).toEqual({ to: keys[Math.min(at + 1, keys.length - 1)] });
        expect(moveBy('x', nodes, at)).toBeUndefined();
      }
    }),
  );
});
