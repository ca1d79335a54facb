import { invertedEffects } from '@codemirror/commands';
import { type Extension, StateEffect, StateField, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Where text was deleted that began a line. */
const began = StateEffect.define<number>({ map: (position, changes) => changes.mapPos(position, 1) });

const remembering = invertedEffects.of(({ changes, startState }) => {
  const effects: StateEffect<number>[] = [];
  changes.iterChanges((fromA, toA, fromB) => {
    if (toA > fromA && startState.doc.lineAt(fromA).from === fromA) effects.push(began.of(fromB));
  });
  return effects;
});

/** Whether anything came in: what one person does alone is undone as it was. */
const shared = StateField.define<boolean>({
  create: () => false,
  update: (before, transaction) =>
    before || (transaction.docChanged && transaction.annotation(Transaction.remote) === true),
});

/** Where in the new text such text begins that was put back behind what came in, in the same line. */
function glued(transaction: Transaction): number[] {
  const starts = new Set(transaction.effects.flatMap(effect => (effect.is(began) ? effect.value : [])));
  const found: number[] = [];
  transaction.changes.iterChanges((fromA, _toA, fromB, toB) => {
    if (toB > fromB && starts.has(fromA) && transaction.newDoc.lineAt(fromB).from < fromB) found.push(fromB);
  });
  return found;
}

/**
 * Rows that were deleted, and whose deletion is undone after others wrote where they had been, begin lines of their own
 * again: the history puts them behind what came in, be that the end of a row.
 */
export const undone: Extension = [
  remembering,
  shared,
  EditorView.updateListener.of(({ view, transactions }) => {
    const last = transactions.at(-1);
    if (!last || !(last.isUserEvent('undo') || last.isUserEvent('redo')) || !last.state.field(shared)) return;
    const changes = glued(last).map(from => ({ from, insert: '\n' }));
    if (changes.length > 0) view.dispatch({ changes, annotations: Transaction.addToHistory.of(false) });
  }),
];
