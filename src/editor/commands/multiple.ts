import { EditorSelection, EditorState, type Extension, type StateCommand } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** More than one cursor; Alt and a click add one. */
export const multiple: Extension = [
  EditorState.allowMultipleSelections.of(true),
  EditorView.clickAddsSelectionRange.of(event => event.altKey),
];

/** Back to the main cursor alone. */
export const oneCursor: StateCommand = ({ state, dispatch }) => {
  const { ranges, main } = state.selection;
  if (ranges.length === 1) return false;
  dispatch(state.update({ selection: EditorSelection.create([main]), effects: EditorView.announce.of('One cursor') }));
  return true;
};
