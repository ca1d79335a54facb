import { type ReactNode, useEffect, useId, useRef } from 'react';

type Props = {
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
export function InlineDialog({ className, onClose, children, ...asked }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => box.current?.focus(), []);
  return (
    <div
      ref={box}
      role="alertdialog"
      {...('text' in asked ? { 'aria-labelledby': id } : { 'aria-label': asked.label })}
      tabIndex={-1}
      className={className}
      onKeyDown={event => {
        if (event.key !== 'Escape') return;
        // Keeps Escape from also closing the dialog around it.
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      {'text' in asked ? <p id={id}>{asked.text}</p> : null}
      {children}
    </div>
  );
}
