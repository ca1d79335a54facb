import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useMemo, useState, useSyncExternalStore } from 'react';
import * as v from 'valibot';
import { createStore, type Store } from '../../../client/store.ts';
import { checklistOf, type EditorCommand, lastRowBefore } from '../../../editor/index.ts';
import type { Checklist, Row } from '../../../text/types.ts';
import { usePreference } from '../../model/preferences.ts';

/** The minimum width for text and preview. */
const wide = '(min-width: 800px)';

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(wide);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Whether the window is wide enough for a preview next to the text. */
export const useWideWindow = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(wide).matches);

export const MIN_WIDTH = 20;
export const MAX_WIDTH = 70;

const setting = v.object({
  open: v.boolean(),
  width: v.pipe(v.number(), v.minValue(MIN_WIDTH), v.maxValue(MAX_WIDTH)),
});
const initial = { open: false, width: 40 };

/** The preview's state. */
export interface PreviewState {
  open: boolean;
  /** The preview's share of the width, in percent. */
  width: number;
  /** Toggles the preview; missing where the window is too narrow. */
  command: EditorCommand | undefined;
  /** Sets the width without storing it. */
  setWidth(width: number): void;
  /** Sets and stores the width. */
  storeWidth(width: number): void;
}

/** Whether the preview is open, and its width. */
export function usePreview(): PreviewState {
  const [{ open, width }, keep] = usePreference('preview', setting, initial);
  const [moved, setWidth] = useState<number | undefined>(undefined);
  const possible = useWideWindow();
  const command = useMemo(
    (): EditorCommand => ({
      id: 'preview',
      title: 'Toggle preview',
      keys: [{ key: 'Mod-Alt-p', scope: 'editor page' }],
      edits: false,
      run: () => {
        keep({ open: !open, width });
        return true;
      },
    }),
    [open, width, keep],
  );
  return {
    open: open && possible,
    width: moved ?? width,
    command: possible ? command : undefined,
    setWidth,
    storeWidth: now => {
      setWidth(undefined);
      keep({ open, width: now });
    },
  };
}

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
