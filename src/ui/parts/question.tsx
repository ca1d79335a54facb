import { useEffect, useId, useRef } from 'react';
import { shell } from '../../domain/messages.ts';
import { useQuestion } from '../app/navigation-hooks.ts';
import { Button } from './button.tsx';

/** Asks whether to leave unsaved edits behind. Escape means stay. */
export function LeaveQuestion() {
  const { asking, decide } = useQuestion();
  return asking ? <Question decide={decide} /> : null;
}

function Question({ decide }: { decide: (leaves: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="question" aria-labelledby={text} onClose={() => decide(false)}>
      <p id={text}>{shell.unsaved}</p>
      <div className="actions">
        <Button appearance="primary" onClick={() => decide(false)}>
          Stay
        </Button>
        <Button onClick={() => decide(true)}>Leave</Button>
      </div>
    </dialog>
  );
}
