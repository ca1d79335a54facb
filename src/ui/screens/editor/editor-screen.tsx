import Button from '@atlaskit/button/new';
import type { EditorView } from '@codemirror/view';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import * as v from 'valibot';
import type { HostContext } from '../../../bridge/bridge.ts';
import type { ChecklistStore, ChecklistView } from '../../../client/checklist.ts';
import type { DraftSlot } from '../../../client/drafts.ts';
import { failureMessage } from '../../../client/errors.ts';
import type { IssueRef } from '../../../client/reading.ts';
import { conflicts, refusals, shell, storage } from '../../../domain/messages.ts';
import { readAs } from '../../../domain/shape.ts';
import {
  chooseAll,
  type EditorCommand,
  goToChoice,
  type Menu,
  nextProblem,
  type ShownConflict,
  setStatuses,
} from '../../../editor/index.ts';
import type { Enforced } from '../../../text/header/enforced.ts';
import { progressOf } from '../../../text/progress.ts';
import { Loading } from '../../kit/content-state.tsx';
import { lazyPart } from '../../kit/lazy-component.tsx';
import { Message } from '../../kit/message.tsx';
import OverwrittenValues from '../../model/checklist/overwritten-values.tsx';
import { failureText, useChecklist } from '../../model/checklist/use-checklist.ts';
import { useDraftSlot } from '../../model/drafts/use-draft-slot.ts';
import { useChecklistStatuses } from '../../model/use-statuses.ts';
import { HelpButton, HelpOverlay, useHelp } from '../../shell/help/help-overlay.tsx';
import { useUnsaved } from '../../shell/navigation/navigation.ts';
import { UnsavedDialog } from '../../shell/navigation/unsaved-dialog.tsx';
import { useBridge, useHostContext, useTracked, useUser } from '../../shell/services/services.ts';
import { useFeature } from '../../shell/session-gate.tsx';
import { Collaborators, RemoteChange, useRemoteChanges } from '../../text-editor/collaboration/collaborators.tsx';
import { CommandMenu, Toolbar } from '../../text-editor/commands.tsx';
import type { SaveNoticeText } from '../../text-editor/saving/notice-text.ts';
import type { OpenEditor } from '../../text-editor/saving/open-editor.ts';
import { textOf } from '../../text-editor/saving/open-text.ts';
import { ClearDialog, SaveNotice } from '../../text-editor/saving/save-notice.tsx';
import { useSaving, useStoredText } from '../../text-editor/saving/use-saving.ts';
import { TextEditor } from '../../text-editor/text-editor.tsx';
import { EditorHeader, PlainTextSwitch, usePlainText } from './editor-header.tsx';
import { PreviewButton, Split, usePreview } from './preview/split-view.tsx';
import { StatusBar } from './status-bar.tsx';
import { useCommands, useText } from './use-text.ts';
import '../../text-editor/text-editor.css';

const EnforcementNote = lazyPart(() => import('../../checklist/row/enforcement-note.tsx'));

const dialogShape = v.object({ issueId: v.string(), issueKey: v.string() });

/** The editor's issue: from its address, else from the data of the dialog's opener. */
export function issueOf({ issueId, issueKey, dialogData }: HostContext): IssueRef | undefined {
  if (issueId !== undefined && issueKey !== undefined) return { issueId, issueKey };
  return readAs(dialogShape, dialogData);
}

/** The full-size dialog that edits a checklist as text. */
export default function EditorScreen() {
  const issue = issueOf(useHostContext());
  const { canViewChecklist } = useUser();
  if (!issue) {
    return (
      <MessageScreen>
        <Message appearance="error">{storage.issueNotFound}</Message>
      </MessageScreen>
    );
  }
  if (!canViewChecklist) {
    return (
      <MessageScreen issueKey={issue.issueKey}>
        <Message appearance="warning">{refusals.permission}</Message>
      </MessageScreen>
    );
  }
  return <LoadedEditor key={issue.issueId} {...issue} />;
}

function LoadedEditor(issue: IssueRef) {
  const { store, view, failure, retry } = useChecklist(issue);
  const slot = useDraftSlot(issue.issueId);
  if (view && slot) return <ChecklistEditor issue={issue} store={store} view={view} slot={slot} />;
  return (
    <MessageScreen issueKey={issue.issueKey}>
      {failure !== undefined ? (
        <Message appearance="error" actions={[{ label: 'Retry', run: retry }]}>
          {failureText(failure)}
        </Message>
      ) : (
        <Loading />
      )}
    </MessageScreen>
  );
}

/** A screen without a text, with a close button: the host provides none. */
function MessageScreen({ issueKey, children }: { issueKey?: string; children: ReactNode }) {
  const bridge = useBridge();
  return (
    <main className="editor-screen">
      <EditorHeader issueKey={issueKey} onClose={() => bridge.closeDialog()} />
      <div className="editor-message">{children}</div>
    </main>
  );
}

/** Resolves when the changes wait for the server and are stored in the browser. */
const storedInBrowser = (store: ChecklistStore): Promise<true> =>
  new Promise(resolve => {
    const check = () => {
      const view = store.get();
      if (view?.state !== 'waiting' || view.volatile) return;
      stop();
      resolve(true);
    };
    const stop = store.subscribe(check);
    check();
  });

/** Why closing is to be confirmed: the text has unsaved edits, or only choices are open. */
type Confirmation = 'unsaved' | 'choices';

/** How the dialog closes: at once if nothing is lost or left open, else after a confirmation. */
interface Closing {
  /** The open confirmation. */
  confirming: Confirmation | undefined;
  command: EditorCommand;
  /** Closes, after a confirmation if needed. */
  start(): void;
  saveAndClose(): Promise<void>;
  discard(): void;
  close(): void;
  keepEditing(): void;
}

interface ClosingOptions {
  issue: IssueRef;
  store: ChecklistStore;
  view: ChecklistView;
  opened: OpenEditor;
  /** Whether the user has not made all choices. */
  isChoiceOpen: boolean;
}

function useClosing({ issue, store, view, opened, isChoiceOpen }: ClosingOptions): Closing {
  const bridge = useBridge();
  const { canEditChecklist: editable } = useUser();
  const { document, saving } = opened;
  const { issueId } = issue;
  const { volatile } = view;
  const [confirming, setConfirming] = useState<Confirmation | undefined>(undefined);
  useEffect(() => {
    // Returns the focus to the text, not to the button that opened the confirmation.
    if (!confirming) document.view?.focus();
  }, [document, confirming]);

  const close = useCallback(() => bridge.closeDialog({ issueId, seq: saving.base().seq }), [bridge, issueId, saving]);
  const start = useCallback(() => {
    if (editable && (saving.unsent() || volatile)) setConfirming('unsaved');
    else if (editable && isChoiceOpen) setConfirming('choices');
    else close();
  }, [editable, volatile, isChoiceOpen, saving, close]);
  const command = useMemo((): EditorCommand => {
    const run = () => {
      start();
      return true;
    };
    return { id: 'close', title: 'Close editor', edits: false, run };
  }, [start]);
  const keepEditing = () => setConfirming(undefined);
  const saveAndClose = async () => {
    keepEditing();
    const stored = saving.save();
    if (await Promise.race([stored, storedInBrowser(store)])) {
      // Sends edits that were made during another save.
      saving.handOver();
      close();
    } else document.view?.focus();
  };
  const discard = () => {
    saving.discard();
    close();
  };
  return { confirming, command, start, saveAndClose, discard, close, keepEditing };
}

/** The sides whose values open choices have stored, or would store by a save. */
const sidesOf = (choices: readonly ShownConflict[]) => choices.map(({ stored = 'mine' }) => stored);

interface ConfirmCloseProps {
  closing: Closing;
  choices: readonly ShownConflict[];
  onGoToChoice(): void;
}

/** Confirms closing the editor with unsaved edits or open choices, and names the choices. */
function ConfirmClose({ closing, choices, onGoToChoice }: ConfirmCloseProps) {
  const first = useRef<HTMLButtonElement>(null);
  const { keepEditing } = closing;
  const isUnsaved = closing.confirming === 'unsaved';
  const named =
    choices.length > 0 ? [conflicts.openTitle(choices.length), conflicts.openAtClose(sidesOf(choices), isUnsaved)] : [];
  if (isUnsaved)
    return (
      <UnsavedDialog first={first} onStay={keepEditing} lines={[shell.unsaved, ...named]}>
        <Button appearance="subtle" onClick={keepEditing}>
          Keep editing
        </Button>
        <Button onClick={closing.discard}>Discard</Button>
        <Button ref={first} appearance="primary" onClick={() => void closing.saveAndClose()}>
          Save and close
        </Button>
      </UnsavedDialog>
    );
  const choose = () => {
    keepEditing();
    onGoToChoice();
  };
  return (
    <UnsavedDialog first={first} onStay={keepEditing} lines={named}>
      <Button onClick={closing.close}>Close</Button>
      <Button ref={first} appearance="primary" onClick={choose}>
        Go to choice
      </Button>
    </UnsavedDialog>
  );
}

interface SaveBlockersProps {
  editable: boolean;
  store: ChecklistStore;
  view: ChecklistView;
}

/** The reason why edits cannot be saved, if they cannot. */
function SaveBlockers({ editable, store, view }: SaveBlockersProps) {
  const retry = { label: shell.retry, run: () => void store.prepare().catch(() => undefined) };
  return (
    <>
      {editable ? null : (
        <div className="editor-notice">
          <Message appearance="warning">{refusals.permission}</Message>
        </div>
      )}
      {view.loadError === undefined ? null : (
        <div className="editor-notice">
          <Message appearance="error" actions={[retry]}>
            {failureMessage(view.loadError)}
          </Message>
        </div>
      )}
    </>
  );
}

interface Props {
  issue: IssueRef;
  store: ChecklistStore;
  view: ChecklistView;
  slot: DraftSlot;
}

interface OpenChoicesProps {
  choices: readonly ShownConflict[];
  view: EditorView;
  onDismiss(): void;
}

/** Names the choices that are open after a save. */
function OpenChoices({ choices, view, onDismiss }: OpenChoicesProps) {
  const chooseEach = (side: 'mine' | 'theirs') => () => {
    chooseAll(view, side);
    view.focus();
  };
  const notice: SaveNoticeText = {
    appearance: 'warning',
    title: conflicts.openTitle(choices.length),
    lines: [conflicts.openText(sidesOf(choices))],
  };
  return (
    <SaveNotice notice={notice} onDismiss={onDismiss}>
      <Button spacing="compact" onClick={() => goToChoice(view)}>
        Go to choice
      </Button>
      {choices.length > 1 ? (
        <>
          <Button spacing="compact" onClick={chooseEach('mine')}>
            Keep all mine
          </Button>
          <Button spacing="compact" onClick={chooseEach('theirs')}>
            Take all theirs
          </Button>
        </>
      ) : null}
    </SaveNotice>
  );
}

function goToProblem(text: EditorView) {
  text.focus();
  nextProblem.run(text);
}

/** A checklist open as text. */
function ChecklistEditor({ issue, store, view, slot }: Props) {
  const { canEditChecklist: editable } = useUser();
  const opened = useSaving(store, view, slot);
  const { document, saving, state, notice, dismiss, decideClear } = opened;
  useUnsaved(state === 'unsaved', undefined, () => {
    saving.flush();
    return slot.read()?.text === textOf(document);
  });
  useTracked('Checklist queried');
  useTracked('Fullscreen editor used');
  const { statuses } = view.model;
  const stored = useStoredText(saving, statuses);
  const { shown, dismiss: dismissChange, ...remote } = useRemoteChanges(issue.issueId);
  const [menu, showMenu] = useState<Menu | undefined>(undefined);
  /** The last setting that the site may not enforce. */
  const [enforced, setEnforced] = useState<Enforced | undefined>(undefined);
  const isNoted = useFeature('enforcementNotes');
  const text = useText({ issue, name: view.name, opened, store, choose: showMenu, onEnforced: setEnforced, ...remote });
  const { source, figures, problems, choices } = text;
  // Saving names the choices that are open.
  const [named, setNamed] = useState(false);
  const isChoiceOpen = choices.length > 0;
  const wasSaving = useRef(false);
  useEffect(() => {
    const isSaving = state === 'saving';
    if (!isChoiceOpen) setNamed(false);
    // The answer to a save may bring a choice.
    else if (isSaving || wasSaving.current) setNamed(true);
    wasSaving.current = isSaving;
  }, [state, isChoiceOpen]);
  useChecklistStatuses(store);
  useEffect(() => text.view?.dispatch(setStatuses(statuses)), [text.view, statuses]);

  const preview = usePreview();
  const plain = usePlainText(text.view);
  const closing = useClosing({ issue, store, view, opened, isChoiceOpen });
  const help = useHelp();
  const commands = useMemo(
    () => [...(preview.command ? [preview.command] : []), plain.command, help.command, closing.command],
    [preview.command, plain.command, help.command, closing.command],
  );
  useCommands(text.view, commands);
  return (
    <main className="editor-screen">
      <EditorHeader
        issueKey={issue.issueKey}
        {...(editable && { saving: { state, why: view.why, save: () => void saving.save() } })}
        tools={
          text.view ? (
            <>
              <HelpButton onClick={help.show} />
              <PreviewButton preview={preview} view={text.view} />
            </>
          ) : null
        }
        collaborators={
          <Collaborators subjectId={issue.issueId} editing={editable} document={document} stored={stored} />
        }
        onClose={closing.start}
      />
      <SaveBlockers editable={editable} store={store} view={view} />
      <div className="editor-notice">
        <OverwrittenValues store={store} view={view} />
      </div>
      {notice ? <SaveNotice notice={notice} onDismiss={dismiss} /> : null}
      {named && isChoiceOpen && text.view ? (
        <OpenChoices choices={choices} view={text.view} onDismiss={() => setNamed(false)} />
      ) : null}
      {text.view ? <Toolbar view={text.view} editable={editable} /> : null}
      <Split preview={preview} source={source} editable={editable}>
        <TextEditor {...text.parts} />
      </Split>
      <RemoteChange shown={shown} onDismiss={dismissChange} />
      {enforced && isNoted ? (
        <div className="editor-enforcement">
          <EnforcementNote {...issue} about={enforced} />
          <button
            type="button"
            className="check-send"
            onClick={() => {
              setEnforced(undefined);
              document.view?.focus();
            }}
          >
            Dismiss
          </button>
        </div>
      ) : null}
      <StatusBar figures={figures} problems={problems} onProblem={() => text.view && goToProblem(text.view)}>
        {text.view ? <PlainTextSwitch plain={plain} view={text.view} /> : null}
      </StatusBar>
      {menu && text.view ? <CommandMenu menu={menu} view={text.view} onClose={() => showMenu(undefined)} /> : null}
      {help.open && text.view ? <HelpOverlay view={text.view} onClose={help.close} /> : null}
      {decideClear ? (
        <ClearDialog
          items={progressOf(stored().rows).total}
          onDecide={decideClear}
          onClosed={() => document.view?.focus()}
        />
      ) : null}
      {closing.confirming ? (
        <ConfirmClose closing={closing} choices={choices} onGoToChoice={() => text.view && goToChoice(text.view)} />
      ) : null}
    </main>
  );
}
