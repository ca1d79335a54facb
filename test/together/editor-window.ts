import { EditorState, Transaction } from '@codemirror/state';
import { type DraftSlot, openDraft } from '../../src/client/drafts.ts';
import { isSameValue } from '../../src/client/outbox/saved-values.ts';
import { shownBase } from '../../src/client/reading.ts';
import { checklistEditor } from '../../src/editor/index.ts';
import { reportOverwritten } from '../../src/ui/model/checklist/conflict-text.ts';
import { keepConflicts } from '../../src/ui/text-editor/saving/keep-conflicts.ts';
import {
  type EditorParts,
  type OpenEditor,
  openEditor,
  showConflictsIn,
} from '../../src/ui/text-editor/saving/open-editor.ts';
import { attachView, openConflicts, textOf } from '../../src/ui/text-editor/saving/open-text.ts';
import { type Desk, type Frame, openFrame, ownerOf, type World } from './frame.ts';
import { createHeadlessView } from './headless-view.ts';
import { ISSUE } from './server.ts';

/** Listeners of a window. */
export interface EditorEvents {
  /** Others changed the text. */
  received(window: EditorWindow, before: EditorState, after: EditorState): void;
  failed(error: unknown): void;
}

/** An editor that is open, or about to be: without a text until a reading has arrived. */
export interface EditorWindow {
  readonly desk: Desk;
  readonly frame: Frame;
  /** The storage of the window, which survives a reload. */
  readonly session: Storage;
  opened: (OpenEditor & { view: ReturnType<typeof createHeadlessView> }) | undefined;
  /** The row of the cursor was deleted by another user, and the cursor was not moved since. */
  isStranded: boolean;
  /** The word that the last change of the text here typed: undo takes that away. */
  lastTyped: string | undefined;
  /** The words of rows that were cut and pasted here: undoing that takes them away. */
  readonly pasted: Set<string>;
  /** The row that was cut here and is yet to be pasted. */
  clipboard: string | undefined;
  /** The headers of the folded sections, by their tokens. */
  folded: readonly string[];
  /** The notice above the text. */
  notice: Parameters<EditorParts['show']>[0];
  isClosed: boolean;
  /** Closes the frame as a browser does. */
  close(): void;
}

/** A window's name in the ledger: undo in a later editor takes back nothing that was done in this one. */
export const nameOf = ({ frame }: EditorWindow): string => `the editor in frame ${frame.id}`;

/** Opens an editor in a frame of its own, as the screen does. */
export function openEditorWindow(world: World, desk: Desk, session: Storage, events: EditorEvents): EditorWindow {
  const frame = openFrame(world, desk, session);
  const { store } = frame;
  const stops: (() => void)[] = [];
  let slot: DraftSlot | undefined;
  const window: EditorWindow = {
    desk,
    frame,
    session,
    opened: undefined,
    isStranded: false,
    lastTyped: undefined,
    pasted: new Set(),
    clipboard: undefined,
    folded: [],
    notice: undefined,
    isClosed: false,
    close: () => {
      window.isClosed = true;
      window.opened?.saving.flush();
      for (const stop of stops) stop();
      frame.close();
      if (window.opened) attachView(window.opened.document, undefined);
      window.opened?.view.destroy();
    },
  };

  const tryOpen = () => {
    const view = store.get();
    if (window.opened || window.isClosed || !view || !slot) return;
    const ignore = () => undefined;
    const show: EditorParts['show'] = notice => {
      window.notice = notice;
    };
    const parts = { store, slot, notify: ignore, names: () => ({}), show, askClear: async () => true };
    const opened = openEditor(view, true, parts);
    const { document, saving, takenOver } = opened;
    for (const id of takenOver) store.discard(id);
    store.conflictView.show = found => showConflictsIn(opened, found, parts);
    store.conflictView.isOpen = conflict => openConflicts(document).some(each => isSameValue(each, conflict));
    const extensions = checklistEditor({
      label: 'Text',
      editable: true,
      placeholder: '',
      rowIds: document.initial.rows,
      stored: document.initial.stored,
      conflicts: document.initial.conflicts,
      save: ignore,
    });
    const doc = textOf(document);
    const state = EditorState.create({ doc, selection: { anchor: doc.length }, extensions });
    const headless = createHeadlessView(state, (transactions, before, after) => {
      if (transactions.some(({ docChanged }) => docChanged)) saving.edited();
      keepConflicts(store.savedValues(), { startState: before, state: after, transactions });
      if (transactions.some(each => each.annotation(Transaction.remote))) events.received(window, before, after);
      else if (transactions.some(each => each.docChanged || each.selection)) window.isStranded = false;
    });
    window.opened = { ...opened, view: headless };
    attachView(document, headless);
    let last: Parameters<typeof shownBase>[0] | undefined;
    const rebase = () => {
      const now = store.get();
      if (!now || window.isClosed || (now.base === last?.base && now.text === last.text)) return;
      last = now;
      saving.rebase(shownBase(now)).catch(events.failed);
    };
    rebase();
    stops.push(store.subscribe(() => queueMicrotask(rebase)));
    const { bridge, graphql } = frame;
    const reporting = new AbortController();
    stops.push(() => reporting.abort());
    const query = { bridge, graphql, store, account: desk.account, signal: reporting.signal, offered: [] };
    let reported = 0;
    /** Offers the user's values that others have overwritten, once for each revision. */
    const report = () => {
      const seq = store.get()?.base.seq ?? 0;
      if (seq === reported) return;
      reported = seq;
      // The next revision repeats a report that fails.
      void reportOverwritten(query).catch(() => undefined);
    };
    report();
    stops.push(store.subscribe(() => queueMicrotask(report)));
  };

  let isPrepared = false;
  const onView = () => {
    if (!isPrepared && store.get()) {
      isPrepared = true;
      store.prepare().catch(events.failed);
    }
    queueMicrotask(tryOpen);
  };
  stops.push(store.subscribe(onView));
  openDraft(ownerOf(desk), ISSUE, frame.page).then(open => {
    slot = open;
    tryOpen();
  }, events.failed);
  void store.refresh().catch(() => undefined);
  return window;
}
