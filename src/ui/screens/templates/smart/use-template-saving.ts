import { isolateHistory } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ListedTemplate } from '../../../../client/admin/templates.ts';
import type { DraftSlot } from '../../../../client/drafts.ts';
import { MutationRefused } from '../../../../client/errors.ts';
import type { Base } from '../../../../client/reading.ts';
import { managing, whole } from '../../../../domain/messages.ts';
import type { Checklist } from '../../../../text/types.ts';
import { useFlushed } from '../../../model/drafts/use-flushed.ts';
import { useTemplateChanges } from '../../../model/templates/use-templates.ts';
import { useStatusRegistry } from '../../../model/use-statuses.ts';
import { refusalNotice, type SaveNoticeText } from '../../../text-editor/saving/notice-text.ts';
import {
  attachView,
  contentOf,
  initialTextOf,
  type OpenText,
  openText,
  receiveIn,
  rowIdsIn,
  textOf,
} from '../../../text-editor/saving/open-text.ts';
import { createSaving, type Saving, type TextState } from '../../../text-editor/saving/saving.ts';
import { useStoredText } from '../../../text-editor/saving/use-saving.ts';
import { type NameInput, useName } from '../template-form.tsx';

/** A template's text as the base of edits. Its revision is the time of its last change. */
const baseOf = ({ id, text, updated }: ListedTemplate): Base => ({ epoch: id, seq: Date.parse(updated), text });

export interface TemplateSaving {
  /** The editor's initial text. */
  opening: string;
  document: OpenText;
  /** The stored text. */
  stored(): Checklist;
  name: NameInput;
  state: TextState;
  notice: SaveNoticeText | undefined;
  /** The template was deleted. */
  deleted: boolean;
  text(): string;
  edited(): void;
  rename(name: string): void;
  onView(view: EditorView | undefined): void;
  /** Resolves to whether all of it is stored. */
  save(): Promise<boolean>;
  /** Puts another text into the editor, as one undoable step. */
  restore(text: string, from: string): void;
  /** Says that a save failed, until the next one; `operation` is the message for a failure without a reason. */
  refuse(error: unknown, operation: string): void;
  dismiss(): void;
  /** Deletes the unsaved edits. */
  discard(): void;
}

const draftNotice: SaveNoticeText = {
  appearance: 'information',
  title: whole.restored,
};

/**
 * The open text and name of a template, and their saving. Remote changes are merged in as they are loaded, with
 * conflicts shown at their rows; unsaved edits are stored in the browser.
 */
export function useTemplateSaving(template: ListedTemplate, slot: DraftSlot, editable: boolean): TemplateSaving {
  const { update } = useTemplateChanges();
  const client = useQueryClient();
  const [opened] = useState(() => {
    const draft = editable ? slot.read() : undefined;
    const opening = initialTextOf(baseOf(template), draft ? [draft] : []);
    const name = draft?.name ?? template.name;
    return { ...opening, name, restored: opening.restored || name !== template.name };
  });
  const [document] = useState(() => openText(opened));
  const name = useName(opened.name);
  /** The stored name, as far as known. */
  const [storedName, setStoredName] = useState(template.name);
  const stored = useRef(storedName);
  const setStored = (name: string) => {
    stored.current = name;
    setStoredName(name);
  };
  const [notice, show] = useState<SaveNoticeText | undefined>(opened.restored ? draftNotice : undefined);
  const [deleted, setDeleted] = useState(false);
  /** The browser could store the draft, as far as known. */
  const isKept = useRef<boolean>(true);
  const refuse = (error: unknown, operation: string) => {
    name.refused(error);
    if (error instanceof MutationRefused && error.code === 'NOT_FOUND') setDeleted(true);
    else show(refusalNotice(error, isKept.current, operation));
  };
  const refetch = () => void client.invalidateQueries({ queryKey: ['templates', 'one', template.id] });
  const parts = { update, name, setStored, refuse, refetch, id: template.id };
  const latest = useRef(parts);
  useEffect(() => {
    latest.current = parts;
  });

  const [saving] = useState((): Saving => {
    const text = () => textOf(document);
    const newName = () => {
      const { value } = latest.current.name;
      return value === stored.current ? undefined : value;
    };
    return createSaving<{ base: Base }>({
      base: opened.base,
      text,
      content: over => contentOf(document, over),
      rowIds: () => rowIdsIn(document),
      send: async ({ text: typed }, over) => {
        const { update, id, setStored } = latest.current;
        const named = newName();
        const values = { text: typed, baseText: over.text, ...(named !== undefined && { name: named }) };
        const { template: now } = await update.mutateAsync({ id, ...values });
        if (!now) throw new Error();
        setStored(now.name);
        return { base: baseOf(now) };
      },
      sendNow: () => undefined,
      receive: async take => {
        await receiveIn(document, take);
      },
      keepDraft: (left, base) => {
        const named = newName();
        if (left === undefined && named === undefined) return slot.clear();
        const could = isKept.current;
        isKept.current = slot.keep({
          base,
          ...(left ?? { text: base.text }),
          ...(named !== undefined && { name: named }),
        });
        if (could && !isKept.current) show({ appearance: 'warning', title: whole.draftNotKept });
      },
      stored: () => show(undefined),
      refused: error => {
        latest.current.refuse(error, managing.updateTemplate);
        // Loads the concurrent change, which is merged in with its conflicts at their rows.
        if (error instanceof MutationRefused && error.code === 'CHANGED_MEANWHILE') latest.current.refetch();
      },
    });
  });
  useFlushed(saving.flush);
  useEffect(() => {
    // A loaded template exists, though it may have been deleted before.
    setDeleted(false);
    void saving.rebase(baseOf(template));
    if (stored.current === template.name) return;
    const { name, setStored } = latest.current;
    // Keeps an edited name.
    if (name.value === stored.current) name.change(template.name);
    setStored(template.name);
  }, [saving, template]);

  const textState = useSyncExternalStore(saving.subscribe, saving.get);
  const restoredNotice = useRef<SaveNoticeText>(undefined);
  // Undoing a restored version leaves nothing to save.
  useEffect(() => {
    if (textState === 'saved') show(before => (before === restoredNotice.current ? undefined : before));
  }, [textState]);
  const renamed = name.value !== storedName;
  return {
    opening: opened.text,
    document,
    stored: useStoredText(saving, useStatusRegistry()),
    name,
    state: textState === 'saved' && renamed ? (update.isPending ? 'saving' : 'unsaved') : textState,
    notice,
    deleted,
    text: () => textOf(document),
    edited: saving.edited,
    rename: typed => {
      name.change(typed);
      saving.edited();
    },
    onView: useCallback(
      (view: EditorView | undefined) => {
        attachView(document, view);
      },
      [document],
    ),
    save: async () => {
      show(before => (before?.appearance === 'error' ? undefined : before));
      if (saving.unsent()) return saving.save();
      if (!renamed) return true;
      try {
        await update.mutateAsync({ id: template.id, name: name.value });
        setStored(name.value);
        saving.edited();
        return true;
      } catch (error) {
        refuse(error, managing.updateTemplate);
        return false;
      }
    },
    restore: (text, from) => {
      const { view } = document;
      if (!view) return;
      const changes = { from: 0, to: view.state.doc.length, insert: text };
      view.dispatch({ changes, selection: { anchor: 0 }, annotations: isolateHistory.of('full'), userEvent: 'input' });
      view.focus();
      const info: SaveNoticeText = {
        appearance: 'information',
        title: `The version of “${from}” is now in the editor. Save to keep it.`,
      };
      restoredNotice.current = info;
      show(info);
    },
    refuse,
    dismiss: () => show(undefined),
    discard: saving.discard,
  };
}
