import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

/** Pixels around what is seen in which rows are there. */
const MARGIN = '1500px 0px';

interface Props {
  /** About how high it is as long as nobody has seen it. */
  height: number;
  children: ReactNode;
}

/** A piece of a long list: its rows are there while they are near what is seen, or the focus is among them. */
export function VirtualBlock({ height, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(true);
  const known = useRef(height);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element || typeof IntersectionObserver === 'undefined') return undefined;
    const observer = new IntersectionObserver(
      entries => {
        // Several come at once where the page was busy: the last one holds.
        const entry = entries.at(-1);
        if (!entry) return;
        if (entry.boundingClientRect.height > 0) known.current = entry.boundingClientRect.height;
        setNear(entry.isIntersecting || element.contains(document.activeElement));
      },
      // Without a root of its own a frame of another origin gets no margin.
      { root: document, rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} style={near ? undefined : { height: known.current }}>
      {near ? children : null}
    </div>
  );
}
