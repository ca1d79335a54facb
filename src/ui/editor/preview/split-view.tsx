import Button from '@atlaskit/button/new';
import type { EditorView } from '@codemirror/view';
import type { KeyboardEvent, PointerEvent } from 'react';
import { type ReactNode, Suspense } from 'react';
import { keyShortcut } from '../../../editor/index.ts';
import { requiredComponent } from '../../kit/lazy/required-component.tsx';
import { Loading } from '../../kit/loading.tsx';
import { loadChunk } from '../../shell/lazy-screen.tsx';
import type { PreviewSource } from './preview-source.ts';
import type { PreviewState } from './use-preview.ts';
import { WIDTH_LEAST, WIDTH_MOST } from './use-preview.ts';
import './preview.css';

/** Percent by which a key moves the border. */
const STEP = 2;

interface SeparatorProps {
  /** Percent that the preview takes. */
  width: number;
  /** It is under way. */
  onWidth(width: number): void;
  /** It stays there: worth remembering. */
  onDone(width: number): void;
}

const bounded = (width: number) => Math.round(Math.min(Math.max(width, WIDTH_LEAST), WIDTH_MOST));

/** The border between text and preview, which a mouse drags and keys move. */
export function Separator({ width, onWidth, onDone }: SeparatorProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const wanted: Record<string, number> = {
      ArrowLeft: width + STEP,
      ArrowRight: width - STEP,
      Home: WIDTH_MOST,
      End: WIDTH_LEAST,
    };
    const next = wanted[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onDone(bounded(next));
  };
  const follow = (event: PointerEvent<HTMLElement>, tell: (width: number) => void) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const room = event.currentTarget.parentElement?.getBoundingClientRect();
    if (room && room.width > 0) tell(bounded(((room.right - event.clientX) / room.width) * 100));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      className="preview-separator"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the preview"
      aria-valuenow={width}
      aria-valuemin={WIDTH_LEAST}
      aria-valuemax={WIDTH_MOST}
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

/** Switches the preview; not there where it has no room. */
export function PreviewButton({ preview: { open, command }, view }: { preview: PreviewState; view: EditorView }) {
  if (!command) return null;
  return (
    // Not the kit's selected look: its blue on blue is too faint to read.
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

/** The text, and beside it what it means. */
export function Split({ preview, source, editable, children }: Props) {
  const { open, width } = preview;
  return (
    <div className="preview-split">
      {children}
      {open ? (
        <>
          <Separator width={width} onWidth={preview.setWidth} onDone={preview.keepWidth} />
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
