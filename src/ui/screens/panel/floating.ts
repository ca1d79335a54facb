import { type RefObject, useEffect } from 'react';
import { HOST_BAR_PX } from '../../kit/host-page.ts';

/** The distance between a floating foot and the end of the visible part. */
const MARGIN_PX = 8;
/** The part of the visible height that a floating head covers at most. */
const MAX_COVERED_SHARE = 0.25;
/** The part of a phone's height that its keyboard leaves, which no event reports. */
const SHARE_ABOVE_KEYBOARD = 0.5;

/** The field that is being typed in. */
const fieldWithFocus = () => document.activeElement?.closest('.check-field, .check-input');

/** The last row, if the add box has the focus: the row that the user may have added just now. */
const addedRow = () =>
  document.activeElement?.closest('.check-rows') ? undefined : document.querySelector('.check-rows > li:last-child');

/** Tops and bottoms of what a foot does not cover, the lowest first: the field that is being typed in, and open choices. */
function readParts(parent: HTMLElement): { top: number; bottom: number }[] {
  const field = fieldWithFocus()?.getBoundingClientRect();
  const typed = field && {
    top: Math.min(field.top, addedRow()?.getBoundingClientRect().top ?? field.top),
    bottom: field.bottom,
  };
  const choices = [...parent.querySelectorAll('.check-conflict')].map(choice => choice.getBoundingClientRect());
  return [...(typed ? [typed] : []), ...choices].sort((one, other) => other.bottom - one.bottom);
}

/** Steps of 0.1 %: fine enough for a panel of many screens. */
const thresholds = Array.from({ length: 1001 }, (_, i) => i / 1000);

/**
 * Keeps an element within the visible part of its parent, by a transform of `--float` pixels: a head while the parent is
 * scrolled beyond its top, a foot while its end is not visible, above a field that is being typed in and above open choices.
 * The frame is as high as its content and does not scroll, where `position: sticky` has no effect: only an intersection
 * observer reports its visible part.
 */
export function useFloating(ref: RefObject<HTMLElement | null>, edge: 'head' | 'foot'): void {
  useEffect(() => {
    const element = ref.current;
    const parent = element?.parentElement;
    if (!parent || typeof IntersectionObserver === 'undefined') return undefined;
    const place = ({
      isIntersecting,
      boundingClientRect: whole,
      intersectionRect: visible,
    }: IntersectionObserverEntry) => {
      const { offsetHeight: height } = element;
      // The element's offset without the transform.
      const offset = element.offsetTop - parent.offsetTop;
      const top = visible.top - whole.top;
      const bottom = visible.bottom - whole.top;
      let shift = 0;
      if (!isIntersecting) shift = 0;
      else if (edge === 'foot') {
        if (offset + height > bottom + 1) {
          let end = bottom - MARGIN_PX;
          for (const part of readParts(parent))
            if (part.top - whole.top < end && part.bottom - whole.top > end - height)
              end = part.top - whole.top - MARGIN_PX;
          // Without room above them, it is in its place.
          shift = end - height < top ? 0 : Math.max(end - height - offset, -offset);
        }
      } else if (top > offset) {
        const bar = document.documentElement.dataset.layout === 'scroll' ? 0 : HOST_BAR_PX;
        const isKeyboardOpen = fieldWithFocus() && window.matchMedia('(pointer: coarse)').matches;
        const room = (bottom - top - bar) * (isKeyboardOpen ? SHARE_ABOVE_KEYBOARD : 1);
        if (height <= room * MAX_COVERED_SHARE)
          shift = Math.max(0, Math.min(top - offset + bar, whole.height - offset - height));
      }
      element.style.setProperty('--float', `${Math.round(shift)}px`);
      element.toggleAttribute('data-floating', shift !== 0);
    };
    /** Asks for the position anew: the observer reports it at once. */
    const ask = () => {
      observer.unobserve(parent);
      observer.observe(parent);
    };
    let lastVisiblePart = '';
    const observer = new IntersectionObserver(
      entries => {
        const last = entries.at(-1);
        if (!last) return;
        place(last);
        const { boundingClientRect: whole, intersectionRect: visible } = last;
        const visiblePart = [whole.width, whole.height, visible.top - whole.top, visible.height].join();
        // Until it is at rest: a move within the visible part crosses no threshold.
        if (visiblePart !== lastVisiblePart) ask();
        lastVisiblePart = visiblePart;
      },
      { threshold: thresholds },
    );
    // A new size of the parent or the element moves its end without crossing a threshold, and so does the frame's, which
    // the host sets later.
    const sizes = new ResizeObserver(ask);
    sizes.observe(parent);
    sizes.observe(element);
    window.addEventListener('resize', ask);
    for (const type of ['focusin', 'focusout'] as const) parent.addEventListener(type, ask);
    return () => {
      window.removeEventListener('resize', ask);
      for (const type of ['focusin', 'focusout'] as const) parent.removeEventListener(type, ask);
      sizes.disconnect();
      observer.disconnect();
    };
  }, [ref, edge]);
}
