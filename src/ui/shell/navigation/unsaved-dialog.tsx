import { type ReactNode, type RefObject, useId, useRef } from 'react';
import { shell } from '../../../domain/messages.ts';
import { Button } from '../../kit/button.tsx';
import { useModal } from '../../kit/focus.ts';
import type { Navigation } from './navigation.ts';

interface Props {
  /** The button that has the focus first. */
  first: RefObject<HTMLButtonElement | null>;
  onStay: () => void;
  /** The paragraphs; by default that there are unsaved edits. */
  lines?: readonly string[];
  children: ReactNode;
}

const unsavedLines = [shell.unsaved];

/** A dialog about unsaved edits with the given buttons. Escape keeps editing. */
export function UnsavedDialog({ first, onStay, lines = unsavedLines, children }: Props) {
  const { ref, onCancel } = useModal(onStay, first);
  const text = useId();
  return (
    <dialog ref={ref} className="question" aria-labelledby={text} onCancel={onCancel}>
      <div id={text}>
        {lines.map(line => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <div className="actions">{children}</div>
    </dialog>
  );
}

/** Asks whether to discard unsaved edits and leave. */
export default function LeaveQuestion({ decide }: Pick<Navigation, 'decide'>) {
  const stay = () => decide(false);
  const first = useRef<HTMLButtonElement>(null);
  return (
    <UnsavedDialog first={first} onStay={stay}>
      <Button ref={first} appearance="primary" onClick={stay}>
        Stay
      </Button>
      <Button onClick={() => decide(true)}>Leave</Button>
    </UnsavedDialog>
  );
}
