import { type ReactNode, useEffect, useId, useRef } from 'react';
import { whole } from '../../../domain/messages.ts';
import { Button } from '../../parts/button.tsx';

interface QuestionProps {
  text: string;
  onClose(): void;
  /** Its answers, but for the one that nothing is to happen. */
  children: ReactNode;
}

/** Asks before something is done. It stands in the page's flow: a short frame has no room for a dialog above it. */
function Question({ text, onClose, children }: QuestionProps) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => box.current?.focus(), []);
  return (
    <div
      ref={box}
      role="alertdialog"
      aria-labelledby={id}
      tabIndex={-1}
      className="check-question"
      onKeyDown={event => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <p id={id}>{text}</p>
      {children}
      <Button appearance="subtle" onClick={onClose}>
        Cancel
      </Button>
    </div>
  );
}

interface Props {
  rows: number;
  onClose(): void;
}

/** Asks before everything is deleted. */
export const ClearQuestion = ({ rows, onClear, onClose }: Props & { onClear(): void }) => (
  <Question text={whole.clear(rows)} onClose={onClose}>
    <Button appearance="primary" onClick={onClear}>
      Clear
    </Button>
  </Question>
);

/** Asks where an import goes. */
export const ImportQuestion = ({
  rows,
  onBelow,
  onReplace,
  onClose,
}: Props & { onBelow(): void; onReplace(): void }) => (
  <Question text={whole.importMore(rows)} onClose={onClose}>
    <Button appearance="primary" onClick={onBelow}>
      Import below
    </Button>
    <Button onClick={onReplace}>Replace all</Button>
  </Question>
);
