import Button from '@atlaskit/button/new';
import type { EditorView } from '@codemirror/view';
import { type KeyboardEvent, type PointerEvent, type ReactNode, Suspense } from 'react';
import { keyShortcut } from '../../../editor/index.ts';
import { Loading, requiredComponent } from '../../kit/content-state.tsx';
import { loadChunk } from '../../shell/lazy-screen.tsx';
import { MAX_WIDTH, MIN_WIDTH, type PreviewSource, type PreviewState } from './use-preview.ts';
import '../editor.css';

/** Percent per key press. */
const STEP = 2;

interface SeparatorProps {
  /** The preview's width in percent. */
  width: number;
  /** Called while the separator moves. */
  onWidth(width: number): void;
  /** Called after the move, with the width to store. */
  onDone(width: number): void;
}

const bounded = (width: number) => Math.round(Math.min(Math.max(width, MIN_WIDTH), MAX_WIDTH));

/** The separator between text and preview, moved by mouse or keys. */
export function Separator({ width, onWidth, onDone }: SeparatorProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const wanted: Record<string, number> = {
      ArrowLeft: width + STEP,
      ArrowRight: width - STEP,
      Home: MAX_WIDTH,
      End: MIN_WIDTH,
    };
    const next = wanted[event.key];
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
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
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

/** Toggles the preview; hidden where the window is too narrow. */
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
