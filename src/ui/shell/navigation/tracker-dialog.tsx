import { type HostBridge, HostUnreachable, type Json } from '../../../bridge/bridge.ts';
import { shell } from '../../../domain/messages.ts';
import type { DialogName } from '../../../domain/pages.ts';
import { Button } from '../../kit/button.tsx';
import type { Notify } from '../services/services.ts';
import { useBridge, useHostContext } from '../services/services.ts';

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

/**
 * Opens an app dialog in the tracker. Resolves with the value it was closed with; shows a flag and resolves with
 * `undefined` if it could not be opened.
 */
export async function openDialog(
  bridge: HostBridge,
  notify: Notify,
  name: DialogName,
  data: Json,
): Promise<Json | undefined> {
  try {
    return await bridge.openDialog(name, data, () => notify(shell.noDialog, 'error'));
  } catch (error) {
    notify(error instanceof HostUnreachable ? error.message : shell.noDialog, 'error');
    return undefined;
  }
}
