import { type ReactNode, useEffect, useId, useRef } from 'react';

type Props = {
  className: string;
  /** Nothing is to happen. */
  onClose(): void;
  /** Its answers, and what belongs to them. */
  children: ReactNode;
} & ({ text: ReactNode } | { label: string });

/** Asks before something is done. It stands in the page's flow: a short frame has no room for a dialog above it. */
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
        // Only this closes, not the dialog around it.
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
