import { type ReactNode, useEffect, useId, useRef } from 'react';
import { shell } from '../../../domain/messages.ts';
import { Button } from '../../kit/button.tsx';
import { useQuestion } from './navigation-hooks.ts';

/** Asks what is to become of unsaved edits, by these buttons. Escape means that nothing is. */
export function UnsavedQuestion({ onStay, children }: { onStay: () => void; children: ReactNode }) {
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

/** Asks whether to leave unsaved edits behind. */
export function LeaveQuestion() {
  const { asking, decide } = useQuestion();
  if (!asking) return null;
  const stay = () => decide(false);
  return (
    <UnsavedQuestion onStay={stay}>
      <Button appearance="primary" onClick={stay}>
        Stay
      </Button>
      <Button onClick={() => decide(true)}>Leave</Button>
    </UnsavedQuestion>
  );
}
