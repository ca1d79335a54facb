import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { createStore, type Store } from '../../../client/store.ts';
import { checklistOf, lastRowBefore } from '../../../editor/index.ts';
import type { Checklist, Row } from '../../../text/types.ts';

/** The preview's content: the editor's parsed text and its cursor. */
export interface Shown {
  view: EditorView;
  checklist: Checklist;
  /** The row at the cursor, if any. */
  current: Row | undefined;
}

function shownOf(view: EditorView): Shown {
  const checklist = checklistOf(view.state);
  return { view, checklist, current: checklist.rows[lastRowBefore(checklist, view.state.selection.main.head)] };
}

export interface PreviewSource {
  /** An extension of the editor. */
  extension: Extension;
  store: Store<Shown | undefined>;
  /** Follows another view, or none. */
  follow(view: EditorView | undefined): void;
}

/** Publishes a view's parsed text and cursor. Uses the editor's own parse result. */
export function previewSource(): PreviewSource {
  const store = createStore<Shown | undefined>(undefined);
  return {
    extension: EditorView.updateListener.of(({ docChanged, selectionSet, view }) => {
      if (docChanged || selectionSet) store.set(shownOf(view));
    }),
    store,
    follow: view => store.set(view && shownOf(view)),
  };
}
