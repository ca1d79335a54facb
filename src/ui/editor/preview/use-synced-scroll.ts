import type { EditorView } from '@codemirror/view';
import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react';
import type { Checklist } from '../../../text/types.ts';
import { edgeOf, placeInPreview, placeInText, scrollPreview, scrollText } from './scroll-position.ts';

/** What a person does to a side before that scrolls by it. */
const hands = ['pointerdown', 'pointermove', 'wheel', 'touchstart', 'keydown', 'focusin'] as const;

interface Sides {
  view: EditorView;
  checklist: Checklist;
  pane: RefObject<HTMLElement | null>;
  list: RefObject<HTMLElement | null>;
}

/**
 * Keeps text and preview at the same row. The side that a person last touched leads, and only its scrolling moves the
 * other, so that none answers to an answer. Returns what brings the other side to where the leading one is.
 */
export function useSyncedScroll(sides: Sides): () => void {
  const { view, pane, list } = sides;
  const latest = useRef(sides.checklist);
  const leader = useRef<'text' | 'preview'>('text');
  useLayoutEffect(() => {
    latest.current = sides.checklist;
  });

  const sync = useCallback(() => {
    const [shown, rows, text] = [pane.current, list.current, view.scrollDOM];
    if (!shown || !rows) return;
    const [from, to] = leader.current === 'text' ? [text, shown] : [shown, text];
    const edge = edgeOf(from);
    if (edge === 'top') to.scrollTop = 0;
    else if (edge === 'bottom') to.scrollTop = to.scrollHeight;
    else if (from === text) {
      const place = placeInText(view, latest.current);
      if (place) scrollPreview(shown, rows, place);
    } else {
      const place = placeInPreview(shown, rows);
      if (place) scrollText(view, latest.current, place);
    }
  }, [view, pane, list]);

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
    for (const hand of hands) {
      view.dom.addEventListener(hand, byText, passive);
      shown.addEventListener(hand, byPreview, passive);
    }
    const led = (side: 'text' | 'preview') => () => {
      if (leader.current === side) sync();
    };
    const [textScrolls, previewScrolls] = [led('text'), led('preview')];
    text.addEventListener('scroll', textScrolls, { passive: true });
    shown.addEventListener('scroll', previewScrolls, { passive: true });
    sync();
    return () => {
      for (const hand of hands) {
        view.dom.removeEventListener(hand, byText, passive);
        shown.removeEventListener(hand, byPreview, passive);
      }
      text.removeEventListener('scroll', textScrolls);
      shown.removeEventListener('scroll', previewScrolls);
    };
  }, [view, pane, sync]);
  return sync;
}
