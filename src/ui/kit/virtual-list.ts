import {
  defaultRangeExtractor,
  observeElementRect,
  type Range,
  type Rect,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual';

/** The height of a list before layout. */
const INITIAL_HEIGHT_PX = 800;

/**
 * A line's height with fractions: the library rounds, which shifts the lines below by the sum of all fractions. A hidden
 * line keeps its estimated height.
 */
function exactHeight<Scroller extends Element | Window, Line extends Element>(
  element: Line,
  entry: ResizeObserverEntry | undefined,
  list: Virtualizer<Scroller, Line>,
): number {
  const height = entry?.borderBoxSize?.[0]?.blockSize ?? element.getBoundingClientRect().height;
  return height > 0 ? height : list.options.estimateSize(list.indexFromElement(element));
}

/** Options of all virtual lists. */
export const virtual = { initialRect: { width: 0, height: INITIAL_HEIGHT_PX }, measureElement: exactHeight };

/** Options of lists that only the user scrolls. The browser keeps the visible rows in place. */
export const anchored = { ...virtual, scrollToFn: () => undefined };

/** Follows a scroller's size; while it is hidden, the last size stays. */
export const observeShown = <Scroller extends Element, Line extends Element>(
  list: Virtualizer<Scroller, Line>,
  report: (rect: Rect) => void,
) =>
  observeElementRect(list, rect => {
    if (rect.height > 0) report(rect);
  });

/** The lines to mount: lines near the visible range, and lines that always stay. */
export const linesToMount = (range: Range, kept: readonly number[]): number[] =>
  [...new Set([...defaultRangeExtractor(range), ...kept])].sort((a, b) => a - b);

/** A mounted line by its index, or the height of unmounted ones. */
export type VirtualPiece = { index: number } | { room: number; key: string };

/** The mounted lines in order, with the heights of the gaps between them. */
export function piecesOf(mounted: readonly VirtualItem[], total: number): VirtualPiece[] {
  const pieces: VirtualPiece[] = [];
  let at = 0;
  for (const { index, key, start, end } of mounted) {
    if (start > at) pieces.push({ room: start - at, key: `before ${key}` });
    pieces.push({ index });
    at = end;
  }
  if (total > at) pieces.push({ room: total - at, key: 'after' });
  return pieces;
}
