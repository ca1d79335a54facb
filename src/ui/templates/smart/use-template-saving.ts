import { isolateHistory } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ListedTemplate } from '../../../client/admin/templates.ts';
import type { DraftSlot } from '../../../client/drafts.ts';
import { MutationRefused } from '../../../client/errors.ts';
import type { Base } from '../../../client/reading.ts';
import { receive } from '../../../editor/index.ts';
import type { Checklist } from '../../../text/types.ts';
import { useStatusRegistry } from '../../model/statuses.ts';
import { useTemplateChanges } from '../../model/templates/use-templates.ts';
import type { SaveNoticeText } from '../../text-editor/saving/save-notice.tsx';
import { refusalNotice } from '../../text-editor/saving/save-notice.tsx';
import { createSaving, initialTextOf, type Saving, type TextState } from '../../text-editor/saving/saving.ts';
import type { OpenText } from '../../text-editor/saving/use-saving.ts';
import { useStoredText } from '../../text-editor/saving/use-saving.ts';
import { type NameInput, useName } from '../form/template-form.ts';

/** A template's text as a base of edits. When it was written tells what is older. */
const baseOf = ({ id, text, updated }: ListedTemplate): Base => ({ epoch: id, seq: Date.parse(updated), text });

export interface TemplateSaving {
  /** What the editor opens with. */
  opening: string;
  document: OpenText;
  /** The text as it is stored. */
  stored(): Checklist;
  name: NameInput;
  state: TextState;
  notice: SaveNoticeText | undefined;
  /** Somebody else has deleted it. */
  gone: boolean;
  text(): string;
  edited(): void;
  rename(name: string): void;
  onView(view: EditorView | undefined): void;
  /** Answers whether all of it is stored. */
  save(): Promise<boolean>;
  /** Puts another text into the editor, as one step that can be undone. */
  restore(text: string, from: string): void;
  dismiss(): void;
  /** Forgets what is not saved. */
  discard(): void;
}

const restored: SaveNoticeText = {
  appearance: 'information',
  title: 'Your unsaved changes have been restored.',
};

/**
 * The open text and name of a template, and their saving. What others write comes in as it is read; what both changed is
 * asked at its row, and what is not saved is kept in the browser.
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
  const [document] = useState<OpenText>(() => ({ view: undefined, text: opened.text }));
  const name = useName(opened.name);
  /** What it is called for everybody, as far as is known here. */
  const [called, setCalled] = useState(template.name);
  const stored = useRef(called);
  const learn = (name: string) => {
    stored.current = name;
    setCalled(name);
  };
  const [notice, show] = useState<SaveNoticeText | undefined>(opened.restored ? restored : undefined);
  const [gone, setGone] = useState(false);
  const again = () => void client.invalidateQueries({ queryKey: ['templates', 'one', template.id] });
  const parts = { update, name, learn, again, id: template.id };
  const latest = useRef(parts);
  useEffect(() => {
    latest.current = parts;
  });

  const [saving] = useState((): Saving => {
    const text = () => document.view?.state.doc.toString() ?? document.text;
    const newName = () => {
      const { value } = latest.current.name;
      return value === stored.current ? undefined : value;
    };
    let kept = true;
    return createSaving<{ base: Base }>({
      base: opened.base,
      text,
      send: async (typed, over) => {
        const { update, id, learn } = latest.current;
        const named = newName();
        const values = { text: typed, baseText: over.text, ...(named !== undefined && { name: named }) };
        const { template: now } = await update.mutateAsync({ id, ...values });
        if (!now) throw new Error();
        learn(now.name);
        return { base: baseOf(now) };
      },
      hurry: () => undefined,
      enter: async arrival => {
        if (document.view) await receive(document.view, arrival);
        else document.text = arrival.text;
      },
      keep: (left, base) => {
        const named = newName();
        if (left === undefined && named === undefined) slot.clear();
        else kept = slot.keep({ base, text: left ?? base.text, ...(named !== undefined && { name: named }) });
      },
      stored: () => show(undefined),
      refused: error => {
        latest.current.name.refused(error);
        const code = error instanceof MutationRefused ? error.code : undefined;
        // What the others wrote comes in, and is asked about at its rows.
        if (code === 'CHANGED_MEANWHILE') latest.current.again();
        if (code === 'NOT_FOUND') setGone(true);
        else show(refusalNotice(error, kept));
      },
    });
  });
  useEffect(() => {
    window.addEventListener('pagehide', saving.flush);
    return () => {
      window.removeEventListener('pagehide', saving.flush);
      saving.stop();
    };
  }, [saving]);
  useEffect(() => {
    // One that comes is there, though it may have been deleted before.
    setGone(false);
    void saving.arrived(baseOf(template));
    if (stored.current === template.name) return;
    const { name, learn } = latest.current;
    // What is typed here stays.
    if (name.value === stored.current) name.change(template.name);
    learn(template.name);
  }, [saving, template]);

  const textState = useSyncExternalStore(saving.subscribe, saving.get);
  const back = useRef<SaveNoticeText>(undefined);
  // Undone, a version that was put into the editor is nothing to save any more.
  useEffect(() => {
    if (textState === 'saved') show(before => (before === back.current ? undefined : before));
  }, [textState]);
  const renamed = name.value !== called;
  return {
    opening: opened.text,
    document,
    stored: useStoredText(saving, useStatusRegistry()),
    name,
    state: textState === 'saved' && renamed ? (update.isPending ? 'saving' : 'unsaved') : textState,
    notice,
    gone,
    text: () => document.view?.state.doc.toString() ?? document.text,
    edited: saving.edited,
    rename: typed => {
      name.change(typed);
      saving.edited();
    },
    onView: useCallback(
      (view: EditorView | undefined) => {
        if (!view && document.view) document.text = document.view.state.doc.toString();
        document.view = view;
      },
      [document],
    ),
    save: async () => {
      if (saving.unsent()) return saving.save();
      if (!renamed) return true;
      try {
        await update.mutateAsync({ id: template.id, name: name.value });
        learn(name.value);
        saving.edited();
        return true;
      } catch (error) {
        name.refused(error);
        if (error instanceof MutationRefused && error.code === 'NOT_FOUND') setGone(true);
        return false;
      }
    },
    restore: (text, from) => {
      const { view } = document;
      if (!view) return;
      const changes = { from: 0, to: view.state.doc.length, insert: text };
      view.dispatch({ changes, selection: { anchor: 0 }, annotations: isolateHistory.of('full'), userEvent: 'input' });
      view.focus();
      const told: SaveNoticeText = {
        appearance: 'information',
        title: `The version of “${from}” is in the editor now. Save to keep it.`,
      };
      back.current = told;
      show(told);
    },
    dismiss: () => show(undefined),
    discard: saving.discard,
  };
}
