import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { createStore, type Store } from '../../../client/store.ts';
import { checklistOf, lastRowBefore } from '../../../editor/index.ts';
import type { Checklist, Row } from '../../../text/types.ts';

/** What the preview shows: the reading of the text in the editor, and where its cursor is. */
export interface Shown {
  view: EditorView;
  checklist: Checklist;
  /** The row at the cursor, if one is there. */
  current: Row | undefined;
}

function shownOf(view: EditorView): Shown {
  const checklist = checklistOf(view.state);
  return { view, checklist, current: checklist.rows[lastRowBefore(checklist, view.state.selection.main.head)] };
}

export interface PreviewSource {
  /** Belongs to the editor. */
  extension: Extension;
  store: Store<Shown | undefined>;
  /** Follows another view, or none. */
  follow(view: EditorView | undefined): void;
}

/** Tells of a view's text and cursor to those who subscribe. The model is the editor's own: nothing is read twice. */
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
