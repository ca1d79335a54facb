import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { shell } from '../../../domain/messages.ts';
import { Button } from '../../kit/button.tsx';
import { useLayer } from '../../kit/use-layer.ts';
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

/** A dialog about unsaved edits with the given buttons. Escape keeps editing. The kit's (`useModal`) is 21 kB. */
export function UnsavedDialog({ first, onStay, lines = unsavedLines, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useId();
  useLayer(true, onStay, true);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    // A button is not focusable before that, so that `autoFocus` has no effect.
    first.current?.focus();
    // The dialog is removed, not closed: the browser restores no focus.
    return () => void (before instanceof HTMLElement && before.isConnected && before.focus());
  }, [first]);
  return (
    <dialog ref={dialog} className="question" aria-labelledby={text} onClose={onStay}>
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
