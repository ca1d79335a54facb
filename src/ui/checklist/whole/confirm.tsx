import { useEffect, useId, useRef } from 'react';
import { whole } from '../../../domain/messages.ts';
import { Button } from '../../parts/button.tsx';

interface Props {
  rows: number;
  onClear(): void;
  onClose(): void;
}

/** Asks before everything is deleted. It stands in the page's flow: a short frame has no room for a dialog above it. */
export function ClearQuestion({ rows, onClear, onClose }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const text = useId();
  useEffect(() => box.current?.focus(), []);
  return (
    <div
      ref={box}
      role="alertdialog"
      aria-labelledby={text}
      tabIndex={-1}
      className="check-question"
      onKeyDown={event => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <p id={text}>{whole.clear(rows)}</p>
      <Button appearance="primary" onClick={onClear}>
        Clear
      </Button>
      <Button appearance="subtle" onClick={onClose}>
        Cancel
      </Button>
    </div>
  );
}
