import { history, undo } from '@codemirror/commands';
import type { EditorState, TransactionSpec } from '@codemirror/state';
import { expect, test } from 'vitest';
import { mergeRemote } from '../../../src/editor/collaboration/merge-remote.ts';
import { pastedRows } from '../../../src/editor/collaboration/pasted-rows.ts';
import { remoteChanges } from '../../../src/editor/collaboration/remote-changes.ts';
import { rowIdsOf } from '../../../src/editor/row-ids.ts';
import { stateOf } from '../fixture.ts';

const START = '- one\n- two beta\n- three\n';
const IDS = ['one00000', 'two00000', 'three000'];
const ROW = '- two beta\n';

/** An editor in which a row was cut. */
function afterCut(): EditorState {
  const state = stateOf(START, history(), remoteChanges, pastedRows);
  const from = START.indexOf(ROW);
  return edit(received(state, START, IDS), { changes: { from, to: from + ROW.length }, userEvent: 'delete.cut' });
}

const edit = (state: EditorState, spec: TransactionSpec) => state.update(spec).state;
const text = (state: EditorState) => state.doc.toString();
const base = { text: START, rows: IDS };

/** The state after others have made this text of the one that the row was cut from. */
const received = (state: EditorState, now: string, rows: readonly string[]) =>
  mergeRemote(state, { base, text: now, rows }).transaction?.state ?? state;

const paste = (state: EditorState, at: number, insert = ROW) =>
  edit(state, {
    changes: { from: at, insert },
    selection: { anchor: at + insert.length },
    userEvent: 'input.paste',
  });

test('a row that others reword between cut and paste stands where it was pasted, with the words of both', () => {
  const returned = received(afterCut(), '- one\n- two beta of Ben\n- three\n', IDS);
  expect(text(returned)).toBe('- one\n- two beta of Ben\n- three\n');
  const pasted = paste(returned, returned.doc.length);
  expect(text(pasted)).toBe('- one\n- three\n- two beta of Ben\n');
  expect(rowIdsOf(pasted)).toEqual(['one00000', 'three000', 'two00000']);
  expect(pasted.selection.main.head).toBe(pasted.doc.length);
});

test('it moves up as well, and undo takes it back to its place', () => {
  const returned = received(afterCut(), '- one\n- two beta of Ben\n- three\n', IDS);
  let state = paste(returned, 0);
  expect(text(state)).toBe('- two beta of Ben\n- one\n- three\n');
  undo({ state, dispatch: transaction => (state = transaction.state) });
  expect(text(state)).toBe('- one\n- two beta of Ben\n- three\n');
});

test('a second paste makes a copy', () => {
  const returned = received(afterCut(), '- one\n- two beta of Ben\n- three\n', IDS);
  const pasted = paste(paste(returned, 0), 0);
  expect(text(pasted)).toBe('- two beta\n- two beta of Ben\n- one\n- three\n');
});

test('a row that others have not changed is pasted as it was cut', () => {
  const pasted = paste(afterCut(), 0);
  expect(text(pasted)).toBe('- two beta\n- one\n- three\n');
  expect(rowIdsOf(pasted)).toEqual(['two00000', 'one00000', 'three000']);
});

test('several rows that come back are moved with one paste', () => {
  const state = received(stateOf(START, history(), remoteChanges, pastedRows), START, IDS);
  const cut = '- two beta\n- three\n';
  const after = edit(state, { changes: { from: START.indexOf(cut), to: START.length }, userEvent: 'delete.cut' });
  const returned = received(after, '- one\n- two beta of Ben\n- three of Ben\n', IDS);
  expect(text(paste(returned, 0, cut))).toBe('- two beta of Ben\n- three of Ben\n- one\n');
});
