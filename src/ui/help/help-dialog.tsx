import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import type { KeyboardEvent } from 'react';
import { editorCommands } from '../../editor/index.ts';
import { keepKey, useModal } from '../kit/focus.ts';
import type { HelpDialogProps } from '../shell/help/use-help.tsx';
import { Help } from './help.tsx';

/** The guide as a modal dialog over a screen. */
export default function HelpDialog({ view, onClose }: HelpDialogProps) {
  const { ref, close, onCancel } = useModal(onClose);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
    close();
    keepKey(event);
  };
  return (
    <dialog ref={ref} className="help-dialog" aria-labelledby="help-heading" onKeyDown={onKeyDown} onCancel={onCancel}>
      <div className="help">
        <header className="help-title">
          <Heading as="h1" size="small" id="help-heading">
            Help
          </Heading>
          <Button appearance="subtle" onClick={close}>
            Close help
          </Button>
        </header>
        <Help commands={view?.state.facet(editorCommands)} />
      </div>
    </dialog>
  );
}
