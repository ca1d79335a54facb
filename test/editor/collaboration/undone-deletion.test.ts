import { undo } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { deleteRows, moveDown } from '../../../src/editor/commands/move.ts';
import { checklistEditor, mergeRemote, rowIdsOf } from '../../../src/editor/index.ts';
import { knownIds } from '../../../src/editor/row-ids.ts';
import { after } from './mended.ts';

const stored = { text: '- a\n- write the tests\n- b\n', rows: ['item-aaa', 'item-bbb', 'item-ccc'] };

function open(anchor: number): EditorState {
  const settings = { label: 'Text', editable: true, placeholder: '', save: () => undefined };
  return EditorState.create({
    doc: stored.text,
    selection: { anchor },
    extensions: checklistEditor({ ...settings, rowIds: stored.rows, stored: [stored] }),
  });
}

test('undoing the deletion of a row that others have kept by rewording it leaves one row', () => {
  const deleted = after(open(8), deleteRows);
  const theirs = stored.text.replace('tests', 'tests today');
  const change = { base: stored, text: theirs, rows: stored.rows };
  const back = mergeRemote(deleted, change).transaction?.state ?? deleted;
  expect(back.doc.toString()).toBe(theirs);
  const joined = after(back, undo);
  expect(joined.doc.toString()).toBe(theirs);
  expect(rowIdsOf(joined)).toEqual(stored.rows);
});

test('a row that was deleted before its lasting id was known is known by that one', () => {
  const unnamed = knownIds(undefined, stored.rows.length);
  const settings = { label: 'Text', editable: true, placeholder: '', save: () => undefined };
  const opened = EditorState.create({
    doc: stored.text,
    selection: { anchor: 8 },
    extensions: checklistEditor({
      ...settings,
      rowIds: unnamed,
      stored: [{ text: stored.text, rows: unnamed }],
    }),
  });
  const deleted = after(opened, deleteRows);
  const versions = [
    { text: `${stored.text}- c\n`, rows: undefined },
    { text: `${stored.text}- c\n`, rows: [...stored.rows, 'item-ddd'] },
    { text: `${stored.text.replace('tests', 'tests today')}- c\n`, rows: [...stored.rows, 'item-ddd'] },
  ];
  let now = deleted;
  let base: { text: string; rows?: readonly string[] | undefined } = { text: stored.text };
  for (const version of versions) {
    now = mergeRemote(now, { base, ...version }).transaction?.state ?? now;
    base = version;
  }
  expect(now.doc.toString()).toBe('- a\n- write the tests today\n- b\n- c\n');
  const joined = after(now, undo);
  expect(joined.doc.toString()).toBe('- a\n- write the tests today\n- b\n- c\n');
});

test('what was typed into the row before it was deleted comes back as well', () => {
  const typed = open(8).update({ changes: { from: 6, insert: 'now ' }, userEvent: 'input.type' }).state;
  const deleted = after(typed, deleteRows);
  const theirs = stored.text.replace('tests', 'tests today');
  const back = mergeRemote(deleted, { base: stored, text: theirs, rows: stored.rows }).transaction?.state;
  const joined = after(back ?? deleted, undo);
  expect(joined.doc.toString()).toBe('- a\n- now write the tests today\n- b\n');
});

test('a row that others have deleted stays deleted when what was typed into it is undone', () => {
  const typed = open(stored.text.indexOf('\n- b')).update({
    changes: { from: 4, insert: '- new row\n' },
    userEvent: 'input.paste',
  }).state;
  const at = typed.doc.toString().indexOf(' the');
  const mine = typed.update({ changes: { from: at, insert: ' all' }, userEvent: 'input.type' }).state;
  const saved = { text: mine.doc.toString(), rows: rowIdsOf(mine) };
  const theirs = {
    text: '- a\n- new row\n- b\n',
    rows: saved.rows.filter(id => id !== 'item-bbb'),
  };
  const deleted = mergeRemote(mine, { base: saved, ...theirs }).transaction?.state ?? mine;
  expect(deleted.doc.toString()).toBe(theirs.text);
  const undone = after(deleted, undo);
  expect(undone.doc.toString()).toBe(theirs.text);
  expect(after(undone, undo).doc.toString()).toBe('- a\n- b\n');
});

test('typing is undone in a row that others have moved, and in which others have replaced a word', () => {
  const at = stored.text.indexOf('- b');
  const added = open(at - 1).update({ changes: { from: at, insert: '- new\n' } }).state;
  const moved = after(added, moveDown);
  const typed = moved.update({
    changes: { from: moved.selection.main.head, insert: ' today' },
    userEvent: 'input.type',
  }).state;
  expect(typed.doc.toString()).toBe('- a\n- new\n- write the tests today\n- b\n');
  const theirs = { text: '- write all tests\n- a\n- b\n', rows: ['item-bbb', 'item-aaa', 'item-ccc'] };
  const received = mergeRemote(typed, { base: stored, ...theirs }).transaction?.state ?? typed;
  expect(received.doc.toString()).toBe('- write all tests today\n- a\n- new\n- b\n');
  expect(after(received, undo).doc.toString()).toBe('- write all tests\n- a\n- new\n- b\n');
});

test('the cursor is back in its row when others bring that back, unless it has gone elsewhere meanwhile', () => {
  const withoutRow = { text: '- a\n- b\n', rows: ['item-aaa', 'item-ccc'] };
  const withRow = { text: '- a\n- b\n- write the tests today\n', rows: ['item-aaa', 'item-ccc', 'item-bbb'] };
  const deleted = mergeRemote(open('- a\n- write'.length), { base: stored, ...withoutRow }).transaction?.state;
  const back = deleted && mergeRemote(deleted, { base: withoutRow, ...withRow }).transaction?.state;
  expect(back?.sliceDoc(0, back.selection.main.head)).toBe('- a\n- b\n- write');
  const elsewhere = deleted?.update({ selection: { anchor: 3 }, userEvent: 'select' }).state;
  const stays = elsewhere && mergeRemote(elsewhere, { base: withoutRow, ...withRow }).transaction?.state;
  expect(stays?.selection.main.head).toBe(3);
  const typed = back?.update(back.replaceSelection(' all')).state;
  expect(typed?.doc.toString()).toBe('- a\n- b\n- write all the tests today\n');
});

test('the cursor of an empty line that others have deleted stays there when they change other rows', () => {
  const rows = ['item-aaa', 'item-ccc'];
  const [line, withoutLine, later] = ['- a\n\n- b\n', '- a\n- b\n', '- a\n- b again\n'].map(text => ({ text, rows }));
  if (!line || !withoutLine || !later) throw new Error('There are three versions.');
  const settings = { label: 'Text', editable: true, placeholder: '', save: () => undefined };
  const opened = EditorState.create({
    doc: line.text,
    selection: { anchor: 4 },
    extensions: checklistEditor({ ...settings, rowIds: rows, stored: [line] }),
  });
  const deleted = mergeRemote(opened, { base: line, ...withoutLine }).transaction?.state;
  const { head } = deleted?.selection.main ?? { head: -1 };
  const changed = deleted && mergeRemote(deleted, { base: withoutLine, ...later }).transaction?.state;
  expect(changed?.selection.main.head).toBe(head);
});
