import Button from '@atlaskit/button/new';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  Suspense,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { checklistOf, type EditorCommand, isChecklistChanged, keyShortcut } from '../../../../editor/index.ts';
import { Loading, requiredComponent } from '../../../kit/content-state.tsx';
import { loadChunk } from '../../../shell/lazy-screen.tsx';
import '../editor.css';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import * as v from 'valibot';
import { createStore, type Store } from '../../../../client/store.ts';
import { lastRowBefore } from '../../../../text/rows.ts';
import type { Checklist, Row } from '../../../../text/types.ts';
import { usePreference } from '../../../model/preferences.ts';

/** The minimum width for text and preview. */
const wide = '(min-width: 800px)';

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(wide);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Whether the window is wide enough for a preview next to the text. */
const useWideWindow = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(wide).matches);

const MIN_WIDTH_PERCENT = 20;
const MAX_WIDTH_PERCENT = 70;

const setting = v.object({
  open: v.boolean(),
  width: v.pipe(v.number(), v.minValue(MIN_WIDTH_PERCENT), v.maxValue(MAX_WIDTH_PERCENT)),
});
const initial = { open: false, width: 40 };

/** The preview's state. */
interface PreviewState {
  open: boolean;
  /** The preview's share of the width, in percent. */
  width: number;
  /** Toggles the preview; missing if the window is too narrow. */
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

interface PreviewSource {
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
    extension: EditorView.updateListener.of(update => {
      if (isChecklistChanged(update) || update.selectionSet) store.set(shownOf(update.view));
    }),
    store,
    follow: view => store.set(view && shownOf(view)),
  };
}

const PERCENT_PER_KEY = 2;

interface SeparatorProps {
  /** The preview's width in percent. */
  width: number;
  /** Called while the separator moves. */
  onWidth(width: number): void;
  /** Called after the move, with the width to store. */
  onDone(width: number): void;
}

const bounded = (width: number) => Math.round(Math.min(Math.max(width, MIN_WIDTH_PERCENT), MAX_WIDTH_PERCENT));

/** The separator between text and preview, moved by mouse or keys. */
function Separator({ width, onWidth, onDone }: SeparatorProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const widthOfKey: Record<string, number> = {
      ArrowLeft: width + PERCENT_PER_KEY,
      ArrowRight: width - PERCENT_PER_KEY,
      Home: MAX_WIDTH_PERCENT,
      End: MIN_WIDTH_PERCENT,
    };
    const next = widthOfKey[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onDone(bounded(next));
  };
  const follow = (event: PointerEvent<HTMLElement>, report: (width: number) => void) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const room = event.currentTarget.parentElement?.getBoundingClientRect();
    if (room && room.width > 0) report(bounded(((room.right - event.clientX) / room.width) * 100));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: `<hr>` cannot be moved.
    <div
      className="preview-separator"
      role="separator"
      aria-orientation="vertical"
      aria-label="Preview width"
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH_PERCENT}
      aria-valuemax={MAX_WIDTH_PERCENT}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={event => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={event => follow(event, onWidth)}
      onPointerUp={event => follow(event, onDone)}
    />
  );
}

const Pane = requiredComponent('preview', () => loadChunk('preview', () => import('./preview.tsx')));

/** Toggles the preview; hidden if the window is too narrow. */
export function PreviewButton({ preview: { open, command }, view }: { preview: PreviewState; view: EditorView }) {
  if (!command) return null;
  return (
    // Not the design system's selected style: its contrast is too low.
    <Button
      appearance={open ? 'default' : 'subtle'}
      aria-pressed={open}
      aria-keyshortcuts={keyShortcut(command)}
      onClick={() => command.run(view)}
    >
      Preview
    </Button>
  );
}

interface Props {
  preview: PreviewState;
  source: PreviewSource;
  editable: boolean;
  children: ReactNode;
}

/** The text with its preview next to it. */
export function Split({ preview, source, editable, children }: Props) {
  const { open, width } = preview;
  return (
    <div className="preview-split">
      {children}
      {open ? (
        <>
          <Separator width={width} onWidth={preview.setWidth} onDone={preview.storeWidth} />
          <div className="preview-pane" style={{ flexBasis: `${width}%` }}>
            <Suspense fallback={<Loading />}>
              <Pane source={source.store} editable={editable} />
            </Suspense>
          </div>
        </>
      ) : null}
    </div>
  );
}
