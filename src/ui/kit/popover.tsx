import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { HOST_BAR_PX } from './host-page.ts';
import { useLayer } from './use-layer.ts';
import './kit.css';

/** Between a popover and its opener, and between a popover and the end of the visible part. */
const GAP_PX = 4;
/** A popover of fewer pixels opens on the other side of its opener, if that has more room. */
const MIN_HEIGHT_PX = 200;

/**
 * Fits a popover with a list into the visible part of the frame: the list gets the height that is left as `--list-room`, and
 * the popover opens above its opener if that has more room. Only an intersection observer reports the visible part.
 */
function useFit(ref: RefObject<HTMLElement | null>, isWanted: boolean): void {
  useEffect(() => {
    const box = ref.current;
    const opener = box?.offsetParent;
    if (!isWanted || !box || !opener || typeof IntersectionObserver === 'undefined') return undefined;
    const place = ({ intersectionRect: visible }: IntersectionObserverEntry) => {
      const list = box.querySelector('[role="listbox"]');
      if (!list || visible.height === 0) return;
      const isPage = document.documentElement.dataset.layout === 'scroll';
      // The frame of a panel grows with its content.
      const isGrowing = !isPage && visible.bottom >= window.innerHeight - 1;
      const { top, bottom } = opener.getBoundingClientRect();
      const below = isGrowing ? window.innerHeight : visible.bottom - bottom - 2 * GAP_PX;
      const above = top - visible.top - (isPage ? 0 : HOST_BAR_PX) - 2 * GAP_PX;
      const otherHeight = box.offsetHeight - list.clientHeight;
      const isAbove = below < MIN_HEIGHT_PX && above > below;
      box.style.setProperty('--list-room', `${Math.max(0, (isAbove ? above : below) - otherHeight)}px`);
      box.style.insetBlock = isAbove ? `auto calc(100% + ${GAP_PX}px)` : '';
    };
    let lastVisible = '';
    const observer = new IntersectionObserver(entries => {
      const last = entries.at(-1);
      if (!last) return;
      place(last);
      const { top, bottom } = last.intersectionRect;
      const visible = [top, bottom, window.innerHeight].join();
      // Until it is at rest: a scroll of the page crosses no threshold.
      if (visible !== lastVisible) ask();
      lastVisible = visible;
    });
    /** The observer reports the visible part at once. */
    function ask() {
      observer.disconnect();
      observer.observe(document.documentElement);
    }
    ask();
    window.addEventListener('resize', ask);
    return () => {
      window.removeEventListener('resize', ask);
      observer.disconnect();
    };
  }, [ref, isWanted]);
}

interface Props {
  label: string;
  /** The popover has a list that scrolls in the available height. */
  fits?: boolean;
  /** `withFocus`: the focus is still inside. */
  onClose(withFocus: boolean): void;
  children: ReactNode;
}

/**
 * A small non-modal dialog at a row, in the document's flow so that the frame grows with it. The kit's popup is 38 kB
 * after gzip.
 */
export function Popover({ label, fits = false, onClose, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useFit(box, fits);
  useLayer(true, onClose, false, box);
  return (
    <div
      ref={box}
      role="dialog"
      aria-label={label}
      className="check-popover"
      onClick={event => event.stopPropagation()}
      onKeyDown={event => event.stopPropagation()}
    >
      {children}
    </div>
  );
}

type DialogProps = {
  className: string;
  /** Cancels. */
  onClose(): void;
  /** The buttons and their fields. */
  children: ReactNode;
} & ({ text: ReactNode } | { label: string });

/**
 * A confirmation in the page's flow: a short frame has no room for a dialog above it. The kit's modal dialog is such a
 * dialog, and 65 kB after gzip.
 */
export function InlineDialog({ className, onClose, children, ...asked }: DialogProps) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => box.current?.focus(), []);
  useLayer(true, onClose, true);
  return (
    <div
      ref={box}
      role="alertdialog"
      {...('text' in asked ? { 'aria-labelledby': id } : { 'aria-label': asked.label })}
      tabIndex={-1}
      className={className}
    >
      {'text' in asked ? <p id={id}>{asked.text}</p> : null}
      {children}
    </div>
  );
}
