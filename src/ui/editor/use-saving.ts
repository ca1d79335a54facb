import type { EditorView } from '@codemirror/view';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ChecklistStore, ChecklistView, Outcome } from '../../client/checklist.ts';
import { createDrafts, type Drafts } from '../../client/drafts.ts';
import { successes } from '../../domain/messages.ts';
import { receive } from '../../editor/index.ts';
import { type Notify, useNotify, useSession, useUser } from '../app/hooks.ts';
import type { NoticeText } from './notice.tsx';
import { openingOf } from './opening.ts';
import { createSaving, type SaveState, type Saving } from './saving.ts';
import { failureNotice, isPassing, outcomeNotice } from './trouble.ts';

/** The text while it is open: in the editor's view, or as the view left it. */
export interface OpenText {
  view: EditorView | undefined;
  text: string;
}

interface OpenEditor {
  document: OpenText;
  saving: Saving;
  /** A draft is what the editor opened with. */
  restored: boolean;
}

interface Parts {
  store: ChecklistStore;
  drafts: Drafts;
  notify: Notify;
  show(notice: NoticeText | undefined): void;
}

/** Opens the text, and binds its saving to the store, the drafts and what people are told. */
function open(first: ChecklistView, editable: boolean, { store, drafts, notify, show }: Parts): OpenEditor {
  const { issueId } = store;
  const { text, base, restored } = openingOf(first.base, editable ? drafts.read(issueId) : undefined);
  const document: OpenText = { view: undefined, text };
  let kept = restored;
  const saving = createSaving<Outcome>({
    base,
    text: () => document.view?.state.doc.toString() ?? document.text,
    send: (typed, over) => store.replaceText(typed, over),
    enter: async arrival => {
      if (document.view) await receive(document.view, arrival);
    },
    keep: (unsaved, over) => {
      if (unsaved === undefined) drafts.clear(issueId);
      else kept = drafts.keep(issueId, { base: over, text: unsaved });
    },
    stored: outcome => {
      show(outcomeNotice(outcome));
      notify(successes.updateChecklist);
    },
    failed: error => {
      show(failureNotice(error, kept));
      return isPassing(error);
    },
  });
  return { document, saving, restored };
}

export interface EditorSaving extends OpenEditor {
  state: SaveState;
  notice: NoticeText | undefined;
  dismiss(): void;
}

const restoredNotice: NoticeText = { appearance: 'information', title: 'Your unsaved changes have been restored.' };

/** The open text of a checklist and how far its saving is; others' changes come in as they are read. */
export function useSaving(store: ChecklistStore, view: ChecklistView): EditorSaving {
  const notify = useNotify();
  const user = useUser();
  const { payload } = useSession();
  // The first thing to say, if it is true, until there is something newer.
  const [notice, show] = useState<NoticeText | undefined>(restoredNotice);
  const [opened] = useState(() => {
    const drafts = createDrafts({ tenant: payload?.aud ?? '', account: payload?.sub ?? user.id });
    return open(view, user.canEditChecklist, { store, drafts, notify, show });
  });
  const { saving, restored } = opened;

  useEffect(() => {
    window.addEventListener('pagehide', saving.flush);
    return () => {
      window.removeEventListener('pagehide', saving.flush);
      saving.stop();
    };
  }, [saving]);
  const { base } = view;
  useEffect(() => void saving.arrived(base), [saving, base]);

  return {
    ...opened,
    state: useSyncExternalStore(saving.subscribe, saving.get),
    notice: restored || notice !== restoredNotice ? notice : undefined,
    dismiss: () => show(undefined),
  };
}
