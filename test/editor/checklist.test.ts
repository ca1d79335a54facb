import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { checklistField, checklistOf, rowAt, rowsBetween } from '../../src/editor/checklist.ts';
import { checklistLanguage } from '../../src/editor/language.ts';
import { readChecklist } from '../../src/text/read.ts';

const create = (doc: string) => EditorState.create({ doc, extensions: [checklistLanguage, checklistField] });
const long = Array.from({ length: 2000 }, (_, index) => `- item ${index}`).join('\n');

test('the whole text is read, also far beyond what CodeMirror parses at first', () => {
  const { rows } = checklistOf(create(long));
  expect(rows).toHaveLength(2000);
  expect(rows.at(-1)?.text).toBe('item 1999');
});

test('rows that a change does not touch stay the same objects', () => {
  const state = create('- a\n- b\n- c\n');
  const before = checklistOf(state);
  const after = checklistOf(state.update({ changes: { from: 4, to: 5, insert: '+' } }).state);
  expect(after.rows[0]).toBe(before.rows[0]);
  expect(after.rows[1]).not.toBe(before.rows[1]);
  expect(after.rows[2]).toBe(before.rows[2]);
});

test('a transaction without changes keeps the model', () => {
  const state = create('- a');
  expect(checklistOf(state.update({ selection: { anchor: 2 } }).state)).toBe(checklistOf(state));
});

test('after many edits the model is what the text says', () => {
  let state = create(long);
  for (const [from, insert] of [
    [0, '# head\n'],
    [9000, '\n> a detail\n'],
    [20_000, '+ x\n'],
    [3, '\n\n'],
  ] as const) {
    state = state.update({ changes: { from, insert } }).state;
  }
  expect(checklistOf(state).rows).toEqual(readChecklist(state.doc.toString()).rows);
});

test('the row of a line is found, none on blank lines', () => {
  const checklist = checklistOf(create('\n- a\n> d\n\n- b'));
  expect(rowAt(checklist, 0)).toBeUndefined();
  expect(rowAt(checklist, 1)?.index).toBe(0);
  expect(rowAt(checklist, 5)?.index).toBe(0);
  expect(rowAt(checklist, 9)).toBeUndefined();
  expect(rowAt(checklist, 10)?.index).toBe(1);
});

test('the rows of a range are those that it touches', () => {
  const checklist = checklistOf(create('- a\n- b\n- c\n- d'));
  expect(rowsBetween(checklist, 5, 9).map(({ index }) => index)).toEqual([1, 2]);
});
