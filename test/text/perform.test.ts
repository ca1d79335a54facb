import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RowEdit } from '../../src/domain/change.ts';
import { ChangedMeanwhile } from '../../src/text/errors.ts';
import { performEdit } from '../../src/text/perform.ts';
import { readChecklist } from '../../src/text/read.ts';

test.each(['constructor', 'toString', '__proto__'])('an account called %s is no member of every object', person => {
  const text = `- ask [~accountid:${person}] first`;
  const target = { index: 0, text: text.slice(2) };
  const clear = (names?: Record<string, string>) =>
    performEdit(readChecklist(text), {
      kind: 'updateChecklistItem',
      target,
      values: { assignee: null, ...(names && { names }) },
    });
  expect(() => clear()).toThrow('name is needed');
  expect(clear({ [person]: 'Ana' })).toBe('- ask Ana first');
});

test('changes of several rows are each made where the row is, whatever the others do', () => {
  const text = '# One\n- a\n> of a\n- b\n- c';
  const [a, b, c] = ['a', 'b', 'c'].map((name, at) => ({ index: at + 1, text: name }));
  if (!a || !b || !c) throw new Error('three rows');
  const change = (...edits: RowEdit[]) => performEdit(readChecklist(text), { kind: 'changeChecklistItems', edits });
  expect(
    change(
      { kind: 'deleteChecklistItem', target: a },
      { kind: 'updateChecklistItem', target: b, values: { text: 'B', mandatory: true } },
      { kind: 'setItemStatus', target: c, status: 'done' },
    ),
  ).toBe('# One\n- ! B\n+ c');
  // One refused edit prevents the others.
  expect(() =>
    change(
      { kind: 'setItemStatus', target: c, status: 'done' },
      { kind: 'setItemStatus', target: { index: 0, text: 'One' }, status: 'done' },
    ),
  ).toThrow('header');
  expect(() =>
    change({ kind: 'setItemStatus', target: c, status: 'done' }, { kind: 'deleteChecklistItem', target: c }),
  ).toThrow(ChangedMeanwhile);
});

test('several ticks lead where one after the other does', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('-', '+', '~', 'x', ''), fc.boolean()), { maxLength: 8 }), made => {
      const checklist = readChecklist(made.map(([mark], i) => `${mark} item ${i}\n`).join(''));
      const edits = made.flatMap(([, chosen], index): RowEdit[] =>
        chosen
          ? [{ kind: 'setItemStatus', target: { index, text: checklist.rows[index]?.text ?? '' }, status: 'done' }]
          : [],
      );
      const single = edits.reduce((now, edit) => readChecklist(performEdit(now, edit)), checklist);
      expect(performEdit(checklist, { kind: 'changeChecklistItems', edits })).toBe(single.text);
    }),
  );
});
