import Button from '@atlaskit/button/new';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ChecklistStore, ChecklistView } from '../../client/checklist.ts';
import type { IssueRef } from '../../client/reading.ts';
import type { EditorCommand } from '../../editor/index.ts';
import { UnsavedDialog } from '../shell/navigation/unsaved-dialog.tsx';
import { useBridge, useUser } from '../shell/services/services.ts';
import type { OpenEditor } from '../text-editor/saving/use-saving.ts';

/** Resolves when what is to be stored waits for the server, and the browser keeps it beyond this page. */
const waitsSafely = (store: ChecklistStore): Promise<true> =>
  new Promise(resolve => {
    const look = () => {
      const view = store.get();
      if (view?.state !== 'waiting' || view.volatile) return;
      stop();
      resolve(true);
    };
    const stop = store.subscribe(look);
    look();
  });

/** How the dialog is closed: at once where nothing would be lost, else after a question. */
export interface Closing {
  /** Whether it is being asked what is to become of the text. */
  asking: boolean;
  command: EditorCommand;
  /** Asks if need be. */
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
  const [asking, ask] = useState(false);
  useEffect(() => {
    // After the question the focus goes back to the text, not to the button that asked.
    if (!asking) document.view?.focus();
  }, [document, asking]);

  const close = useCallback(() => bridge.closeDialog({ issueId, seq: saving.base().seq }), [bridge, issueId, saving]);
  const start = useCallback(() => {
    if (editable && (saving.unsent() || volatile)) ask(true);
    else close();
  }, [editable, volatile, saving, close]);
  const command = useMemo((): EditorCommand => {
    const run = () => {
      start();
      return true;
    };
    return { id: 'close', title: 'Close the editor', edits: false, run };
  }, [start]);
  const saveAndClose = async () => {
    ask(false);
    const stored = saving.save();
    if (await Promise.race([stored, waitsSafely(store)])) {
      // What was typed while another saving was under way goes along.
      saving.handOver();
      close();
    } else document.view?.focus();
  };
  const discard = () => {
    saving.discard();
    close();
  };
  return { asking, command, start, saveAndClose, discard, keepEditing: () => ask(false) };
}

interface ConfirmCloseProps {
  onSave(): void;
  onDiscard(): void;
  onKeep(): void;
}

/** Asks before the editor is closed over unsaved edits. */
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
