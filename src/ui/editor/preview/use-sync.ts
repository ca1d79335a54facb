import type { EditorView } from '@codemirror/view';
import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react';
import type { Checklist } from '../../../text/types.ts';
import { edgeOf, placeInPreview, placeInText, scrollPreview, scrollText } from './scroll.ts';

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
 * other, so that none answers to an answer. Returns what brings the preview to where the text is, if the text leads.
 */
export function useSync(sides: Sides): () => void {
  const { view, pane, list } = sides;
  const latest = useRef(sides.checklist);
  const leader = useRef<'text' | 'preview'>('text');
  useLayoutEffect(() => {
    latest.current = sides.checklist;
  });

  const follow = useCallback(() => {
    const [shown, rows] = [pane.current, list.current];
    if (leader.current !== 'text' || !shown || !rows) return;
    const edge = edgeOf(view.scrollDOM);
    const place = placeInText(view, latest.current);
    if (edge === 'top') shown.scrollTop = 0;
    else if (edge === 'bottom') shown.scrollTop = shown.scrollHeight;
    else if (place) scrollPreview(shown, rows, place);
  }, [view, pane, list]);

  useLayoutEffect(() => {
    const [shown, text] = [pane.current, view.scrollDOM];
    if (!shown) return;
    const lead = () => {
      const rows = list.current;
      if (leader.current !== 'preview' || !rows) return;
      const edge = edgeOf(shown);
      const place = placeInPreview(shown, rows);
      if (edge === 'top') text.scrollTop = 0;
      else if (edge === 'bottom') text.scrollTop = text.scrollHeight;
      else if (place) scrollText(view, latest.current, place);
    };
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
    text.addEventListener('scroll', follow, { passive: true });
    shown.addEventListener('scroll', lead, { passive: true });
    follow();
    return () => {
      for (const hand of hands) {
        view.dom.removeEventListener(hand, byText, passive);
        shown.removeEventListener(hand, byPreview, passive);
      }
      text.removeEventListener('scroll', follow);
      shown.removeEventListener('scroll', lead);
    };
  }, [view, pane, list, follow]);
  return follow;
}
