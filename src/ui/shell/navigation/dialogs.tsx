import { useSyncExternalStore } from 'react';
import { type HostBridge, HostUnreachable, type Json } from '../../../bridge/bridge.ts';
import { createStore, type Store } from '../../../client/store.ts';
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
  /** Resolves with the result of the open dialog when it closes; holds `undefined` if there is none. */
  readonly closed: Store<Promise<unknown> | undefined>;
}

function createDialogs(bridge: HostBridge): Dialogs {
  const closed = createStore<Promise<unknown> | undefined>(undefined);
  const fail = (title: string) => bridge.flag({ title, type: 'error' });
  return {
    open: async (name, data) => {
      try {
        let result: Promise<Json | undefined> | undefined;
        const covered = new Promise<unknown>(end => {
          result = bridge.openDialog(name, data, () => {
            // A dialog that does not load covers nothing.
            end(undefined);
            fail(shell.noDialog);
          });
          result.then(end, end);
        });
        closed.set(covered);
        void covered.then(() => {
          if (closed.get() === covered) closed.set(undefined);
        });
        return await result;
      } catch (error) {
        fail(error instanceof HostUnreachable ? error.message : shell.noDialog);
        return undefined;
      }
    },
    closed,
  };
}

export const useDialogs = (): Dialogs => useServices().once(createDialogs);

/** The end of the app's dialog over this frame; `undefined` while there is none. */
export function useCover(): Promise<unknown> | undefined {
  const { closed } = useDialogs();
  return useSyncExternalStore(closed.subscribe, closed.get);
}

const LeaveQuestion = lazyPart(() => import('./unsaved-dialog.tsx'));

/** Asks whether to discard unsaved edits and leave. */
export function LeaveDialog() {
  const { asking, decide } = useLeaveDialog();
  return asking ? <LeaveQuestion decide={decide} /> : null;
}
