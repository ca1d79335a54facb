import { invertedEffects } from '@codemirror/commands';
import { type Extension, StateEffect, StateField, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
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
 * Puts restored rows on lines of their own: when a deletion is undone after a remote insertion in its place, the
 * history appends them to the inserted line. A row that others have kept meanwhile is not there twice.
 */
export const undoDeletion: Extension = [
  rememberDeletions,
  shared,
  EditorView.updateListener.of(({ view, transactions }) => {
    const last = transactions.at(-1);
    if (!last || !(last.isUserEvent('undo') || last.isUserEvent('redo')) || !last.state.field(shared)) return;
    const changes = joinedLines(last).map(from => ({ from, insert: '\n' }));
    if (changes.length > 0) view.dispatch({ changes, annotations: Transaction.addToHistory.of(false) });
    const joined = joinTwins(view.state);
    if (joined) view.dispatch(joined);
  }),
];
