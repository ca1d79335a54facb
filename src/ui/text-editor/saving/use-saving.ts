import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Change, Outcome, SaveState } from '../../../client/changes.ts';
import type { ChecklistStore, ChecklistView } from '../../../client/checklist.ts';
import type { DraftSlot } from '../../../client/drafts.ts';
import type { Base } from '../../../client/reading.ts';
import type { ChecklistChange } from '../../../domain/change.ts';
import { fieldErrors } from '../../../domain/fields.ts';
import { successes, whole } from '../../../domain/messages.ts';
import { nameIn } from '../../../text/export/person.ts';
import { carry } from '../../../text/identity.ts';
import { type Conflict, isAttribute } from '../../../text/merge.ts';
import { readChecklist } from '../../../text/read.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import type { Checklist } from '../../../text/types.ts';
import { useFlushed } from '../../model/drafts/use-flushed.ts';
import { useKnownNames } from '../../model/people.tsx';
import { type Notify, useNotify, useUser } from '../../shell/services/services.ts';
import {
  type Content,
  contentOf,
  initialTextOf,
  type OpenText,
  openText,
  receiveIn,
  stateOf,
  textOf,
  type Unsaved,
} from './open-text.ts';
import { outcomeNotice, refusalNotice, type SaveNoticeText } from './save-notice.tsx';
import { createSaving, offeredText, type Saving } from './saving.ts';

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

/** An open text with its saving. */
export interface OpenEditor {
  document: OpenText;
  saving: Saving;
  /** Whether unsaved edits were restored. */
  restored: boolean;
  /** Ids of rejected changes whose texts are in the editor and its draft. */
  takenOver: readonly string[];
}

interface Parts {
  store: ChecklistStore;
  slot: DraftSlot;
  notify: Notify;
  /** Display names that are known so far, by account id. */
  names(): Readonly<Record<string, string>>;
  show(notice: SaveNoticeText | undefined): void;
  /** Asks whether to clear the checklist; missing where the user has no permission for that. */
  askClear: (() => Promise<boolean>) | undefined;
}

const textChange = ({ text, rows, undecided }: Content): ChecklistChange => ({
  kind: 'updateChecklistFromText',
  text,
  ...(rows && { rows }),
  ...(undecided && { undecided }),
});

/** Whether a text would be stored without a row. */
const isEmptied = (text: string, base: Unsaved['base']) =>
  readChecklist(text).rows.length === 0 && readChecklist(base.text).rows.length > 0;

/** The current text with pending changes, and the revision before these; a row that they added has no id yet. */
function shownBase({ base, text }: Pick<ChecklistView, 'base' | 'text'>): Base {
  const { rows } = base;
  if (text === base.text || !rows) return { ...base, text };
  const carried = carry({ text: base.text, rows }, text, [], {
    read: each => readChecklist(each),
    newId: () => '',
  });
  return { ...base, text, rows: carried };
}

/** Conflicts that can be shown at a row, and those of attributes that this version does not know. */
function splitConflicts<Found extends Conflict<string>>(conflicts: readonly Found[]) {
  const rowConflicts = conflicts.flatMap(({ attribute, ...rest }) =>
    isAttribute(attribute) ? [{ attribute, ...rest }] : [],
  );
  return { rowConflicts, unknownConflicts: conflicts.filter(({ attribute }) => !isAttribute(attribute)) };
}

/** Opens the text and connects its saving to the store, the draft and the notices. */
function open(
  first: ChecklistView,
  editable: boolean,
  { store, slot, notify, names, show, askClear }: Parts,
): OpenEditor {
  const draft = editable ? slot.read() : undefined;
  const rejected = editable ? first.rejected.filter(change => offeredText(change)) : [];
  const unsaved = [...rejected.flatMap(change => offeredText(change) ?? []), ...(draft ? [draft] : [])];
  const initial = initialTextOf(shownBase(first), unsaved, first.model.statuses);
  const { base, restored } = initial;
  const document = openText(initial);
  // Storage is supposed to work until it does not.
  let kept = !restored || slot.keep({ base, ...contentOf(document, base) });
  let change: Change | undefined;
  /** The user has confirmed that the checklist is cleared. */
  let cleared = false;
  const saving = createSaving<Outcome>({
    base,
    text: () => textOf(document),
    content: over => contentOf(document, over),
    question: (typed, over) => {
      if (!isEmptied(typed, over) || !askClear) return undefined;
      return async () => {
        cleared = await askClear();
        if (!cleared) show(refusalNotice(new Error(fieldErrors.CHECKLIST_REQUIRED), kept));
        return cleared;
      };
    },
    send: (content, over) => {
      const { text: typed } = content;
      const clears = cleared && isEmptied(typed, over);
      cleared = false;
      change = store.change(clears ? { kind: 'clearChecklist' } : textChange(content), over);
      return change.outcome;
    },
    sendNow: store.sendNow,
    receive: async (take, outcome) => {
      const { unknownConflicts, rowConflicts } = splitConflicts(outcome?.conflicts ?? []);
      const left = await receiveIn(document, () => {
        const change = take();
        return change && { ...change, conflicts: rowConflicts };
      });
      const conflicts = [...unknownConflicts, ...left];
      if (outcome || conflicts.length > 0)
        show(outcomeNotice({ conflicts, notices: outcome?.notices ?? [] }, nameIn(names())));
    },
    keepDraft: (left, over) => {
      if (left === undefined) return slot.clear();
      const could = kept;
      kept = slot.keep({ base: over, ...left });
      if (could && !kept) show({ appearance: 'warning', title: whole.draftNotKept });
    },
    stored: ({ base: stored }) => notify(stored.text === '' ? successes.clearChecklist : successes.updateChecklist),
    refused: error => {
      // The text is in the editor: no other editor needs to restore it.
      if (change) store.discard(change.id);
      show(refusalNotice(error, kept));
    },
  });
  // The editor and the draft contain them now.
  const takenOver = restored && kept ? rejected.map(({ id }) => id) : [];
  return { document, saving, restored, takenOver };
}

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
    return open(view, user.canEditChecklist, parts);
  });
  const { saving, restored, takenOver } = opened;

  useEffect(() => {
    for (const id of takenOver) store.discard(id);
  }, [store, takenOver]);
  useFlushed(saving.flush);
  useEffect(() => {
    const { conflictView } = store;
    // Texts that were saved here and that another user has overwritten since.
    conflictView.show = found => {
      const { document } = opened;
      const { rowConflicts, unknownConflicts } = splitConflicts(found);
      if (!stateOf(document)) return found;
      const take = () => {
        const { text, rows } = saving.base();
        return { base: { text, rows }, text, rows, conflicts: rowConflicts };
      };
      void receiveIn(document, take).then(left => {
        if (left.length > 0) show(outcomeNotice({ conflicts: left, notices: [] }, nameIn(names())));
      });
      return unknownConflicts;
    };
    return () => {
      conflictView.show = undefined;
    };
  }, [store, saving, opened, names]);
  const { base, text } = view;
  const state = useSyncExternalStore(saving.subscribe, saving.get);
  const isSaving = state === 'saving';
  useEffect(() => {
    if (!isSaving) void saving.rebase(shownBase({ base, text }));
  }, [saving, base, text, isSaving]);

  return {
    ...opened,
    state: state === 'unsaved' ? state : state === 'saving' && view.state === 'saved' ? state : view.state,
    notice: restored || notice !== first ? notice : undefined,
    dismiss: () => show(undefined),
    decideClear,
  };
}
