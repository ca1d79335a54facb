import { closeCompletion, pickedCompletion, startCompletion } from '@codemirror/autocomplete';
import { isolateHistory, undo, undoDepth } from '@codemirror/commands';
import {
  EditorSelection,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Transaction,
} from '@codemirror/state';
import { type Command, EditorView } from '@codemirror/view';
import { differenceOf } from '../../text/document.ts';
import { closeHint } from './hint.ts';

/** A range whose text a picker stands in for, until something is picked. */
interface Picking {
  from: number;
  to: number;
  /** The text before, which comes back when nothing is picked. */
  before: string;
  trigger: string;
  /** Steps to undo before the picker opened. */
  depth: number;
}

/** Most characters that are taken for a query. */
const MOST = 40;

const setPicking = StateEffect.define<Picking | null>();

const isPick = (transaction: Transaction): boolean =>
  transaction.annotation(pickedCompletion) !== undefined || transaction.isUserEvent('input.complete');

const field = StateField.define<Picking | null>({
  create: () => null,
  update: (picking, transaction) => {
    for (const effect of transaction.effects) if (effect.is(setPicking)) return effect.value;
    if (!picking) return null;
    const { changes, state } = transaction;
    if (isPick(transaction)) return null;
    const from = changes.mapPos(picking.from, -1);
    const to = changes.mapPos(picking.to, 1);
    const text = state.sliceDoc(from, Math.min(to, from + MOST + 1));
    const kept = text.startsWith(picking.trigger.slice(0, 1)) && text.length <= MOST && !text.includes('\n');
    return kept ? { ...picking, from, to } : null;
  },
});

export const isPicking = (state: EditorState): boolean => Boolean(state.field(field, false));

/** Puts the text back that a picker stands in for. */
function restore(view: EditorView): void {
  const picking = view.state.field(field, false);
  if (!picking) return;
  const { from, to, before } = picking;
  const { state } = view;
  const isBack = state.readOnly || state.sliceDoc(from, to) === before;
  view.dispatch({
    ...(!isBack && { changes: { from, to, insert: before }, annotations: isolateHistory.of('full') }),
    effects: setPicking.of(null),
  });
}

/** Takes the picker's own steps back, so that none of them is left to undo. */
function takeBack(view: EditorView, { depth }: Picking): void {
  while (undoDepth(view.state) > depth && undo(view));
}

/** Makes one step of what was picked and what led there: undoing it brings the text back that was there before. */
function join(view: EditorView, picking: Picking): void {
  const picked = view.state;
  takeBack(view, picking);
  const [now, wanted] = [view.state.doc.toString(), picked.doc.toString()];
  const difference = differenceOf(now, wanted);
  view.dispatch({
    ...(difference && {
      changes: { from: difference.from, to: difference.toA, insert: wanted.slice(difference.from, difference.toB) },
    }),
    selection: picked.selection,
    annotations: isolateHistory.of('full'),
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
}

/** Leaves a picker, with the text and the selection as they were; for Escape. */
export const cancelPicker: Command = view => {
  const picking = view.state.field(field, false);
  if (!picking) return false;
  closeCompletion(view);
  closeHint(view);
  takeBack(view, picking);
  restore(view);
  return true;
};

/** Puts the text back where nothing was typed in its place; for a cursor that goes elsewhere. */
export function leavePicker(view: EditorView): void {
  const picking = view.state.field(field, false);
  if (!picking) return;
  if (view.state.sliceDoc(picking.from, picking.to) === picking.trigger) restore(view);
  else view.dispatch({ effects: setPicking.of(null) });
}

/**
 * Puts a text that a list opens at in place of a range, and opens that list. Unless something is picked or typed, the
 * range's text comes back.
 */
export function openPicker(
  view: EditorView,
  { from, to }: { from: number; to: number },
  trigger: string,
  cursor = trigger.length,
): void {
  const { state } = view;
  const end = from + trigger.length;
  view.dispatch({
    changes: { from, to, insert: trigger },
    selection: EditorSelection.cursor(from + cursor),
    effects: setPicking.of({ from, to: end, before: state.sliceDoc(from, to), trigger, depth: undoDepth(state) }),
    annotations: isolateHistory.of('full'),
    userEvent: 'input.picker',
    scrollIntoView: true,
  });
  startCompletion(view);
}

/** What pickers that stand in for a text need; a cursor elsewhere leaves them. */
export const pickers: Extension = [
  field,
  EditorView.updateListener.of(({ state, startState, selectionSet, transactions, view }) => {
    const before = startState.field(field, false);
    if (before && transactions.some(isPick)) return join(view, before);
    const picking = selectionSet && state.field(field);
    if (!picking) return;
    const { main } = state.selection;
    if (main.head <= picking.from || main.head > picking.to) leavePicker(view);
  }),
];
