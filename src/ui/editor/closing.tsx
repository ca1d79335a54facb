import Button from '@atlaskit/button/new';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ChecklistStore, ChecklistView } from '../../client/checklist.ts';
import type { IssueRef } from '../../client/reading.ts';
import type { EditorCommand } from '../../editor/index.ts';
import { UnsavedDialog } from '../shell/navigation/dialogs.tsx';
import { useBridge, useUser } from '../shell/services/services.ts';
import type { OpenEditor } from '../text-editor/saving/use-saving.ts';

/** Resolves when the changes wait for the server and are stored in the browser. */
const storedInBrowser = (store: ChecklistStore): Promise<true> =>
  new Promise(resolve => {
    const check = () => {
      const view = store.get();
      if (view?.state !== 'waiting' || view.volatile) return;
      stop();
      resolve(true);
    };
    const stop = store.subscribe(check);
    check();
  });

/** How the dialog closes: at once if nothing is lost, else after a confirmation. */
export interface Closing {
  /** Whether the confirmation is open. */
  confirming: boolean;
  command: EditorCommand;
  /** Closes, after a confirmation if needed. */
  start(): void;
  saveAndClose(): Promise<void>;
  discard(): void;
  keepEditing(): void;
}

export function useClosing(issue: IssueRef, store: ChecklistStore, view: ChecklistView, opened: OpenEditor): Closing {
  const bridge = useBridge();
  const { canEditChecklist: editable } = useUser();
  const { document, saving } = opened;
  const { issueId } = issue;
  const { volatile } = view;
  const [confirming, setConfirming] = useState(false);
  useEffect(() => {
    // Returns the focus to the text, not to the button that opened the confirmation.
    if (!confirming) document.view?.focus();
  }, [document, confirming]);

  const close = useCallback(() => bridge.closeDialog({ issueId, seq: saving.base().seq }), [bridge, issueId, saving]);
  const start = useCallback(() => {
    if (editable && (saving.unsent() || volatile)) setConfirming(true);
    else close();
  }, [editable, volatile, saving, close]);
  const command = useMemo((): EditorCommand => {
    const run = () => {
      start();
      return true;
    };
    return { id: 'close', title: 'Close editor', edits: false, run };
  }, [start]);
  const saveAndClose = async () => {
    setConfirming(false);
    const stored = saving.save();
    if (await Promise.race([stored, storedInBrowser(store)])) {
      // Sends edits that were made during another save.
      saving.handOver();
      close();
    } else document.view?.focus();
  };
  const discard = () => {
    saving.discard();
    close();
  };
  return { confirming, command, start, saveAndClose, discard, keepEditing: () => setConfirming(false) };
}

interface ConfirmCloseProps {
  onSave(): void;
  onDiscard(): void;
  onKeep(): void;
}

/** Confirms closing the editor with unsaved edits. */
export const ConfirmClose = ({ onSave, onDiscard, onKeep }: ConfirmCloseProps) => (
  <UnsavedDialog onStay={onKeep}>
    <Button appearance="subtle" onClick={onKeep}>
      Keep editing
    </Button>
    <Button onClick={onDiscard}>Discard</Button>
    <Button appearance="primary" autoFocus onClick={onSave}>
      Save and close
    </Button>
  </UnsavedDialog>
);
