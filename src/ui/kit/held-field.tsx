import { type CompositionEvent, useEffect, useRef, useState } from 'react';

const compose = ({ currentTarget }: CompositionEvent) => currentTarget.toggleAttribute('data-composing');

interface Props {
  text?: string;
  label: string;
  className: string;
  /** Whether Enter is a line break, except with Ctrl or Cmd. */
  lines?: boolean;
  onEscape(): void;
}

/**
 * A plain field in place of one whose code is loading: it has the keys, the caret and the keyboard on the screen at once.
 * The other one takes all that over once it is there. After Enter, the plain one takes no more.
 */
export function HeldField({ text, label, className, lines, onEscape }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  // The typed text is based on the first text.
  const [base] = useState(text);
  // In an effect, after the menu that opened it is unmounted: it traps the focus.
  useEffect(() => {
    field.current?.focus();
    // To the end.
    field.current?.setSelectionRange(1e9, 1e9);
  }, []);
  return (
    <textarea
      ref={field}
      className={className}
      rows={1}
      aria-label={label}
      defaultValue={base}
      onCompositionStart={compose}
      onCompositionEnd={compose}
      onKeyDown={event => {
        const { key, currentTarget } = event;
        // The key that ends a composition is no command.
        if (event.nativeEvent.isComposing) return;
        if (key === 'Escape') onEscape();
        else if (key === 'Enter' && (!lines || event.ctrlKey || event.metaKey)) currentTarget.readOnly = true;
        else return;
        event.preventDefault();
      }}
    />
  );
}
