import { type ReactNode, useEffect, useRef } from 'react';
import './kit.css';

interface Props {
  label: string;
  /** `withFocus`: the focus is still inside. */
  onClose(withFocus: boolean): void;
  children: ReactNode;
}

/** A small non-modal dialog at a row, in the document's flow so that the frame grows with it. */
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
        // `relatedTarget` is null when the window loses focus and when a calendar rerenders.
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) onClose(false);
      }}
    >
      {children}
    </div>
  );
}
