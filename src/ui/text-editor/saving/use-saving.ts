import type { EditorView } from '@codemirror/view';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { HostBridge } from '../../../bridge/bridge.ts';
import type { Change, Outcome, SaveState } from '../../../client/changes.ts';
import type { ChecklistStore, ChecklistView } from '../../../client/checklist.ts';
import { type DraftSlot, openDraft } from '../../../client/drafts.ts';
import { successes } from '../../../domain/messages.ts';
import { receive } from '../../../editor/index.ts';
import { nameIn } from '../../../text/export/person.ts';
import { isAttribute } from '../../../text/merge.ts';
import { readChecklist } from '../../../text/read.ts';
import type { StatusRegistry } from '../../../text/statuses.ts';
import type { Checklist } from '../../../text/types.ts';
import { useKnownNames } from '../../model/people.ts';
import { type Notify, useNotify, useServices, useUser } from '../../shell/services/services.ts';
import type { SaveNoticeText } from './save-notice.tsx';
import { outcomeNotice, refusalNotice } from './save-notice.tsx';
import { createSaving, initialTextOf, offeredText, type Saving } from './saving.ts';

/** Where nobody can tell whose a draft would be, none is kept. */
const nowhere: DraftSlot = { read: () => undefined, keep: () => false, clear: () => undefined, others: 0 };

/** One slot for each text of a page, which holds it as long as it is there. */
function createSlots(bridge: HostBridge): (of: string) => Promise<DraftSlot> {
  const slots = new Map<string, Promise<DraftSlot>>();
  return of => {
    const slot = slots.get(of) ?? bridge.owner().then(owner => openDraft(owner, of));
    slots.set(of, slot);
    return slot;
  };
}

/** Where an editor keeps what is not saved, `of` being its issue's id or what else tells its text from others; `undefined` until that is known. */
export function useDraftSlot(of: string): DraftSlot | undefined {
  const slotOf = useServices().once(createSlots);
  const [slot, setSlot] = useState<DraftSlot | undefined>(undefined);
  useEffect(() => {
    let wanted = true;
    slotOf(of).then(
      opened => wanted && setSlot(opened),
      () => wanted && setSlot(nowhere),
    );
    return () => {
      wanted = false;
    };
  }, [slotOf, of]);
  return slot;
}

/** Reads the text as it is stored, which all its editors have in common; as long as that stays, it is read once. */
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

/** How the open text is stored: not at all yet, or as far as all changes of the issue are. */
export type EditorState = SaveState | 'unsaved';

/** The text while it is open: in the editor's view, or as the view left it. */
export interface OpenText {
  view: EditorView | undefined;
  text: string;
}

/** A text that is open, with its saving. */
export interface OpenEditor {
  document: OpenText;
  saving: Saving;
  /** An unsaved text is what the editor opened with. */
  restored: boolean;
}

interface Parts {
  store: ChecklistStore;
  slot: DraftSlot;
  notify: Notify;
  /** Of the people who are known so far, by account id. */
  names(): Readonly<Record<string, string>>;
  show(notice: SaveNoticeText | undefined): void;
}

/** The text as it shows, with the changes on their way, and its place in the history. */
const shownBase = ({ base, text }: ChecklistView) => ({ ...base, text });

/** Conflicts that can be asked at a row, and those of a kind that this version does not know. */
function cut(conflicts: Outcome['conflicts']) {
  const asked = conflicts.flatMap(({ attribute, ...rest }) => (isAttribute(attribute) ? [{ attribute, ...rest }] : []));
  return { asked, told: conflicts.filter(({ attribute }) => !isAttribute(attribute)) };
}

/** Opens the text, and binds its saving to the store, the drafts and what people are told. */
function open(first: ChecklistView, editable: boolean, { store, slot, notify, names, show }: Parts): OpenEditor {
  const draft = editable ? slot.read() : undefined;
  const rejected = editable ? first.rejected.filter(change => offeredText(change)) : [];
  const unsaved = [...rejected.flatMap(change => offeredText(change) ?? []), ...(draft ? [draft] : [])];
  const { text, base, restored } = initialTextOf(shownBase(first), unsaved);
  const document: OpenText = { view: undefined, text };
  let kept = restored && slot.keep({ base, text });
  // The editor has it now, and the draft outlives that.
  if (kept) for (const { id } of rejected) store.discard(id);
  let change: Change | undefined;
  const saving = createSaving<Outcome>({
    base,
    text: () => document.view?.state.doc.toString() ?? document.text,
    send: (typed, over) => {
      change = store.change({ kind: 'updateChecklistFromText', text: typed }, over);
      return change.outcome;
    },
    hurry: store.sendNow,
    enter: async (arrival, outcome) => {
      const { told, asked } = cut(outcome?.conflicts ?? []);
      const left = document.view ? await receive(document.view, { ...arrival, conflicts: asked }) : asked;
      const conflicts = [...told, ...left];
      if (outcome || conflicts.length > 0)
        show(outcomeNotice({ conflicts, notices: outcome?.notices ?? [] }, nameIn(names())));
    },
    keep: (left, over) => {
      if (left === undefined) slot.clear();
      else kept = slot.keep({ base: over, text: left });
    },
    stored: () => notify(successes.updateChecklist),
    refused: error => {
      // It stands in the editor, so nobody else need offer it.
      if (change) store.discard(change.id);
      show(refusalNotice(error, kept));
    },
  });
  return { document, saving, restored };
}

export interface EditorSaving extends OpenEditor {
  state: EditorState;
  notice: SaveNoticeText | undefined;
  dismiss(): void;
}

const restoredNotice = (others: number): SaveNoticeText => ({
  appearance: 'information',
  title: 'Your unsaved changes have been restored.',
  ...(others > 0 && {
    lines: ['More unsaved changes, of another editor, are kept. They come when you open the editor again.'],
  }),
});

/** The open text of a checklist and how far its saving is; others' changes come in as they are read. */
export function useSaving(store: ChecklistStore, view: ChecklistView, slot: DraftSlot): EditorSaving {
  const notify = useNotify();
  const names = useKnownNames();
  const user = useUser();
  const [first] = useState(() => restoredNotice(slot.others));
  // The first thing to say, if it is true, until there is something newer.
  const [notice, show] = useState<SaveNoticeText | undefined>(first);
  const [opened] = useState(() => open(view, user.canEditChecklist, { store, slot, notify, names, show }));
  const { saving, restored } = opened;

  useEffect(() => {
    window.addEventListener('pagehide', saving.flush);
    return () => {
      window.removeEventListener('pagehide', saving.flush);
      saving.stop();
    };
  }, [saving]);
  const { base, text } = view;
  useEffect(() => void saving.arrived({ ...base, text }), [saving, base, text]);

  const state = useSyncExternalStore(saving.subscribe, saving.get);
  return {
    ...opened,
    state: state === 'unsaved' ? state : state === 'saving' && view.state === 'saved' ? state : view.state,
    notice: restored || notice !== first ? notice : undefined,
    dismiss: () => show(undefined),
  };
}
