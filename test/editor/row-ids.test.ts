import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { checklistField } from '../../src/editor/checklist.ts';
import { storedVersion, versionReceived } from '../../src/editor/collaboration/stored-version.ts';
import { checklistLanguage } from '../../src/editor/language.ts';
import { rowIds, rowIdsOf, setRowIds } from '../../src/editor/row-ids.ts';
import { stateOf } from './fixture.ts';

const ids = ['item-aaa', 'item-bbb', 'item-ccc'];

test('a row that goes back to its place without its last words is the same row', () => {
  const moved = stateOf('- a\n- b\n- write the tests today|\n').update({ effects: setRowIds.of(ids) }).state;
  const back = moved.update({
    changes: [
      { from: 0, insert: '- write the tests\n' },
      { from: 8, to: 32 },
    ],
  }).state;
  expect(back.doc.toString()).toBe('- write the tests\n- a\n- b\n');
  expect(rowIdsOf(back)).toEqual(['item-ccc', 'item-aaa', 'item-bbb']);
});

test('a row that was joined with another one is the same row after undo', () => {
  const start = stateOf('- a\n- write the tests|\n').update({ effects: setRowIds.of(ids.slice(0, 2)) }).state;
  const joined = start.update({ changes: { from: 3, to: 6, insert: ' ' } }).state;
  expect(joined.doc.toString()).toBe('- a write the tests\n');
  expect(rowIdsOf(joined)).toEqual(['item-aaa']);
  const back = joined.update({ changes: { from: 3, to: 4, insert: '\n- ' } }).state;
  expect(rowIdsOf(back)).toEqual(['item-aaa', 'item-bbb']);
});

test('a row that others deleted is the same row when undo brings it back', () => {
  const start = stateOf('- a\n- b|\n- c\n').update({ effects: setRowIds.of(ids) }).state;
  const received = start.update({
    changes: { from: 4, to: 8 },
    effects: setRowIds.of(['item-aaa', 'item-ccc']),
  }).state;
  const back = received.update({ changes: { from: 8, insert: '- b\n' } }).state;
  expect(back.doc.toString()).toBe('- a\n- c\n- b\n');
  expect(rowIdsOf(back)).toEqual(['item-aaa', 'item-ccc', 'item-bbb']);
});

test('a copy of a row that has been given another id is a new row', () => {
  const start = stateOf('- a\n- b|\n- c\n').update({ effects: setRowIds.of(ids) }).state;
  const received = start.update({ effects: setRowIds.of(['item-aaa', 'item-ddd', 'item-ccc']) }).state;
  const copied = received.update({ changes: { from: 12, insert: '- b\n' } }).state;
  expect(ids).not.toContain(rowIdsOf(copied)[3]);
});

/** A text of two rows that the server has with these ids. */
function storedState(text: string) {
  const rows = ids.slice(0, 2);
  const version = { text: text.replace('|', ''), rows };
  return stateOf(text, storedVersion()).update({ effects: [setRowIds.of(rows), versionReceived(version)] }).state;
}

test('a row that was typed in while it was a detail is the same row once it is a row again', () => {
  const start = storedState('- a\n- write the tests|\n');
  const detail = start.update({ changes: { from: 4, to: 5, insert: '>' } }).state;
  expect(rowIdsOf(detail)).toEqual(['item-aaa']);
  const typed = detail.update({ changes: { from: 21, insert: ' today' } }).state;
  const row = typed.update({ changes: { from: 4, to: 5, insert: '-' } }).state;
  expect(row.doc.toString()).toBe('- a\n- write the tests today\n');
  expect(rowIdsOf(row)).toEqual(['item-aaa', 'item-bbb']);
});

test('a row that was a detail when the page was loaded is the same row once it is a row again', () => {
  const stored = { text: '- a\n- write the tests\n', rows: ids.slice(0, 2) };
  const detail = EditorState.create({
    doc: '- a\n> write all tests\n',
    extensions: [checklistLanguage, checklistField, rowIds(ids.slice(0, 1)), storedVersion([stored])],
  });
  const row = detail.update({ changes: { from: 4, to: 5, insert: '-' } }).state;
  expect(rowIdsOf(row)).toEqual(['item-aaa', 'item-bbb']);
});

test('a part of a row is not a row that others have deleted, however much it resembles that', () => {
  const start = storedState('- write the tests\n- then write more tests|\n');
  const text = '- then write more tests\n';
  const received = start.update({
    changes: { from: 0, to: 18 },
    effects: [setRowIds.of(['item-bbb']), versionReceived({ text, rows: ['item-bbb'] })],
  }).state;
  const split = received.update({ changes: { from: 6, to: 7, insert: '\n- ' } }).state;
  expect(split.doc.toString()).toBe('- then\n- write more tests\n');
  expect(rowIdsOf(split)).not.toContain('item-aaa');
});

test.each([
  ['first', '- write |all the tests\n', '- all the tests\n', '- write\n'],
  ['last', '- write the |tests\n', '- write the\n', '- tests\n'],
])('the %s part of a row is that row once the part with its id is deleted', (_, row, part, left) => {
  const start = storedState(`- a\n${row}`);
  const { head } = start.selection.main;
  const split = start.update({ changes: { from: head - 1, to: head, insert: '\n- ' } }).state;
  const from = split.doc.toString().indexOf(part);
  const rest = split.update({ changes: { from, to: from + part.length } }).state;
  expect(rest.doc.toString()).toBe(`- a\n${left}`);
  expect(rowIdsOf(rest)).toEqual(['item-aaa', 'item-bbb']);
});

test('a row with the last word of a deleted one is not that row', () => {
  const start = storedState('- a\n- write the tests|\n');
  const added = start.update({ changes: { from: start.doc.length, insert: '- tests\n' } }).state;
  const rest = added.update({ changes: { from: 4, to: 4 + '- write the tests\n'.length } }).state;
  expect(rest.doc.toString()).toBe('- a\n- tests\n');
  expect(rowIdsOf(rest)).not.toContain('item-bbb');
});

test('a new row that says something else than a deleted one has an id of its own', () => {
  const start = stateOf('- a\n- write the tests|\n').update({ effects: setRowIds.of(ids.slice(0, 2)) }).state;
  const deleted = start.update({ changes: { from: 4, to: 22 } }).state;
  const added = deleted.update({ changes: { from: 4, insert: '- call the customer\n' } }).state;
  expect(rowIdsOf(added)[0]).toBe('item-aaa');
  expect(ids).not.toContain(rowIdsOf(added)[1]);
});
