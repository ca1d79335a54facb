import { type ReactNode, useEffect, useId, useRef } from 'react';
import { shell } from '../../../domain/messages.ts';
import { Button } from '../../kit/button.tsx';
import type { Navigation } from './navigation.ts';

/** A dialog about unsaved edits with the given buttons. Escape keeps editing. The kit's (`useModal`) is 21 kB. */
export function UnsavedDialog({ onStay, children }: { onStay: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    // The dialog is removed, not closed: the browser restores no focus.
    return () => void (before instanceof HTMLElement && before.isConnected && before.focus());
  }, []);
  return (
    <dialog ref={dialog} className="question" aria-labelledby={text} onClose={onStay}>
      <p id={text}>{shell.unsaved}</p>
      <div className="actions">{children}</div>
    </dialog>
  );
}

/** Asks whether to discard unsaved edits and leave. */
export default function LeaveQuestion({ decide }: Pick<Navigation, 'decide'>) {
  const stay = () => decide(false);
  return (
    <UnsavedDialog onStay={stay}>
      <Button appearance="primary" onClick={stay}>
        Stay
      </Button>
      <Button onClick={() => decide(true)}>Leave</Button>
    </UnsavedDialog>
  );
}
