import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inverseEdit } from '../../../src/client/outbox/inverse.ts';
import { performEdit } from '../../../src/text/perform.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { acknowledged, opened, property } from '../world.ts';

const inverse = (before: string, after: string, current = after) => inverseEdit(before, after, readChecklist(current));
const undone = (before: string, after: string, current = after) => {
  const edit = inverse(before, after, current);
  return edit ? performEdit(readChecklist(current), edit) : current;
};

test.each([
  ['a tick', '- a\n- b', '- a\n+ b', { kind: 'setItemStatus', target: { index: 1, text: 'b' }, status: 'todo' }],
  ['an added item', '- a\n', '- a\n- b\n', { kind: 'deleteChecklistItem', target: { index: 1, text: 'b' } }],
  ['the first item', '', '- a\n', { kind: 'clearChecklist' }],
  [
    'several ticks',
    '- a\n~ b\n- c',
    '+ a\n+ b\n- c',
    {
      kind: 'changeChecklistItems',
      edits: [
        { kind: 'setItemStatus', target: { index: 0, text: 'a' }, status: 'todo' },
        { kind: 'setItemStatus', target: { index: 1, text: 'b' }, status: 'in_progress' },
      ],
    },
  ],
  [
    'several added items',
    '- a\n',
    '- a\n- b\n- c\n',
    {
      kind: 'changeChecklistItems',
      edits: [
        { kind: 'deleteChecklistItem', target: { index: 1, text: 'b' } },
        { kind: 'deleteChecklistItem', target: { index: 2, text: 'c' } },
      ],
    },
  ],
  ['a deletion', '- a\n> note\n- b', '- b', { kind: 'addChecklistItemsFromText', text: '- a\n> note\n', index: 0 }],
  ['a clearing', '# H\n- a\n', '', { kind: 'updateChecklistFromText', text: '# H\n- a\n' }],
  ['a deletion at the end', '- a\n- b\n', '- a\n', { kind: 'addChecklistItemsFromText', text: '- b\n', index: 1 }],
  [
    'the deletion of rows that did not stand together',
    '- a\n- b\n- c',
    '- b\n',
    { kind: 'updateChecklistFromText', text: '- a\n- b\n- c' },
  ],
])('%s is taken back by an edit that needs no more than it takes', (_, before, after, edit) => {
  expect(inverse(before, after)).toEqual(edit);
});

test('what others did since stays', () => {
  expect(undone('- a\n- b', '- a\n+ b', '- new\n+ a\n+ b')).toBe('- new\n+ a\n- b');
  expect(undone('- a\n- b\n- c', '- b\n- c', '+ b\n- c')).toBe('- a\n+ b\n- c');
});

test('where nothing of it is left there is nothing to take back', () => {
  expect(inverse('- a', '+ a', '- a')).toBeUndefined();
  expect(inverse('- a', '- a')).toBeUndefined();
});

test.each(['before', 'after'])(
  'what only the server can make is undone, its text being read %s the answer',
  async when => {
    const { store, mutations, reads } = await opened('- a');
    const change = store.change({ kind: 'applyTemplateToChecklist', templateIds: ['1'], mode: 'APPEND' });
    const read = async () => {
      const refreshed = store.refresh();
      await reads.answer(property({ seq: 2, text: '- a\n- b' }));
      await refreshed;
    };
    if (when === 'before') await read();
    await mutations.answer(acknowledged({ seq: 2, text: '- a\n- b' }));
    await change.outcome;
    if (when === 'after') await read();
    const [edit] = store.inverse(change.id, () => true);
    if (!edit) throw new Error('There is nothing to undo.');
    expect(performEdit(readChecklist('- a\n- b'), edit).trimEnd()).toBe('- a');
  },
);

test('on the text that it led to, every change is undone to the text before', () => {
  const line = fc
    .tuple(fc.constantFrom('-', '+', '~', 'x', '#'), fc.constantFrom('a', 'b', 'c', 'd'))
    .map(row => row.join(' '));
  const text = fc
    .uniqueArray(line, { maxLength: 6, selector: row => row.slice(2) })
    .map(rows => rows.map(row => `${row}\n`).join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(undone(before, after)).toBe(before);
    }),
  );
});
