import { invertedEffects } from '@codemirror/commands';
import { EditorState, type Extension, StateEffect, StateField, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { renamedIds } from './renamed-ids.ts';

/** The line that a user deleted while another user's cursor was in it. */
export type DeletedLine = 'row' | 'detail';

/** A cursor's place in a row, by the row's id and the characters from the row's start. */
export interface RowPlace {
  rowId: string;
  offset: number;
}

interface Stranded {
  line: DeletedLine;
  /** The place of the cursor in its row, if that was deleted and not only a line of it. */
  before?: RowPlace | undefined;
}

const stranded = StateEffect.define<Stranded | null>();
export const cursorStranded = (line: DeletedLine, before?: RowPlace): StateEffect<unknown> =>
  stranded.of({ line, before });
/** Others have brought the row of the cursor back, and the cursor is in it. */
export const cursorReturned: StateEffect<unknown> = stranded.of(null);

/** The deleted line in whose place the cursor is: the next text that is typed becomes a line of its own there. */
const strandedField = StateField.define<Stranded | null>({
  create: () => null,
  update(before, transaction) {
    for (const effect of transaction.effects) if (effect.is(stranded)) return effect.value;
    const rowId = renamedIds(transaction)?.get(before?.before?.rowId ?? '');
    if (before?.before && rowId !== undefined) return { ...before, before: { ...before.before, rowId } };
    const isRemote = transaction.annotation(Transaction.remote) === true;
    return isRemote || !(transaction.docChanged || transaction.selection !== undefined) ? before : null;
  },
});

/** Undo of what was typed in place of the deleted line leaves the cursor there as before. */
const undoable = invertedEffects.of(({ startState, state, docChanged }) => {
  const before = startState.field(strandedField);
  return docChanged && before !== null && deletedIn(state) === null ? [stranded.of(before)] : [];
});

const marks: Record<DeletedLine, string> = { row: '- ', detail: '> ' };
/** The deleted line of a state. */
export const deletedIn = (state: EditorState): DeletedLine | null => state.field(strandedField, false)?.line ?? null;

/** The cursor's place in its row before that was deleted. */
export const placeBefore = (state: EditorState): RowPlace | undefined => state.field(strandedField, false)?.before;

/** Text that Enter inserts: a break with a mark behind it, or, at a line's end, a line of its own. */
const NEW_LINE = /^(?:\n[ \t]*(?:\S+ )?|[ \t]*\S+ \n)$/;

/** The line breaks around a new line at a position, which is at a line's start or end. */
function rowBreaks({ doc }: EditorState, position: number): { before: string; after: string } {
  const line = doc.lineAt(position);
  if (line.length === 0) return { before: '', after: '' };
  return position === line.from ? { before: '', after: '\n' } : { before: '\n', after: '' };
}

/** Gives typed or pasted text a line of its own. */
const ownRow = EditorState.transactionFilter.of(transaction => {
  const { startState: state, changes, docChanged } = transaction;
  const deleted = deletedIn(state);
  if (!docChanged || deleted === null || !transaction.isUserEvent('input')) return transaction;
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
  const mark = transaction.isUserEvent('input.paste') ? '' : marks[deleted];
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
  return isKey && state.selection.main.empty && deletedIn(state) !== null ? [] : transaction;
});

/** An input method must find the new row when it begins: a change of its text would end the composition. */
const beforeComposition = EditorView.domEventHandlers({
  compositionstart(_event, view) {
    const { state } = view;
    const deleted = deletedIn(state);
    if (deleted === null || state.readOnly) return false;
    const mark = marks[deleted];
    const { head } = state.selection.main;
    const { before, after } = rowBreaks(state, head);
    view.dispatch({
      changes: { from: head, insert: before + mark + after },
      selection: { anchor: head + before.length + mark.length },
    });
    return false;
  },
});

/** Keeps what is typed after the cursor's row was deleted out of the row that follows. */
export const strandedCursor: Extension = [strandedField, undoable, ownRow, noDeletion, beforeComposition];
