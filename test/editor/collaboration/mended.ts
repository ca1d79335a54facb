import type { redo } from '@codemirror/commands';
import type { EditorState } from '@codemirror/state';
import { mendUndo } from '../../../src/editor/collaboration/undo.ts';

/** The state after undo or redo, as an editor shows it; the same state where there is nothing to do. */
export function after(state: EditorState, command: typeof redo): EditorState {
  let next = state;
  command({
    state,
    dispatch: transaction => {
      const mended = mendUndo(transaction);
      next = mended ? transaction.state.update(mended).state : transaction.state;
    },
  });
  return next;
}

/** The state after all steps that a command makes. */
export function last(state: EditorState, command: typeof redo): EditorState {
  for (let now = state; ; ) {
    const next = after(now, command);
    if (next === now) return now;
    now = next;
  }
}
