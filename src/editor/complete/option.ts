import { type Completion, insertCompletionText, pickedCompletion } from '@codemirror/autocomplete';
import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { StatusColor } from '../../domain/statuses.ts';
import { type Action, action } from '../actions.ts';
import { provider, type RecentKind } from '../provider.ts';

/** The picture before an option's name. */
export type Picture =
  | { kind: 'avatar'; address: string; name: string }
  | { kind: 'icon'; address: string }
  | { kind: 'glyph'; text: string }
  | { kind: 'sign'; text: string }
  | { kind: 'dot'; color: StatusColor };

/** A completion as our lists show it. */
export interface Choice extends Completion {
  picture: Picture;
  /** The status of the offered issue, in the tracker's colours. */
  lozenge?: { text: string; look: 'default' | 'success' | 'inprogress' };
}

export const isChoice = (completion: Completion): completion is Choice => 'picture' in completion;

/**
 * Inserts a text and a blank in place of the typed query, at every cursor with the same query. `done` names the action.
 */
export function put(text: string, done?: Action) {
  return (view: EditorView, completion: Completion, from: number, to: number): void => {
    const { state } = view;
    const spaced = spaceBehind(state, to) ? `${text} ` : text;
    view.dispatch({
      ...insertCompletionText(state, spaced, from, to),
      annotations: [pickedCompletion.of(completion), ...(done ? [action.of(done)] : [])],
    });
  };
}

/** Applies a choice and remembers it, so that it is offered first the next time. */
export const applyAndRemember = (
  kind: RecentKind,
  value: string,
  apply: ReturnType<typeof put>,
): ReturnType<typeof put> =>
  function applied(view, completion, from, to) {
    view.state.facet(provider).used?.(kind, value);
    apply(view, completion, from, to);
  };

/**
 * Whether a text inserted before a position needs a blank behind it: before a word, and at a line's end for further
 * typing.
 */
export const spaceBehind = (state: EditorState, position: number): boolean =>
  !/^[^\S\n]|^[.,;:!?)\]]/.test(state.sliceDoc(position, position + 1));

/** Applies a choice that changes more than the typed text: one undo step, with the cursor at the given position. */
export const replaceTyped = (
  completion: Completion,
  changes: TransactionSpec['changes'] & object,
  cursor: number,
): TransactionSpec => ({
  changes,
  selection: EditorSelection.cursor(cursor),
  userEvent: 'input.complete',
  scrollIntoView: true,
  annotations: pickedCompletion.of(completion),
});
