import { type ReactNode, useEffect, useId, useRef } from 'react';
import { type HostBridge, HostUnreachable, type Json } from '../../../bridge/bridge.ts';
import { shell } from '../../../domain/messages.ts';
import type { DialogName } from '../../../domain/pages.ts';
import { Button } from '../../kit/button.tsx';
import { type Notify, useBridge, useHostContext } from '../services/services.ts';
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

/** Open app dialogs by the bridge of the frame behind them. */
const open = new WeakMap<HostBridge, Promise<unknown>>();

/** A promise that resolves when the app dialog over this frame closes; `undefined` if there is none. */
export const dialogClosed = (bridge: HostBridge): Promise<unknown> | undefined => open.get(bridge);

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
    const closed = bridge.openDialog(name, data, () => notify(shell.noDialog, 'error'));
    open.set(
      bridge,
      closed.catch(() => undefined),
    );
    return await closed;
  } catch (error) {
    notify(error instanceof HostUnreachable ? error.message : shell.noDialog, 'error');
    return undefined;
  } finally {
    open.delete(bridge);
  }
}

/** A dialog about unsaved edits with the given buttons. Escape keeps editing. */
export function UnsavedDialog({ onStay, children }: { onStay: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    // The dialog is removed, not closed: the browser restores no focus.
    return () => void (before instanceof HTMLElement && before.isConnected && before.focus());
  }, []);
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
