import { type HostBridge, HostUnreachable, type Json } from '../../../bridge/bridge.ts';
import { shell } from '../../../domain/messages.ts';
import type { DialogName } from '../../../domain/pages.ts';
import type { Notify } from '../hooks.ts';

/**
 * Opens a dialog of ours, and says so where it does not come. Resolves with what it was closed with; with nothing, too,
 * where it could not be opened.
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
