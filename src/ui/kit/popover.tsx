import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useLayer } from './use-layer.ts';
import './kit.css';

interface Props {
  label: string;
  /** `withFocus`: the focus is still inside. */
  onClose(withFocus: boolean): void;
  children: ReactNode;
}

/**
 * A small non-modal dialog at a row, in the document's flow so that the frame grows with it. The kit's popup is 38 kB
 * after gzip.
 */
export function Popover({ label, onClose, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
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
