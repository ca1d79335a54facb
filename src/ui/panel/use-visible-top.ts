import { type RefObject, useEffect, useRef, useState } from 'react';

/** Pixels that the bar at the top of the tracker's page may cover, where the panel stands in one. */
const HOST_BAR = 56;
const barAbove = () => (document.documentElement.dataset.layout === 'scroll' ? 0 : HOST_BAR);

/** Fine enough for a panel of many screens. */
const thresholds = Array.from({ length: 201 }, (_, i) => i / 200);

/**
 * How far the element's parent is scrolled out of sight above, in pixels. The frame is as high as its content, so that
 * nothing in it scrolls: only the observer knows what part of it the page around lets people see.
 */
export function useVisibleTop<E extends HTMLElement>(): { ref: RefObject<E | null>; top: number } {
  const ref = useRef<E>(null);
  const [top, setTop] = useState(0);
  useEffect(() => {
    const { current } = ref;
    const parent = current?.parentElement;
    if (!parent || typeof IntersectionObserver === 'undefined') return undefined;
    const observer = new IntersectionObserver(
      entries => {
        const entry = entries.at(-1);
        if (!entry?.isIntersecting) return;
        // Where it stands by itself; the room that is left above its own place needs no moving.
        const place = current.offsetTop - parent.offsetTop;
        const gone = entry.intersectionRect.top - entry.boundingClientRect.top - place;
        const most = entry.boundingClientRect.height - place - current.offsetHeight;
        setTop(gone > 0 ? Math.max(0, Math.min(Math.round(gone) + barAbove(), most)) : 0);
      },
      { threshold: thresholds },
    );
    observer.observe(parent);
    return () => observer.disconnect();
  }, []);
  return { ref, top };
}
