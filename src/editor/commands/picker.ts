import { closeCompletion, pickedCompletion } from '@codemirror/autocomplete';
import { undo } from '@codemirror/commands';
import { type EditorState, type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { type Command, EditorView, keymap, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { closeCalendar } from '../complete/calendar.ts';

/*
 * A command that asks for a person or a day writes the sign that opens their list. Without a choice the text is again as
 * it was before the command.
 */

/** What such a command has put into the text. */
interface Picking {
  from: number;
  /** What it put there; its sign is at the end. */
  insert: string;
  /** What it replaced. */
  old: string;
}

/** Marks the transaction of a command that opens a list; positions are those after it. */
export const picking = StateEffect.define<Picking>();

/** The list that a command has opened, as long as the cursor is where its sign waits for a name. */
const open = StateField.define<Picking | undefined>({
  create: () => undefined,
  update: (before, transaction) => {
    const { changes, effects, newDoc, newSelection } = transaction;
    for (const effect of effects) if (effect.is(picking)) return effect.value;
    if (!before || transaction.annotation(pickedCompletion) || transaction.isUserEvent('input.complete'))
      return undefined;
    const from = changes.mapPos(before.from, -1);
    const end = from + before.insert.length;
    const { head, empty } = newSelection.main;
    const stays = newDoc.sliceString(from, end) === before.insert && empty && head >= end;
    return stays && newDoc.lineAt(end).number === newDoc.lineAt(head).number ? { ...before, from } : undefined;
  },
});

const pickingIn = (state: EditorState) => state.field(open, false);

/** Most undo steps that typing a name makes. */
const MOST = 100;

/** Takes back what the command did and what was typed since. */
const cancel: Command = view => {
  if (view.composing || !pickingIn(view.state)) return false;
  closeCompletion(view);
  closeCalendar(view);
  for (let step = 0; step < MOST && pickingIn(view.state); step++) if (!undo(view)) break;
  view.dispatch({ effects: EditorView.announce.of('Cancelled') });
  return true;
};

/** Whether nothing is typed behind the sign. */
const isBare = (state: EditorState, { from, insert }: Picking) => state.selection.main.head === from + insert.length;

/** Takes away a sign that nothing was typed behind; the cursor stays where it is now. */
function clean(view: EditorView, { from, insert, old }: Picking): void {
  const to = from + insert.length;
  if (view.state.readOnly || view.state.sliceDoc(from, to) !== insert) return;
  view.dispatch({ changes: { from, to, insert: old }, userEvent: 'delete' });
}

class Leaving {
  private readonly view: EditorView;

  constructor(view: EditorView) {
    this.view = view;
    view.dom.addEventListener('keydown', this.keydown, true);
  }

  update({ startState, state, docChanged }: ViewUpdate) {
    const before = pickingIn(startState);
    if (!before || pickingIn(state) || docChanged || !isBare(startState, before)) return;
    // The cursor went elsewhere. An update must not change the text.
    setTimeout(() => clean(this.view, before));
  }

  /** Escape in the calendar closes that, and with it what opened it. */
  private readonly keydown = ({ key, target }: KeyboardEvent) => {
    if (key !== 'Escape' || !pickingIn(this.view.state)) return;
    if (target instanceof Node && !this.view.contentDOM.contains(target)) setTimeout(() => cancel(this.view));
  };

  blur() {
    setTimeout(() => {
      const { dom, state } = this.view;
      const now = pickingIn(state);
      const page = dom.ownerDocument;
      if (now && isBare(state, now) && page.hasFocus() && !dom.contains(page.activeElement)) clean(this.view, now);
    });
  }

  destroy() {
    this.view.dom.removeEventListener('keydown', this.keydown, true);
  }
}

const plugin = ViewPlugin.fromClass(Leaving, {
  eventObservers: {
    blur() {
      this.blur();
    },
  },
});

/** Escape out of a list that a command opened. Comes before what else Escape means to a list. */
export const pickers: Extension = [
  open,
  plugin,
  Prec.highest(keymap.of([{ key: 'Escape', run: cancel, stopPropagation: true }])),
];
