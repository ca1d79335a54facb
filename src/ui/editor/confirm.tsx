import Button from '@atlaskit/button/new';
import { useEffect, useId, useRef } from 'react';
import { shell } from '../../domain/messages.ts';

interface Props {
  onSave(): void;
  onDiscard(): void;
  onKeep(): void;
}

/** Asks before unsaved edits are lost. Escape means keep editing. */
export function ConfirmClose({ onSave, onDiscard, onKeep }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="question" aria-labelledby={text} onClose={onKeep}>
      <p id={text}>{shell.unsaved}</p>
      <div className="actions">
        <Button appearance="subtle" onClick={onKeep}>
          Keep editing
        </Button>
        <Button onClick={onDiscard}>Discard</Button>
        <Button appearance="primary" autoFocus onClick={onSave}>
          Save and close
        </Button>
      </div>
    </dialog>
  );
}
