import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import type { KeyboardEvent } from 'react';
import type { Surface } from '../../domain/pages.ts';
import { editorCommands } from '../../editor/index.ts';
import { keepKey, useModal } from '../kit/focus.ts';
import type { HelpDialogProps } from '../shell/help/use-help.tsx';
import { Back } from '../shell/navigation/back-button.tsx';
import { useHostContext } from '../shell/services/services.ts';
import { Help } from './help.tsx';

/** The link back, by the frame's surface. */
function backFrom(surface: Surface): { to: string; words: string } {
  switch (surface) {
    case 'admin':
      return { to: '/admin', words: 'Back to settings' };
    case 'project-admin':
      return { to: '/project', words: 'Back to settings' };
    case 'page':
      return { to: '/assigned-items', words: 'Back to assigned items' };
    case 'dialog':
      return { to: '/templates', words: 'Back to templates' };
    default:
      return { to: '/checklist', words: 'Back to checklist' };
  }
}

/** The guide as a screen. */
export function HelpScreen() {
  const { surface } = useHostContext();
  const { to, words } = backFrom(surface);
  return (
    <main className="help">
      <header className="help-title">
        <Heading as="h1" size="small">
          Help
        </Heading>
        <Back to={to}>{words}</Back>
      </header>
      <Help />
    </main>
  );
}

/** The guide as a modal dialog over a screen. */
export function HelpDialog({ view, onClose }: HelpDialogProps) {
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
