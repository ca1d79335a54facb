import { closeCompletion, pickedCompletion, startCompletion } from '@codemirror/autocomplete';
import { isolateHistory } from '@codemirror/commands';
import {
  type ChangeSet,
  EditorSelection,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { type Command, EditorView } from '@codemirror/view';
import { differenceOf } from '../../text/document.ts';
import { setHistory } from '../history.ts';
import { closeHint } from './hint.ts';

/*
 * A command that asks for a person, a day or the like writes the sign that opens their list, in place of the present one
 * or behind the text. Without a choice, text, cursor, undo and redo are as they were before the command.
 */

/** The text that a command has inserted, and the query typed since. */
interface Picking {
  from: number;
  to: number;
  /** The text that the command inserted. */
  sign: string;
  /** The editor before the command, with foreign changes since then. */
  base: EditorState;
}

/** A longer text is no query. */
const MAX_QUERY_CHARS = 40;

const setPicking = StateEffect.define<Pick<Picking, 'from' | 'sign'> | null>();

/** Marks the transaction of a command that opens a list: the inserted text, and its start after the transaction. */
export const picks = (from: number, sign: string): StateEffect<unknown> => setPicking.of({ from, sign });

const isPick = (transaction: Transaction): boolean =>
  transaction.annotation(pickedCompletion) !== undefined || transaction.isUserEvent('input.complete');

/** The one change that turns a text into another. */
function changeTo(before: EditorState, wanted: EditorState): ChangeSet {
  const [a, b] = [before.doc.toString(), wanted.doc.toString()];
  const difference = differenceOf(a, b);
  const changes = difference && {
    from: difference.from,
    to: difference.toA,
    insert: b.slice(difference.from, difference.toB),
  };
  return before.changes(changes ?? []);
}

/** The editor before the command, after a foreign change. */
const rebased = (base: EditorState, { changes, startState }: Transaction): EditorState =>
  base.update({
    changes: changes.map(changeTo(startState, base)),
    annotations: Transaction.addToHistory.of(false),
    filter: false,
  }).state;

function isWithin({ from, to }: Picking, changes: ChangeSet): boolean {
  let within = true;
  changes.iterChangedRanges((start, end) => {
    within &&= start >= from && end <= to;
  });
  return within;
}

function next(picking: Picking, transaction: Transaction): Picking | null {
  const { changes, state } = transaction;
  if (changes.empty) return picking;
  const remote = transaction.annotation(Transaction.addToHistory) === false;
  if (!(remote || isWithin(picking, changes))) return null;
  const [from, to] = [changes.mapPos(picking.from, -1), changes.mapPos(picking.to, 1)];
  const text = state.sliceDoc(from, Math.min(to, from + MAX_QUERY_CHARS + 1));
  if (!text.startsWith(picking.sign.slice(0, 1)) || text.length > MAX_QUERY_CHARS || text.includes('\n')) return null;
  const base = remote ? rebased(picking.base, transaction) : picking.base;
  return state.doc.eq(base.doc) ? null : { ...picking, from, to, base };
}

const field = StateField.define<Picking | null>({
  create: () => null,
  update: (picking, transaction) => {
    for (const effect of transaction.effects)
      if (effect.is(setPicking))
        return (
          effect.value && {
            ...effect.value,
            to: effect.value.from + effect.value.sign.length,
            base: transaction.startState,
          }
        );
    return picking && (isPick(transaction) ? null : next(picking, transaction));
  },
});

const pickingOf = (state: EditorState): Picking | undefined => state.field(field, false) ?? undefined;

export const isPicking = (state: EditorState): boolean => pickingOf(state) !== undefined;

/** Takes back what a command and typing in its list have changed, with the steps that this made. */
function takeBack(view: EditorView, { base }: Picking, spec: TransactionSpec = {}): void {
  const { state } = view;
  if (state.readOnly) {
    view.dispatch({ effects: setPicking.of(null) });
    return;
  }
  const back = state.update({
    ...spec,
    changes: changeTo(state, base),
    effects: setPicking.of(null),
    annotations: Transaction.addToHistory.of(false),
    filter: false,
  });
  view.dispatch([back, back.state.update({ effects: setHistory(base) })]);
}

/** Makes one step of what was picked and what led there. */
function join(view: EditorView, { base }: Picking): void {
  const { state } = view;
  const step = base.update({
    changes: changeTo(base, state),
    selection: state.selection,
    annotations: isolateHistory.of('full'),
    filter: false,
  });
  view.dispatch({ effects: setHistory(step.state) });
}

/** Leaves a picker, with the text and the selection as they were; for Escape. */
export const cancelPicker: Command = view => {
  const picking = pickingOf(view.state);
  if (!picking) return false;
  closeCompletion(view);
  closeHint(view);
  takeBack(view, picking, { selection: picking.base.selection, scrollIntoView: true });
  view.dispatch({ effects: EditorView.announce.of('Cancelled') });
  return true;
};

/** Takes a sign back that nothing was typed behind; for a cursor that goes elsewhere. */
export function leavePicker(view: EditorView): void {
  const picking = pickingOf(view.state);
  if (!picking) return;
  if (view.state.sliceDoc(picking.from, picking.to) === picking.sign) takeBack(view, picking);
  else view.dispatch({ effects: setPicking.of(null) });
}

/** Puts a text that a list opens at in place of a range, and opens that list. */
export function openPicker(
  view: EditorView,
  { from, to }: { from: number; to: number },
  sign: string,
  cursor = sign.length,
): void {
  view.dispatch({
    changes: { from, to, insert: sign },
    selection: EditorSelection.cursor(from + cursor),
    effects: picks(from, sign),
    annotations: isolateHistory.of('full'),
    userEvent: 'input.picker',
    scrollIntoView: true,
  });
  startCompletion(view);
}

/** The extensions that commands with a picker need. A cursor elsewhere leaves the picker's list. */
export const pickers: Extension = [
  field,
  EditorView.updateListener.of(({ state, startState, selectionSet, transactions, view }) => {
    const [before, picking] = [pickingOf(startState), pickingOf(state)];
    if (before && transactions.some(isPick)) return join(view, before);
    // Undone or deleted by hand: redo must not bring the sign back either.
    const undone =
      before && !picking && transactions.some(({ docChanged }) => docChanged) && state.doc.eq(before.base.doc);
    if (undone && !transactions.some(({ reconfigured }) => reconfigured))
      return view.dispatch({ effects: setHistory(before.base) });
    if (!picking || !selectionSet) return;
    const { main } = state.selection;
    if (main.head <= picking.from || main.head > picking.to) leavePicker(view);
  }),
];
