import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { EditorCommand } from '../../editor/index.ts';
import { Help } from './help.tsx';

export interface HelpDialogProps {
  commands: readonly EditorCommand[];
  onClose(): void;
}

/** The guide over an editor, whose text stays as it is behind it. */
export default function HelpDialog({ commands, onClose }: HelpDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // While the dialog is open, nothing outside it can take the focus.
  const close = () => {
    dialog.current?.close();
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
    close();
    event.preventDefault();
    // The dialog around the frame would close by the same key.
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
  };
  return (
    <dialog
      ref={dialog}
      className="help-dialog"
      aria-labelledby="help-heading"
      onKeyDown={onKeyDown}
      onCancel={event => {
        event.preventDefault();
        close();
      }}
    >
      <div className="help">
        <header className="help-title">
          <Heading as="h1" size="small" id="help-heading">
            Help
          </Heading>
          <Button appearance="subtle" onClick={close}>
            Close help
          </Button>
        </header>
        <Help commands={commands} />
      </div>
    </dialog>
  );
}
