import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { undecidedValues } from '../../../src/editor/collaboration/conflicts.ts';
import { checklistEditor, mergeRemote, type RemoteChange, rowIdsOf } from '../../../src/editor/index.ts';
import { knownIds } from '../../../src/editor/row-ids.ts';

const stored = { text: '# Section\n- write the tests\n- b\n', rows: knownIds(undefined, 3) };

/** An editor that was opened on a text without lasting ids. */
const open = (text = stored.text) =>
  EditorState.create({
    doc: text,
    extensions: checklistEditor({
      label: 'Text',
      editable: true,
      placeholder: '',
      save: () => undefined,
      rowIds: stored.rows,
      stored: [{ ...stored, text }],
    }),
  });

/** The text after a replacement of the whole row, as a cut and a paste make it. */
function moveUp(state: EditorState): EditorState {
  const cut = state.update({ changes: { from: 10, to: 28 }, userEvent: 'delete.cut' }).state;
  const insert = '- write the tests today\n';
  return cut.update({ changes: { from: 0, insert: '- write the tests\n' }, userEvent: 'input.paste' }).state.update({
    changes: { from: 17, insert: insert.slice(17, -1) },
    userEvent: 'input.type',
  }).state;
}

const received = (state: EditorState, change: RemoteChange): EditorState =>
  mergeRemote(state, change).transaction?.state ?? state;

test('a row that was moved and reworded before the ids were known is one row', () => {
  const base = { text: stored.text };
  const typed = moveUp(open());
  expect(typed.doc.toString()).toBe('- write the tests today\n# Section\n- b\n');
  const rows = ['header-a', 'item-aaa', 'item-bbb'];
  const known = received(typed, { base, text: stored.text, rows });
  expect(rowIdsOf(known)).toEqual(['item-aaa', 'header-a', 'item-bbb']);
  const ticked = received(known, { base: { ...base, rows }, text: stored.text.replace('- w', '+ w'), rows });
  expect(ticked.doc.toString()).toBe('+ write the tests today\n# Section\n- b\n');
});

test('a row that others deleted and brought back keeps what was typed into it, once', () => {
  const rows = ['header-a', 'item-aaa', 'item-bbb'];
  const base = { text: stored.text, rows };
  const known = received(open(), { base: { text: stored.text }, ...base });
  const typed = known.update({ changes: { from: 27, insert: ' today' }, userEvent: 'input.type' }).state;
  const without = { text: '# Section\n- b\n', rows: ['header-a', 'item-bbb'] };
  const kept = received(typed, { base, ...without });
  expect(kept.doc.toString()).toBe('# Section\n- write the tests today\n- b\n');
  const back = received(kept, { base: without, text: '# Section\n- please write the tests\n- b\n', rows });
  expect(back.doc.toString()).toBe('# Section\n- please write the tests today\n- b\n');
});

test('a choice about a joined row is known by the row’s lasting id', () => {
  const joined = open().update({ changes: { from: 9, to: 12, insert: ' soon ' }, userEvent: 'delete.backward' }).state;
  expect(joined.doc.toString()).toBe('# Section soon write the tests\n- b\n');
  const rows = ['header-a', 'item-aaa', 'item-bbb'];
  const change = { base: { text: stored.text }, text: '# Section\n- please write the tests\n- b\n', rows };
  const chosen = received(joined, change);
  expect(chosen.doc.toString()).toBe('# Section soon write the tests\n- b\n');
  expect(undecidedValues(chosen, rows)).toContainEqual({ index: 1, attribute: 'text', value: 'write the tests' });
});

test('a choice stays open for the server when its row is joined with another one, and ends with its deletion', () => {
  const rows = ['header-a', 'item-aaa', 'item-bbb'];
  const base = { text: stored.text, rows };
  const known = received(open(), { base: { text: stored.text }, ...base });
  const typed = known.update({ changes: { from: 27, insert: ' today' }, userEvent: 'input.type' }).state;
  const chosen = received(typed, { base, text: stored.text.replace('tests', 'tests now'), rows });
  const undecided = [{ index: 1, attribute: 'text', value: 'write the tests' }];
  expect(undecidedValues(chosen, rows)).toEqual(undecided);
  const joined = chosen.update({ changes: { from: 9, to: 12, insert: ' ' }, userEvent: 'delete.backward' }).state;
  expect(joined.doc.toString()).toBe('# Section write the tests today\n- b\n');
  expect(undecidedValues(joined, rows)).toEqual(undecided);
  const indented = chosen.update({ changes: { from: 10, to: 11, insert: '>' }, userEvent: 'input.indent' }).state;
  expect(indented.doc.toString()).toBe('# Section\n> write the tests today\n- b\n');
  expect(undecidedValues(indented, rows)).toEqual(undecided);
  const deleted = chosen.update({ changes: { from: 10, to: 34 }, userEvent: 'delete.line' }).state;
  expect(deleted.doc.toString()).toBe('# Section\n- b\n');
  expect(undecidedValues(deleted, rows)).toEqual([]);
});

test('a choice about a status ends with its row, although another row says that word', () => {
  const rows = ['header-a', 'item-aaa', 'item-bbb'];
  const text = stored.text.replace('- b', '- get this Done');
  const base = { text, rows };
  const known = received(open(text), { base: { text }, ...base });
  const ticked = known.update({ changes: { from: 10, to: 11, insert: '+' }, userEvent: 'input.type' }).state;
  const chosen = received(ticked, { base, text: text.replace('- write', '~ write'), rows });
  expect(undecidedValues(chosen, rows)).toEqual([{ index: 1, attribute: 'status', value: 'To Do' }]);
  const deleted = chosen.update({ changes: { from: 10, to: 28 }, userEvent: 'delete.line' }).state;
  expect(deleted.doc.toString()).toBe('# Section\n- get this Done\n');
  expect(undecidedValues(deleted, rows)).toEqual([]);
});

test('rows have different ids where the words before a split row are more than those of the row', () => {
  const rows = ['header-a', 'item-aaa', 'item-bbb'];
  const base = { text: stored.text, rows };
  const known = received(open(), { base: { text: stored.text }, ...base });
  const at = stored.text.indexOf('b\n');
  const typed = known.update({ changes: { from: at, insert: 'all of these' }, userEvent: 'input.type' }).state;
  const split = typed.update({ changes: { from: at + 'all of these'.length, insert: '\n- ' } }).state;
  const met = received(split, { base, text: stored.text.replace('tests', 'tests now'), rows });
  expect(met.doc.toString()).toBe('# Section\n- write the tests now\n- all of these\n- b\n');
  expect(rowIdsOf(met)[3]).toBe('item-bbb');
  expect(new Set(rowIdsOf(met)).size).toBe(4);
});
