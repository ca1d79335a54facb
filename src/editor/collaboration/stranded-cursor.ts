import { EditorState, type Extension, StateEffect, StateField, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** The row that the cursor was in is deleted by another user: the next text that is typed becomes a row of its own there. */
const stranded = StateEffect.define<boolean>();
export const cursorStranded: StateEffect<unknown> = stranded.of(true);

/** Whether what is typed next becomes a row of its own. */
export const isStranded = StateField.define<boolean>({
  create: () => false,
  update(before, transaction) {
    for (const effect of transaction.effects) if (effect.is(stranded)) return effect.value;
    const isRemote = transaction.annotation(Transaction.remote) === true;
    return before && (isRemote || !(transaction.docChanged || transaction.selection !== undefined));
  },
});

const ITEM_MARK = '- ';
/** Text that Enter inserts: a break with a mark behind it, or, at a line's end, a line of its own. */
const NEW_LINE = /^(?:\n[ \t]*(?:\S+ )?|[ \t]*\S+ \n)$/;

/** The line breaks around a new row at a position, which is at a line's start or end. */
function rowBreaks({ doc }: EditorState, position: number): { before: string; after: string } {
  const line = doc.lineAt(position);
  if (line.length === 0) return { before: '', after: '' };
  return position === line.from ? { before: '', after: '\n' } : { before: '\n', after: '' };
}

/** Gives typed or pasted text a row of its own. */
const ownRow = EditorState.transactionFilter.of(transaction => {
  const { startState: state, changes, docChanged } = transaction;
  if (!docChanged || state.field(isStranded, false) !== true || !transaction.isUserEvent('input')) return transaction;
  const { main } = state.selection;
  const inserted: { text: string; isHere: boolean }[] = [];
  changes.iterChanges((from, to, _from, _to, text) => {
    inserted.push({ text: text.toString(), isHere: from === main.head && to === from });
  });
  const [only, ...others] = inserted;
  if (!only || others.length > 0) return transaction;
  const { text, isHere } = only;
  const isEnter = NEW_LINE.test(text);
  if (!isHere && !isEnter) return transaction;
  const { before, after } = rowBreaks(state, main.head);
  const mark = transaction.isUserEvent('input.paste') ? '' : ITEM_MARK;
  // Enter begins the row.
  const start = before + mark + (isEnter ? '' : text);
  const userEvent = transaction.annotation(Transaction.userEvent);
  return {
    changes: { from: main.head, insert: start + (text.endsWith('\n') && !isEnter ? '' : after) },
    selection: { anchor: main.head + start.length },
    effects: transaction.effects,
    scrollIntoView: true,
    ...(userEvent !== undefined && { userEvent }),
  };
});

/** Backspace and Delete take nothing of the neighbours: the row that they would shorten is gone. */
const noDeletion = EditorState.transactionFilter.of(transaction => {
  const { startState: state } = transaction;
  const isKey = ['delete.backward', 'delete.forward'].some(key => transaction.isUserEvent(key));
  return isKey && state.selection.main.empty && state.field(isStranded, false) === true ? [] : transaction;
});

/** An input method must find the new row when it begins: a change of its text would end the composition. */
const beforeComposition = EditorView.domEventHandlers({
  compositionstart(_event, view) {
    const { state } = view;
    if (state.field(isStranded, false) !== true || state.readOnly) return false;
    const { head } = state.selection.main;
    const { before, after } = rowBreaks(state, head);
    view.dispatch({
      changes: { from: head, insert: before + ITEM_MARK + after },
      selection: { anchor: head + before.length + ITEM_MARK.length },
    });
    return false;
  },
});

/** Keeps what is typed after the cursor's row was deleted out of the row that follows. */
export const strandedCursor: Extension = [isStranded, ownRow, noDeletion, beforeComposition];
