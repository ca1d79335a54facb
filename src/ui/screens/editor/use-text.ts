import { Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useCallback, useEffect, useState } from 'react';
import type { ChecklistStore } from '../../../client/checklist.ts';
import type { IssueRef } from '../../../client/reading.ts';
import { PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import { edition } from '../../../domain/edition.ts';
import {
  checklistEditor,
  checklistOf,
  conflictsOf,
  type EditorCommand,
  type Menu,
  type RemoteChangeNote,
  runKey,
  setCommands,
  setEditable,
} from '../../../editor/index.ts';
import { type Enforced, newlyEnforced } from '../../../text/header/enforced.ts';
import { useFirstKey } from '../../kit/first-key.ts';
import { useServices, useTrack, useUser } from '../../shell/services/services.ts';
import { authorNaming } from '../../text-editor/collaboration/author-naming.ts';
import { keepConflicts } from '../../text-editor/saving/keep-conflicts.ts';
import type { OpenEditor } from '../../text-editor/saving/open-editor.ts';
import { attachView, openConflicts, textOf } from '../../text-editor/saving/open-text.ts';
import { createProvider, mountCalendar } from '../../text-editor/text-editor.tsx';
import { useDayOffers } from '../../text-editor/use-day-offers.ts';
import { previewSource } from './preview/split-view.tsx';
import { type Problems, useFigures } from './status-bar.tsx';

/** Adds the page's commands to an editor. Some keys, such as the key that saves, work anywhere in the frame. */
export function useCommands(view: EditorView | undefined, commands: readonly EditorCommand[]): void {
  useEffect(() => view?.dispatch(setCommands(commands)), [view, commands]);
  useEffect(() => {
    if (!view) return undefined;
    const onKey = (event: KeyboardEvent) => runKey(view, event, 'page');
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [view]);
}

/** Inserts text as a key does, with what the extensions make of it. */
function typeText(view: EditorView, text: string): void {
  const { from, to } = view.state.selection.main;
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type' });
  if (!view.state.facet(EditorView.inputHandler).some(handle => handle(view, from, to, text, insert)))
    view.dispatch(insert());
}

const notation = ['# Section', '- To do', '~ In progress', '+ Done', '> A detail of the line above'].join('\n');

interface Options {
  issue: IssueRef;
  /** The checklist's name, which is stored with its text. */
  name: string;
  opened: OpenEditor;
  store: ChecklistStore;
  /** Opens a menu of a command. */
  choose(menu: Menu): void;
  /** Called after a remote change. */
  onRemoteChange(note: RemoteChangeNote): void;
  /** Called after an edit by the user. */
  onTyped(): void;
  remoteAuthors(): readonly string[];
  /** Called when something is set that the site may not enforce. */
  onEnforced(about: Enforced): void;
}

/** The editor of an open text, its figures and problems. */
export function useText({
  issue,
  name,
  opened,
  store,
  choose,
  onRemoteChange,
  onTyped,
  remoteAuthors,
  onEnforced,
}: Options) {
  const services = useServices();
  const track = useTrack();
  const { canEditChecklist: editable, id: me, isAnonymous } = useUser();
  const { document, saving } = opened;
  const { figures, now, extension: counting } = useFigures(opened, name);
  const [problems, setProblems] = useState<Problems | undefined>(undefined);
  const [source] = useState(previewSource);
  const [view, setView] = useState<EditorView | undefined>(undefined);
  const [choices, setChoices] = useState(() => openConflicts(document));
  const [text] = useState(() => textOf(document));
  const offersDays = useDayOffers();
  const [nameAuthors] = useState(() => authorNaming(services.graphql, store));
  const [extensions] = useState(() => [
    checklistEditor({
      label: `Checklist of ${issue.issueKey} as text`,
      editable,
      provider: createProvider(services),
      calendar: mountCalendar,
      offersDays,
      placeholder: notation,
      rowIds: document.initial.rows,
      stored: document.initial.stored,
      conflicts: document.initial.conflicts,
      ...(!isAnonymous && { me }),
      choose,
      save: () => void saving.save(),
      remoteChanged: onRemoteChange,
      remoteAuthors,
      done: act => {
        if (act === 'assigned') track('Assignee selected in full screen editor');
      },
      // The limits are the limits of the open text.
      capacity: { limit: PROPERTY_CAPACITY, sizeOf: () => now().size },
      itemLimit: edition.limits.itemsPerChecklist,
      onProblems: (all, errors) => setProblems({ all, errors }),
    }),
    source.extension,
    EditorView.updateListener.of(update => {
      const { docChanged, startState, state, transactions } = update;
      setChoices(before => {
        const open = conflictsOf(state);
        return open.length === before.length && open.every((each, index) => each === before[index]) ? before : open;
      });
      keepConflicts(store.savedValues(), update);
      nameAuthors(update.view);
      if (!docChanged) return;
      saving.edited();
      const isRemote = transactions.some(each => each.annotation(Transaction.remote));
      if (!isRemote) onTyped();
      const about = isRemote ? undefined : newlyEnforced(checklistOf(startState).rows, checklistOf(state).rows);
      if (about) onEnforced(about);
    }),
    counting,
  ]);
  const onView = useCallback(
    (made: EditorView | undefined) => {
      attachView(document, made);
      setView(made);
      source.follow(made);
      made?.focus();
    },
    [document, source],
  );
  useEffect(() => document.view?.dispatch(setEditable(editable)), [document, editable]);
  useFirstKey(
    view && editable
      ? character => {
          view.focus();
          if (character !== '') typeText(view, character);
        }
      : undefined,
  );
  /** The view's parts, the view if it exists, and data about its text. */
  return { parts: { text, extensions, onView }, view, source, figures, problems, choices };
}
