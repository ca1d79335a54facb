import { expect, test } from 'vitest';
import type { Waiting } from '../../../src/client/outbox/entry.ts';
import { createProjection } from '../../../src/client/outbox/projection.ts';
import type { ChecklistEdit } from '../../../src/domain/change.ts';
import { builtIn } from '../../../src/text/status-registry.ts';

const base = { epoch: 'e', seq: 1, text: '# Section\n- write the tests\n', rows: ['header-a', 'item-aaa'] };
const entry = (edit: ChecklistEdit, from: Waiting['base'] = base): Waiting => ({ id: 'one', at: 1, base: from, edit });
const target = { index: 1, text: 'write the tests' };
const reword = entry({ kind: 'updateChecklistItem', target, values: { text: 'write the tests today' } });

test('a row that is reworded here and moved and reworded by others shows once', () => {
  const moved = { text: '- please write the tests\n# Section\n', rows: ['item-aaa', 'header-a'] };
  expect(createProjection(() => builtIn).apply(moved, [reword])).toEqual({
    text: '- please write the tests today\n# Section\n',
    rows: ['item-aaa', 'header-a'],
  });
});

test('an added row has no id before the server has given it one', () => {
  const add = entry({ kind: 'addChecklistItemsFromText', text: 'new', index: 1 });
  expect(createProjection(() => builtIn).apply(base, [add])).toEqual({
    text: '# Section\n- new\n- write the tests\n',
    rows: ['header-a', '', 'item-aaa'],
  });
});

test('a row that is brought back has the id that it had', () => {
  const rest = { ...base, text: '# Section\n', rows: ['header-a'] };
  const edit = { kind: 'addChecklistItemsFromText', text: '- write the tests', index: 1, rows: ['item-aaa'] } as const;
  expect(createProjection(() => builtIn).apply(rest, [entry(edit, rest)]).rows).toEqual(['header-a', 'item-aaa']);
});

test('the rows of a text that was typed have the ids that it brings', () => {
  const text = '- write the tests\n- new\n# Section\n';
  const typed = entry({ kind: 'updateChecklistFromText', text, rows: ['item-aaa', 'item-bbb', 'header-a'] });
  expect(createProjection(() => builtIn).apply(base, [typed]).rows).toEqual(['item-aaa', 'item-bbb', 'header-a']);
});

test('without ids rows are found by what they say', () => {
  const { rows: _, ...unknown } = base;
  const tick = entry({ kind: 'setItemStatus', target, status: 'done' }, unknown);
  const theirs = { text: '# Section\n- new\n- write the tests\n' };
  expect(createProjection(() => builtIn).apply(theirs, [tick])).toEqual({
    text: '# Section\n- new\n+ write the tests\n',
  });
});
