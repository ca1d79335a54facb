import { type ReactNode, useEffect, useId, useRef } from 'react';
import { shell } from '../../../domain/messages.ts';
import { Button } from '../../kit/button.tsx';
import { useLeaveDialog } from './navigation.ts';

/** A dialog about unsaved edits with the given buttons. Escape keeps editing. */
export function UnsavedDialog({ onStay, children }: { onStay: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="question" aria-labelledby={text} onClose={onStay}>
      <p id={text}>{shell.unsaved}</p>
      <div className="actions">{children}</div>
    </dialog>
  );
}

/** Asks whether to discard unsaved edits and leave. */
export function LeaveDialog() {
  const { asking, decide } = useLeaveDialog();
  if (!asking) return null;
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
