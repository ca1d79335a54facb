import type { ReactNode } from 'react';
import * as v from 'valibot';
import type { HostContext } from '../../bridge/bridge.ts';
import type { IssueRef } from '../../client/reading.ts';
import { refusals, storage } from '../../domain/messages.ts';
import { readAs } from '../../domain/shape.ts';
import { Loading } from '../kit/loading.tsx';
import { Message } from '../kit/message.tsx';
import { failureText, useChecklist } from '../model/checklist/use-checklist.ts';
import { useBridge, useHostContext, useUser } from '../shell/services/services.ts';
import { useDraftSlot } from '../text-editor/saving/use-saving.ts';
import { ChecklistEditor } from './checklist-editor.tsx';
import { EditorHeader } from './editor-header.tsx';
import '../text-editor/text-editor.css';

const handed = v.object({ issueId: v.string(), issueKey: v.string() });

/** Which issue the editor is about: what its address says, else what its opener handed over. */
export function issueOf({ issueId, issueKey, dialogData }: HostContext): IssueRef | undefined {
  if (issueId !== undefined && issueKey !== undefined) return { issueId, issueKey };
  return readAs(handed, dialogData);
}

/** The full-size dialog in which a checklist is edited as text. */
export default function EditorScreen() {
  const issue = issueOf(useHostContext());
  const { canViewChecklist } = useUser();
  if (!issue) {
    return (
      <Closable>
        <Message appearance="error">{storage.issueNotFound}</Message>
      </Closable>
    );
  }
  if (!canViewChecklist) {
    return (
      <Closable issueKey={issue.issueKey}>
        <Message appearance="warning">{refusals.permission}</Message>
      </Closable>
    );
  }
  return <Opened key={issue.issueId} {...issue} />;
}

function Opened(issue: IssueRef) {
  const { store, view, failure, retry } = useChecklist(issue);
  const slot = useDraftSlot(issue.issueId);
  if (view && slot) return <ChecklistEditor issue={issue} store={store} view={view} slot={slot} />;
  return (
    <Closable issueKey={issue.issueKey}>
      {failure !== undefined ? (
        <Message appearance="error" actions={[{ label: 'Retry', run: retry }]}>
          {failureText(failure)}
        </Message>
      ) : (
        <Loading />
      )}
    </Closable>
  );
}

/** A screen without a text. The dialog has no other way out than our own button. */
function Closable({ issueKey, children }: { issueKey?: string; children: ReactNode }) {
  const bridge = useBridge();
  return (
    <main className="editor-screen">
      <EditorHeader issueKey={issueKey} onClose={() => bridge.closeDialog()} />
      <div className="editor-message">{children}</div>
    </main>
  );
}
