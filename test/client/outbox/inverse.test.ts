import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inverses } from '../../../src/client/outbox/inverse.ts';
import type { ChecklistEdit } from '../../../src/domain/change.ts';
import { performEdit } from '../../../src/text/perform.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { runs } from '../../run/seed.ts';
import { acknowledged, opened, property } from '../world.ts';

const taking = (before: string, after: string, current = after) =>
  inverses({ text: before }, { epoch: 'e', seq: 1, text: after }, readChecklist(current), () => true);
const inverse = (before: string, after: string, current = after) => taking(before, after, current)[0]?.edit;
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
])('%s is undone by an edit that requires no further permission', (_, before, after, edit) => {
  expect(inverse(before, after)).toEqual(edit);
});

test('later foreign changes stay', () => {
  expect(undone('- a\n- b', '- a\n+ b', '- new\n+ a\n+ b')).toBe('- new\n+ a\n- b');
  expect(undone('- a\n- b\n- c', '- b\n- c', '+ b\n- c')).toBe('- a\n+ b\n- c');
});

test.each([
  ['replaced them', '- Visit our lawyer\n', undefined],
  ['added to them', '- Call the bank today\n', undefined],
  ['changed the row elsewhere', '- Call the bank\n> by phone\n', '- Ask our client\n> by phone\n'],
])('words stay when the own ones are undone and another user has %s', (_, current, expected) => {
  const rows = ['r'.repeat(20)];
  const [before, after] = [
    { text: '- Ask our client\n', rows },
    { epoch: 'e', seq: 1, text: '- Call the bank\n', rows },
  ];
  const checklist = readChecklist(current);
  const [inverse] = inverses(before, after, checklist, () => true, rows);
  expect(inverse ? performEdit(checklist, inverse.edit) : undefined).toBe(expected);
});

test('a deleted row that another user has ticked since is added once', async () => {
  const { store, mutations, reads } = await opened('- A\n- B\n- C\n');
  const change = store.change({ kind: 'clearChecklist' });
  await mutations.answer(acknowledged({ seq: 2, text: '' }));
  await change.outcome;
  const refreshed = store.refresh();
  await reads.answer(property({ seq: 3, text: '+ B\n' }));
  await refreshed;
  for (const { edit, base } of store.inverse(change.id, () => true)) store.change(edit, base);
  expect(store.get()?.text).toBe('- A\n+ B\n- C\n');
});

test('rows that another user may have reworded are restored on the text after the change', () => {
  const after = { epoch: 'e', seq: 1, text: '- a\n' };
  const made = '- a\n- call the customer\n';
  const edit = { kind: 'addChecklistItemsFromText', text: '- call the customer\n', index: 1 };
  const current = readChecklist('- a\n- quite another thing\n');
  expect(inverses({ text: made }, after, current, () => true)).toEqual([{ edit, base: after }]);
});

test('without the permission to write the text several groups of rows are added one by one', () => {
  const current = '- b\n+ c\n';
  const may = ({ kind }: ChecklistEdit) => kind === 'addChecklistItemsFromText';
  const after = { epoch: 'e', seq: 1, text: '- b\n' };
  expect(inverses({ text: '- a\n- b\n- c\n- d\n' }, after, readChecklist(current), may)).toEqual([
    { edit: { kind: 'addChecklistItemsFromText', text: '- d\n', index: 2 }, base: { ...after, text: current } },
    { edit: { kind: 'addChecklistItemsFromText', text: '- a\n', index: 0 }, base: { ...after, text: current } },
  ]);
});

test('where nothing of a change is left nothing is undone', () => {
  expect(inverse('- a', '+ a', '- a')).toBeUndefined();
  expect(inverse('- a', '- a')).toBeUndefined();
});

test.each(['before', 'after'])('a server edit is undone, its text being read %s the answer', async when => {
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
  const [{ edit } = {}] = store.inverse(change.id, () => true);
  if (!edit) throw new Error('There is nothing to undo.');
  expect(performEdit(readChecklist('- a\n- b'), edit).trimEnd()).toBe('- a');
});

test('on its own result every change is undone to the text before', () => {
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

test('removed rows with foreign changes are restored once, with those changes', () => {
  const words = ['call the customer', 'write the report', 'buy 12 apples', 'ship it', 'zip archive'];
  const othersLine = fc.constantFrom<(says: string) => string>(
    says => `- ${says}`,
    says => `+ ${says}`,
    says => `~ ${says} [~accountid:anna]`,
  );
  const row = fc.record({ removed: fc.boolean(), revived: fc.boolean(), others: othersLine });
  fc.assert(
    fc.property(
      fc.shuffledSubarray(words, { minLength: 1 }),
      fc.array(row, { minLength: 5, maxLength: 5 }),
      (rows, fates) => {
        const text = (lines: readonly string[]) => lines.map(line => `${line}\n`).join('');
        const fateOf = (index: number) =>
          fates[index] ?? { removed: false, revived: false, others: (says: string) => says };
        const before = text(rows.map(says => `- ${says}`));
        const after = text(rows.flatMap((says, index) => (fateOf(index).removed ? [] : [`- ${says}`])));
        const stands = (index: number) => !fateOf(index).removed || fateOf(index).revived;
        const current = text(rows.flatMap((says, index) => (stands(index) ? [fateOf(index).others(says)] : [])));
        const expected = text(rows.map((says, index) => (stands(index) ? fateOf(index).others(says) : `- ${says}`)));
        expect(undone(before, after, current)).toBe(expected);
      },
    ),
    runs(1000),
  );
});
