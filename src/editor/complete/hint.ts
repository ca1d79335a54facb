import type { CompletionContext } from '@codemirror/autocomplete';
import { type EditorState, type Extension, StateEffect, StateField, type Transaction } from '@codemirror/state';
import { type Command, EditorView, showTooltip, type Tooltip } from '@codemirror/view';
import { element } from '../element.ts';

/** A status line in place of a list: loading, nothing found or failed. */
interface Hint {
  from: number;
  text: string;
  /** The line stays while the text between `from` and the cursor matches. */
  while: RegExp;
}

const setHint = StateEffect.define<Hint | null>({
  map: (hint, changes) => hint && { ...hint, from: changes.mapPos(hint.from) },
});

function stays(hint: Hint, state: EditorState): boolean {
  const { head, empty } = state.selection.main;
  return empty && head > hint.from && hint.while.exec(state.sliceDoc(hint.from, head))?.index === 0;
}

function next(hint: Hint | null, transaction: Transaction): Hint | null {
  for (const effect of transaction.effects) if (effect.is(setHint)) return effect.value;
  if (!hint || !(transaction.docChanged || transaction.selection)) return hint;
  const moved = transaction.docChanged ? { ...hint, from: transaction.changes.mapPos(hint.from) } : hint;
  return stays(moved, transaction.state) ? moved : null;
}

function tooltip({ from, text }: Hint): Tooltip {
  return {
    pos: from,
    above: false,
    create: () => {
      return { dom: element('div', 'cm-complete-hint', text) };
    },
  };
}

const field = StateField.define<Hint | null>({
  create: () => null,
  update: next,
  provide: hints => showTooltip.computeN([hints], state => [hintTooltip(state)]),
});

const hintTooltip = (state: EditorState): Tooltip | null => {
  const hint = state.field(field);
  return hint && tooltip(hint);
};

/** Shows the status lines of sources. */
export const hints: Extension = field;

/** The line that is shown. */
export const hintOf = (state: EditorState): string | undefined => state.field(field, false)?.text;

/** Takes the line away; a command for Escape. */
export const closeHint: Command = view => {
  if (hintOf(view.state) === undefined) return false;
  view.dispatch({ effects: setHint.of(null) });
  return true;
};

/**
 * Shows a status line in place of a list if the text has not changed meanwhile; an empty text removes it. The end of a
 * search is also announced to screen readers.
 */
export function showHint(
  { view, aborted, state }: CompletionContext,
  from: number,
  expression: RegExp,
  text: string | undefined,
  announced = false,
): void {
  if (!view || aborted || view.state.field(field, false) === undefined) return;
  if (text === undefined) {
    closeHint(view);
    return;
  }
  if (view.state.doc !== state.doc || !view.hasFocus) return;
  const effects: StateEffect<unknown>[] = [setHint.of({ from, text, while: expression })];
  if (announced) effects.push(EditorView.announce.of(text));
  view.dispatch({ effects });
}
