import { invertedEffects } from '@codemirror/commands';
import { type Extension, StateEffect, StateField, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { TextChange } from '../../text/types.ts';
import { checklistOf } from '../checklist.ts';
import { joinTwins } from './twin-rows.ts';

/** A deletion at a line's start. */
const lineDeleted = StateEffect.define<number>({ map: (position, changes) => changes.mapPos(position, 1) });

const rememberDeletions = invertedEffects.of(({ changes, startState }) => {
  const effects: StateEffect<number>[] = [];
  changes.iterChanges((fromA, toA, fromB) => {
    if (toA > fromA && startState.doc.lineAt(fromA).from === fromA) effects.push(lineDeleted.of(fromB));
  });
  return effects;
});

/** Whether any remote change was applied; without one, undo is unchanged. */
const shared = StateField.define<boolean>({
  create: () => false,
  update: (before, transaction) =>
    before || (transaction.docChanged && transaction.annotation(Transaction.remote) === true),
});

/** Starts of restored text that ended up behind remote text in the same line. */
function joinedLines(transaction: Transaction): number[] {
  const starts = new Set(transaction.effects.flatMap(effect => (effect.is(lineDeleted) ? effect.value : [])));
  const found: number[] = [];
  transaction.changes.iterChanges((fromA, _toA, fromB, toB) => {
    if (toB > fromB && starts.has(fromA) && transaction.newDoc.lineAt(fromB).from < fromB) found.push(fromB);
  });
  return found;
}

/**
 * Gives rows back the break above them and the mark that undo took from them alone: what it takes back was one piece of
 * text when it was made, and others have put or moved rows into it since. A piece from row to row joins them as meant.
 */
function tornRows({ changes, startState, state }: Transaction): TextChange[] {
  const before = checklistOf(startState);
  const pieces: { from: number; to: number }[] = [];
  changes.iterChangedRanges((from, to) => pieces.push({ from, to }));
  const isGone = (from: number, to: number) => pieces.some(piece => piece.from <= from && piece.to >= to);
  const breaksGone = pieces.filter(({ from, to }) => to === from + 1 && startState.sliceDoc(from, to) === '\n').length;
  return before.rows.flatMap((row, index): TextChange[] => {
    const start = before.starts[index] ?? 0;
    const [from, to] = [start + row.content.from, start + row.content.to];
    const [at, end] = [changes.mapPos(from, 1), changes.mapPos(to, -1)];
    if (end <= at || from === start) return [];
    const mark = startState.sliceDoc(start, from);
    const hasMark = !isGone(start, from);
    const top = hasMark ? changes.mapPos(start, 1) : at;
    const isBelow = state.doc.lineAt(top).from < top;
    const joins = pieces.some(piece => piece.from < start && piece.to === from);
    if (joins) return [];
    if (hasMark) return isBelow ? [{ from: top, insert: '\n' }] : [];
    const losesMore = pieces.some(piece => piece.from <= start && piece.to > from);
    if (!isBelow && !losesMore && breaksGone === 0) return [];
    return [{ from: at, insert: isBelow ? `\n${mark}` : mark }];
  });
}

/**
 * Puts restored rows on lines of their own: when a deletion is undone after a remote insertion in its place, the
 * history appends them to the inserted line. A row that others have kept meanwhile is not there twice.
 */
export const undoDeletion: Extension = [
  rememberDeletions,
  shared,
  EditorView.updateListener.of(({ view, transactions }) => {
    const last = transactions.at(-1);
    if (!last || !(last.isUserEvent('undo') || last.isUserEvent('redo')) || !last.state.field(shared)) return;
    const changes = [...joinedLines(last).map(from => ({ from, insert: '\n' })), ...tornRows(last)];
    if (changes.length > 0) view.dispatch({ changes, annotations: Transaction.addToHistory.of(false) });
    const joined = joinTwins(view.state);
    if (joined) view.dispatch(joined);
  }),
];
