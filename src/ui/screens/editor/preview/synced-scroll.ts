import { EditorView } from '@codemirror/view';
import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react';
import { lastRowBefore } from '../../../../text/rows.ts';
import type { Checklist } from '../../../../text/types.ts';

/** A scroll position in a checklist: a row, and the part of it above the edge, 0 to 1. */
interface ScrollPosition {
  index: number;
  part: number;
}

const clamped = (part: number) => Math.min(Math.max(part, 0), 1);

/** A row's position in the editor's text, in pixels from the text's top. */
function bandOf(view: EditorView, { starts, rows }: Checklist, index: number): { top: number; height: number } {
  const from = starts[index] ?? 0;
  const length = view.state.doc.length;
  const to = from + Math.max((rows[index]?.length ?? 1) - 1, 0);
  const top = view.lineBlockAt(Math.min(from, length)).top;
  return { top, height: view.lineBlockAt(Math.min(to, length)).bottom - top };
}

/** The row at the upper edge of the editor. */
export function positionInText(view: EditorView, checklist: Checklist): ScrollPosition | undefined {
  const edge = view.scrollDOM.scrollTop - view.documentPadding.top;
  const index = Math.max(lastRowBefore(checklist, view.lineBlockAtHeight(Math.max(edge, 0)).from), 0);
  if (!checklist.rows[index]) return undefined;
  const { top, height } = bandOf(view, checklist, index);
  return { index, part: clamped((edge - top) / height) };
}

/** Scrolls the editor to a row at the upper edge, after the lines in between are measured. */
export function scrollText(view: EditorView, checklist: Checklist, { index, part }: ScrollPosition): void {
  const from = Math.min(checklist.starts[index] ?? 0, view.state.doc.length);
  const { height } = bandOf(view, checklist, index);
  view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: -part * height }) });
}

type PreviewRows = Virtualizer<HTMLElement, HTMLLIElement>;

/** The row at the upper edge of the preview. */
function positionInPreview(pane: HTMLElement): ScrollPosition | undefined {
  const edge = pane.getBoundingClientRect().top;
  for (const row of pane.querySelectorAll<HTMLElement>('[data-index]')) {
    const { top, bottom, height } = row.getBoundingClientRect();
    if (bottom > edge) return { index: Number(row.dataset.index), part: clamped((edge - top) / height) };
  }
  return undefined;
}

/** Scrolls the preview to a row at the upper edge, or to its estimated position. */
function scrollPreview(pane: HTMLElement, rows: PreviewRows, { index, part }: ScrollPosition): void {
  const box = pane.querySelector(`[data-index="${index}"]`)?.getBoundingClientRect();
  if (box) pane.scrollTop += box.top + part * box.height - pane.getBoundingClientRect().top;
  else pane.scrollTop = rows.measurementsCache[index]?.start ?? pane.scrollTop;
}

/** At the top or bottom of one side, the other side goes there, too. */
export function edgeOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): 'top' | 'bottom' | undefined {
  if (scrollTop <= 1) return 'top';
  return scrollTop >= scrollHeight - clientHeight - 1 ? 'bottom' : undefined;
}

/** Events of a user that precede scrolling. */
const userEvents = ['pointerdown', 'pointermove', 'wheel', 'touchstart', 'keydown', 'focusin'] as const;

interface Sides {
  view: EditorView;
  checklist: Checklist;
  pane: RefObject<HTMLElement | null>;
  virtualizer: PreviewRows;
}

/**
 * Keeps text and preview at the same row. The side that the user last touched leads, and only its scrolling moves the
 * other, so that there is no feedback. Returns the function that moves the other side to the leading side's row.
 */
export function useSyncedScroll(sides: Sides): () => void {
  const { view, pane, virtualizer } = sides;
  const latest = useRef(sides.checklist);
  const leader = useRef<'text' | 'preview'>('text');
  useLayoutEffect(() => {
    latest.current = sides.checklist;
  });

  const sync = useCallback(() => {
    const [shown, text] = [pane.current, view.scrollDOM];
    if (!shown) return;
    const [from, to] = leader.current === 'text' ? [text, shown] : [shown, text];
    const edge = edgeOf(from);
    if (edge === 'top') to.scrollTop = 0;
    else if (edge === 'bottom') to.scrollTop = to.scrollHeight;
    else if (from === text) {
      const place = positionInText(view, latest.current);
      if (place) scrollPreview(shown, virtualizer, place);
    } else {
      const place = positionInPreview(shown);
      if (place) scrollText(view, latest.current, place);
    }
  }, [view, pane, virtualizer]);

  useLayoutEffect(() => {
    const [shown, text] = [pane.current, view.scrollDOM];
    if (!shown) return;
    const byText = () => {
      leader.current = 'text';
    };
    const byPreview = () => {
      leader.current = 'preview';
    };
    const passive = { passive: true, capture: true };
    for (const event of userEvents) {
      view.dom.addEventListener(event, byText, passive);
      shown.addEventListener(event, byPreview, passive);
    }
    const syncFrom = (side: 'text' | 'preview') => () => {
      if (leader.current === side) sync();
    };
    const [textScrolls, previewScrolls] = [syncFrom('text'), syncFrom('preview')];
    text.addEventListener('scroll', textScrolls, { passive: true });
    shown.addEventListener('scroll', previewScrolls, { passive: true });
    sync();
    return () => {
      for (const event of userEvents) {
        view.dom.removeEventListener(event, byText, passive);
        shown.removeEventListener(event, byPreview, passive);
      }
      text.removeEventListener('scroll', textScrolls);
      shown.removeEventListener('scroll', previewScrolls);
    };
  }, [view, pane, sync]);
  return sync;
}
