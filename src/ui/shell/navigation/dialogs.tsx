import { type HostBridge, HostUnreachable, type Json } from '../../../bridge/bridge.ts';
import { shell } from '../../../domain/messages.ts';
import type { DialogName } from '../../../domain/pages.ts';
import { Button } from '../../kit/button.tsx';
import { lazyPart } from '../../kit/lazy-component.tsx';
import { useBridge, useHostContext, useServices } from '../services/services.ts';
import { useLeaveDialog } from './navigation.ts';

/** Closes the app's dialog while no screen is shown: the dialog has no chrome, and Escape may not close it. */
export function CloseDialogButton() {
  const bridge = useBridge();
  const { surface } = useHostContext();
  if (surface !== 'dialog') return null;
  return (
    <div className="dialog-close">
      <Button appearance="subtle" onClick={() => bridge.closeDialog()}>
        Close
      </Button>
    </div>
  );
}

/** The app's dialogs over this frame. */
export interface Dialogs {
  /**
   * Opens an app dialog in the tracker. Resolves with the value it was closed with; shows a flag and resolves with
   * `undefined` if it could not be opened.
   */
  open(name: DialogName, data: Json): Promise<Json | undefined>;
  /** Resolves when the open dialog closes; `undefined` if there is none. */
  closed(): Promise<unknown> | undefined;
}

function createDialogs(bridge: HostBridge): Dialogs {
  let closed: Promise<unknown> | undefined;
  const fail = (title: string) => bridge.flag({ title, type: 'error' });
  return {
    open: async (name, data) => {
      try {
        const result = bridge.openDialog(name, data, () => fail(shell.noDialog));
        closed = result.catch(() => undefined);
        return await result;
      } catch (error) {
        fail(error instanceof HostUnreachable ? error.message : shell.noDialog);
        return undefined;
      } finally {
        closed = undefined;
      }
    },
    closed: () => closed,
  };
}

export const useDialogs = (): Dialogs => useServices().once(createDialogs);

const LeaveQuestion = lazyPart(() => import('./unsaved-dialog.tsx'));

/** Asks whether to discard unsaved edits and leave. */
export function LeaveDialog() {
  const { asking, decide } = useLeaveDialog();
  return asking ? <LeaveQuestion decide={decide} /> : null;
}
