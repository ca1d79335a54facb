import type { EditorView } from '@codemirror/view';
import { useEffect, useMemo, useState } from 'react';
import type { ChecklistStore, ChecklistView } from '../../client/checklist.ts';
import type { DraftSlot } from '../../client/drafts.ts';
import { failureMessage } from '../../client/errors.ts';
import type { IssueRef } from '../../client/reading.ts';
import { refusals, shell } from '../../domain/messages.ts';
import { type Menu, nextProblem, setStatuses } from '../../editor/index.ts';
import { Message } from '../kit/message.tsx';
import { useChecklistStatuses } from '../model/statuses.ts';
import { HelpButton, HelpOverlay, useHelp } from '../shell/help/help-overlay.tsx';
import { useUnsaved } from '../shell/navigation/navigation.ts';
import { useTracked, useUser } from '../shell/services/services.ts';
import { Collaborators, RemoteChange, useRemoteChanges } from '../text-editor/collaboration/collaborators.tsx';
import { CommandMenu, Toolbar } from '../text-editor/commands.tsx';
import { ClearDialog, SaveNotice } from '../text-editor/saving/save-notice.tsx';
import { useSaving, useStoredText } from '../text-editor/saving/use-saving.ts';
import { TextEditor } from '../text-editor/text-editor.tsx';
import { ConfirmClose, useClosing } from './closing.tsx';
import { EditorHeader, PlainTextSwitch, usePlainText } from './editor-header.tsx';
import { PreviewButton, Split } from './preview/split-view.tsx';
import { usePreview } from './preview/use-preview.ts';
import { StatusBar } from './status-bar.tsx';
import { useCommands, useText } from './use-text.ts';

interface SaveBlockersProps {
  editable: boolean;
  store: ChecklistStore;
  view: ChecklistView;
}

/** Why edits cannot be saved, while that is so. */
export function SaveBlockers({ editable, store, view }: SaveBlockersProps) {
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

function goToProblem(text: EditorView) {
  text.focus();
  nextProblem.run(text);
}

/** A checklist open as text. */
export function ChecklistEditor({ issue, store, view, slot }: Props) {
  const { canEditChecklist: editable } = useUser();
  const opened = useSaving(store, view, slot);
  const { document, saving, state, notice, dismiss, decideClear } = opened;
  useUnsaved(state === 'unsaved');
  useTracked('Checklist queried');
  useTracked('Fullscreen editor used');
  const { statuses } = view.model;
  const stored = useStoredText(saving, statuses);
  const { change, onRemoteChange } = useRemoteChanges(issue.issueId);
  const [menu, showMenu] = useState<Menu | undefined>(undefined);
  const text = useText({ issue, name: view.name, opened, choose: showMenu, onRemoteChange });
  const { source, figures, problems } = text;
  useChecklistStatuses(store);
  useEffect(() => text.view?.dispatch(setStatuses(statuses)), [text.view, statuses]);

  const preview = usePreview();
  const plain = usePlainText(text.view);
  const closing = useClosing(issue, store, view, opened);
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
      {notice ? <SaveNotice notice={notice} onDismiss={dismiss} /> : null}
      {text.view ? <Toolbar view={text.view} editable={editable} /> : null}
      <Split preview={preview} source={source} editable={editable}>
        <TextEditor {...text.parts} />
      </Split>
      <RemoteChange change={change} />
      <StatusBar figures={figures} problems={problems} onProblem={() => text.view && goToProblem(text.view)}>
        {text.view ? <PlainTextSwitch plain={plain} view={text.view} /> : null}
      </StatusBar>
      {menu && text.view ? <CommandMenu menu={menu} view={text.view} onClose={() => showMenu(undefined)} /> : null}
      {help.open && text.view ? <HelpOverlay view={text.view} onClose={help.close} /> : null}
      {decideClear ? (
        <ClearDialog rows={stored().rows.length} onDecide={decideClear} onClosed={() => document.view?.focus()} />
      ) : null}
      {closing.confirming ? (
        <ConfirmClose
          onSave={() => void closing.saveAndClose()}
          onDiscard={closing.discard}
          onKeep={closing.keepEditing}
        />
      ) : null}
    </main>
  );
}
