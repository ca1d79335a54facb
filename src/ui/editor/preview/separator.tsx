import type { KeyboardEvent, PointerEvent } from 'react';
import { WIDTH_LEAST, WIDTH_MOST } from './use-preview.ts';

/** Percent by which a key moves the border. */
const STEP = 2;

interface Props {
  /** Percent that the preview takes. */
  width: number;
  /** It is under way. */
  onWidth(width: number): void;
  /** It stays there: worth remembering. */
  onDone(width: number): void;
}

const bounded = (width: number) => Math.round(Math.min(Math.max(width, WIDTH_LEAST), WIDTH_MOST));

/** The border between text and preview, which a mouse drags and keys move. */
export function Separator({ width, onWidth, onDone }: Props) {
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
