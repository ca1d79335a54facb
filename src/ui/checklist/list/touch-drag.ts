import { controlAt } from './list-dom.ts';

/** Milliseconds for which a finger rests on a row until it lifts the row: before the browser opens a menu or selects. */
const HOLD_MS = 400;
/** Pixels by which a resting finger may move; by more it scrolls. */
const MAX_REST_MOVE_PX = 10;

export interface TouchDragHandlers {
  /** Lifts the row below a resting finger. Returns whether it can be moved. */
  lift(row: HTMLElement): boolean;
  /** The finger is at a vertical position of the frame. */
  move(y: number): void;
  drop(row: HTMLElement): void;
  cancel(row: HTMLElement): void;
}

/**
 * Drags rows of a list by a long press. The browser's own drag starts by touch on some systems only, and there selects
 * text or opens a menu as well.
 */
export function dragByTouch(list: HTMLElement, { lift, move, drop, cancel }: TouchDragHandlers): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from: Touch | undefined;
  let lifted: HTMLElement | undefined;
  const end = () => {
    clearTimeout(timer);
    if (lifted) cancel(lifted);
    from = lifted = undefined;
  };
  const start = ({ touches, target }: TouchEvent) => {
    end();
    const row = target instanceof Element ? target.closest<HTMLElement>('li[data-key]') : null;
    const control = controlAt(target);
    if (!row || touches.length > 1 || (control && !control.matches('.check-tick input, .check-fold'))) return;
    from = touches[0];
    timer = setTimeout(() => {
      if (row.isConnected && lift(row)) lifted = row;
    }, HOLD_MS);
  };
  const follow = (event: TouchEvent) => {
    const [touch] = event.touches;
    if (!touch || !from) return;
    if (lifted) {
      if (event.cancelable) event.preventDefault();
      move(touch.clientY);
    } else if (Math.hypot(touch.clientX - from.clientX, touch.clientY - from.clientY) > MAX_REST_MOVE_PX) end();
  };
  const release = (event: TouchEvent) => {
    const row = lifted;
    lifted = undefined;
    end();
    if (!row) return;
    // No click follows, which would open or tick the row.
    if (event.cancelable) event.preventDefault();
    drop(row);
  };
  const menu = (event: Event) => {
    if (lifted) event.preventDefault();
  };
  list.addEventListener('touchstart', start, { passive: true });
  // Known to the browser before the touch begins: later it would scroll.
  list.addEventListener('touchmove', follow, { passive: false });
  list.addEventListener('touchend', release);
  list.addEventListener('touchcancel', end);
  list.addEventListener('contextmenu', menu);
  return () => {
    end();
    list.removeEventListener('touchstart', start);
    list.removeEventListener('touchmove', follow);
    list.removeEventListener('touchend', release);
    list.removeEventListener('touchcancel', end);
    list.removeEventListener('contextmenu', menu);
  };
}
