import type { Change, Outcome } from '../../../client/changes.ts';
import type { ChecklistStore, ChecklistView, UserConflict } from '../../../client/checklist.ts';
import type { DraftSlot } from '../../../client/drafts.ts';
import { shownBase } from '../../../client/reading.ts';
import type { ChecklistChange } from '../../../domain/change.ts';
import { fieldErrors } from '../../../domain/fields.ts';
import { successes, whole } from '../../../domain/messages.ts';
import { nameIn } from '../../../text/export/person.ts';
import { type Conflict, isAttribute } from '../../../text/merge.ts';
import { readChecklist } from '../../../text/read.ts';
import type { Notify } from '../../shell/services/services.ts';
import { outcomeNotice, refusalNotice, type SaveNoticeText } from './notice-text.ts';
import {
  type Content,
  contentOf,
  initialTextOf,
  type OpenText,
  openText,
  receiveIn,
  rowIdsIn,
  stateOf,
  textOf,
  type Unsaved,
} from './open-text.ts';
import { createSaving, offeredText, type Saving } from './saving.ts';

/** An open text with its saving. */
export interface OpenEditor {
  document: OpenText;
  saving: Saving;
  /** Whether unsaved edits were restored. */
  restored: boolean;
  /** Ids of rejected changes whose texts are in the editor and its draft. */
  takenOver: readonly string[];
}

/** The services that an open text is connected to. */
export interface EditorParts {
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

/** Conflicts that can be shown at a row, and those of attributes that this version does not know. */
function splitConflicts<Found extends Conflict<string>>(conflicts: readonly Found[]) {
  const rowConflicts = conflicts.flatMap(({ attribute, ...rest }) =>
    isAttribute(attribute) ? [{ attribute, ...rest }] : [],
  );
  return { rowConflicts, unknownConflicts: conflicts.filter(({ attribute }) => !isAttribute(attribute)) };
}

/** Opens the text and connects its saving to the store, the draft and the notices. */
export function openEditor(
  first: ChecklistView,
  editable: boolean,
  { store, slot, notify, names, show, askClear }: EditorParts,
): OpenEditor {
  const draft = editable ? slot.read() : undefined;
  const rejected = editable ? first.rejected.filter(change => offeredText(change)) : [];
  const unsaved = [...rejected.flatMap(change => offeredText(change) ?? []), ...(draft ? [draft] : [])];
  const initial = initialTextOf(shownBase(first), unsaved, first.model.statuses);
  const { base, restored } = initial;
  const document = openText(initial, first.model.statuses);
  // Storage is supposed to work until it does not.
  let kept = !restored || slot.keep({ base, ...contentOf(document, base) });
  let change: Change | undefined;
  /** The user has confirmed that the checklist is cleared. */
  let cleared = false;
  const saving = createSaving<Outcome>({
    base,
    text: () => textOf(document),
    content: over => contentOf(document, over),
    rowIds: () => rowIdsIn(document),
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

/** Shows conflicts at the rows of an open text; returns those that it cannot show. */
export function showConflictsIn(
  { document, saving }: OpenEditor,
  found: readonly UserConflict[],
  { show, names }: Pick<EditorParts, 'show' | 'names'>,
): readonly UserConflict[] {
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
}
