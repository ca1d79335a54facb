import { history, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import type { EditorState } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeRemote } from '../../../src/editor/collaboration/merge-remote.ts';
import { undoAmongOthers } from '../../../src/editor/collaboration/undo.ts';
import { rowIdsOf } from '../../../src/editor/row-ids.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { runs } from '../../run/seed.ts';
import { stateOf } from '../fixture.ts';
import { after, last } from './mended.ts';

/** Undo and redo in a text whose rows others move. */

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta');

/** Types words and breaks into rows, and deletes one. */
function edited(text: string, seeds: readonly number[]): EditorState {
  let state = stateOf(text, history(), undoAmongOthers);
  for (const [index, seed] of seeds.entries()) {
    const filled = state.doc
      .toString()
      .split('\n')
      .flatMap((line, at) => (line.trim() === '' ? [] : [at + 1]));
    const line = state.doc.line(filled[seed % filled.length] ?? 1);
    const isDeletion = seed % 5 === 0;
    const insert = seed % 3 === 0 ? `\n- t${index}` : ` t${index}`;
    const changes = isDeletion
      ? { from: line.from, to: Math.min(line.to + 1, state.doc.length) }
      : { from: line.to, insert };
    const { from, to } = { to: changes.from, ...changes };
    state = state.update({ selection: { anchor: from, head: to } }).state;
    state = state.update({
      changes,
      userEvent: isDeletion ? 'delete' : 'input',
      selection: { anchor: isDeletion ? from : from + insert.length },
    }).state;
  }
  return state;
}

const lineSet = (state: EditorState) => state.doc.toString().split('\n').filter(Boolean).sort();

/** The line of the cursor, which is marked in it. */
function cursorIn({ doc, selection: { main } }: EditorState): string {
  const line = doc.lineAt(main.head);
  return `${line.text.slice(0, main.head - line.from)}|${line.text.slice(main.head - line.from)}`;
}

/** The state after another user has put the first rows behind the others. */
function turned(state: EditorState, turn: number): EditorState {
  const before = readChecklist(state.doc.toString());
  const ids = rowIdsOf(state);
  const count = before.rows.length;
  const order = before.rows.map((_, index) => (index + turn) % count);
  const blocks = before.starts.map((from, index) => before.text.slice(from, before.starts[index + 1]));
  const closed = blocks.map(block => (block.endsWith('\n') ? block : `${block}\n`));
  const text = before.text.slice(0, before.starts[0]) + order.map(row => closed[row] ?? '').join('');
  const arrival = { base: { text: before.text, rows: ids }, text, rows: order.map(row => ids[row] ?? '') };
  return mergeRemote(state, arrival).transaction?.state ?? state;
}

test('undo takes back each step in the row where it was made, and redo makes it again', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 2, maxLength: 4 }),
      fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
      fc.nat({ max: 3 }),
      fc.nat(),
      (words, seeds, undone, turn) => {
        let state = edited(words.map(each => `- ${each}\n`).join(''), seeds);
        for (let count = 0; count < undone; count++) state = after(state, undo);
        if (readChecklist(state.doc.toString()).rows.length === 0) return;
        const moved = turned(state, turn);
        expect([undoDepth(moved), redoDepth(moved)]).toEqual([undoDepth(state), redoDepth(state)]);
        expect(lineSet(last(moved, undo))).toEqual(lineSet(last(state, undo)));
        expect(lineSet(last(moved, redo))).toEqual(lineSet(last(state, redo)));
        expect(lineSet(last(last(moved, undo), redo))).toEqual(lineSet(last(moved, redo)));
        for (const command of [undo, redo]) {
          const unmoved = cursorIn(after(state, command));
          // In place of a deleted row the next one follows, which is another one now.
          if (!unmoved.startsWith('|')) expect(cursorIn(after(moved, command))).toBe(unmoved);
        }
      },
    ),
    runs(500),
  );
});
