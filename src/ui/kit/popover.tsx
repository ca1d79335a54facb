import { type ReactNode, useEffect, useRef } from 'react';
import './popover.css';

interface Props {
  label: string;
  /** `withFocus`: the keyboard is still in it. */
  onClose(withFocus: boolean): void;
  children: ReactNode;
}

/** A small dialog at a row. It stands in the document's flow of heights, so that the frame grows with it. */
export function Popover({ label, onClose, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    const press = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) close.current(false);
    };
    document.addEventListener('pointerdown', press, true);
    return () => document.removeEventListener('pointerdown', press, true);
  }, []);
  return (
    <div
      ref={box}
      role="dialog"
      aria-label={label}
      className="check-popover"
      onClick={event => event.stopPropagation()}
      onKeyDown={event => {
        event.stopPropagation();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose(true);
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        // Nothing takes it when the window is left, or when a calendar is drawn anew.
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) onClose(false);
      }}
    >
      {children}
    </div>
  );
}
