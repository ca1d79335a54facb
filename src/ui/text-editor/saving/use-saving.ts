import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { SaveState } from '../../../client/changes.ts';
import type { ChecklistStore, ChecklistView } from '../../../client/checklist.ts';
import type { DraftSlot } from '../../../client/drafts.ts';
import { isSameValue } from '../../../client/outbox/saved-values.ts';
import { shownBase } from '../../../client/reading.ts';
import { whole } from '../../../domain/messages.ts';
import { readChecklist } from '../../../text/read.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import type { Checklist } from '../../../text/types.ts';
import { useFlushed } from '../../model/drafts/use-flushed.ts';
import { useKnownNames } from '../../model/people.tsx';
import { useNotify, useUser } from '../../shell/services/services.ts';
import type { SaveNoticeText } from './notice-text.ts';
import { type OpenEditor, openEditor, showConflictsIn } from './open-editor.ts';
import { openConflicts } from './open-text.ts';
import type { Saving } from './saving.ts';

/** Returns the parsed stored text, the common base of all editors; parsed once per text. */
export function useStoredText(saving: Saving, statuses: StatusRegistry): () => Checklist {
  return useMemo(() => {
    let known = readChecklist(saving.base().text, statuses);
    return () => {
      const { text } = saving.base();
      if (text !== known.text) known = readChecklist(text, statuses, known);
      return known;
    };
  }, [saving, statuses]);
}

/** The state of the open text: unsaved, or the state of the changes. */
export type EditorState = SaveState | 'unsaved';

export interface EditorSaving extends OpenEditor {
  state: EditorState;
  notice: SaveNoticeText | undefined;
  dismiss(): void;
  /** Answers whether to clear the checklist, while that is asked. */
  decideClear: ((clear: boolean) => void) | undefined;
}

const restoredNotice = (others: number): SaveNoticeText => ({
  appearance: 'information',
  title: whole.restored,
  ...(others > 0 && {
    lines: ['You have more unsaved changes from another editor. Open the editor again to see them.'],
  }),
});

/** The open text of a checklist and its saving; changes by other users are merged in as they are loaded. */
export function useSaving(store: ChecklistStore, view: ChecklistView, slot: DraftSlot): EditorSaving {
  const notify = useNotify();
  const names = useKnownNames();
  const user = useUser();
  const [first] = useState(() => restoredNotice(slot.others));
  // The initial notice; shown only after a restore, until a newer one replaces it.
  const [notice, show] = useState<SaveNoticeText | undefined>(first);
  const [decideClear, setDecideClear] = useState<EditorSaving['decideClear']>(undefined);
  const [opened] = useState(() => {
    const askClear = () =>
      new Promise<boolean>(resolve => {
        setDecideClear(() => (clear: boolean) => {
          setDecideClear(undefined);
          resolve(clear);
        });
      });
    const parts = { store, slot, notify, names, show, askClear: user.canDeleteChecklistItems ? askClear : undefined };
    return openEditor(view, user.canEditChecklist, parts);
  });
  const { saving, restored, takenOver } = opened;

  useEffect(() => {
    for (const id of takenOver) store.discard(id);
  }, [store, takenOver]);
  useFlushed(saving.flush);
  useEffect(() => {
    const { conflictView } = store;
    // Texts that were saved here and that another user has overwritten since.
    conflictView.show = found => showConflictsIn(opened, found, { show, names });
    conflictView.isOpen = conflict => openConflicts(opened.document).some(each => isSameValue(each, conflict));
    return () => {
      conflictView.show = undefined;
      conflictView.isOpen = undefined;
    };
  }, [store, opened, names]);
  const { base, text, rows } = view;
  const state = useSyncExternalStore(saving.subscribe, saving.get);
  // Only the server says whether the copy is behind.
  const isAnswered = view.copyNotice !== undefined;
  const wasAnswered = useRef(isAnswered);
  useEffect(() => {
    const isFirst = isAnswered && !wasAnswered.current;
    wasAnswered.current = isAnswered;
    void saving.rebase(shownBase({ base, text, rows }), isFirst);
  }, [saving, base, text, rows, isAnswered]);

  return {
    ...opened,
    state: state === 'unsaved' ? state : state === 'saving' && view.state === 'saved' ? state : view.state,
    notice: restored || notice !== first ? notice : undefined,
    dismiss: () => show(undefined),
    decideClear,
  };
}
