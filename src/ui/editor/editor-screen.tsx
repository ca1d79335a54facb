import type { ReactNode } from 'react';
import * as v from 'valibot';
import type { HostContext } from '../../bridge/bridge.ts';
import type { IssueRef } from '../../client/reading.ts';
import { refusals, storage } from '../../domain/messages.ts';
import { readAs } from '../../domain/shape.ts';
import { Loading } from '../kit/content-state.tsx';
import { Message } from '../kit/message.tsx';
import { failureText, useChecklist } from '../model/checklist/use-checklist.ts';
import { useBridge, useHostContext, useUser } from '../shell/services/services.ts';
import { useDraftSlot } from '../text-editor/saving/use-saving.ts';
import { ChecklistEditor } from './checklist-editor.tsx';
import { EditorHeader } from './editor-header.tsx';
import '../text-editor/text-editor.css';

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
