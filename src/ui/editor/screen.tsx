import type { ReactNode } from 'react';
import type { IssueRef } from '../../client/reading.ts';
import { refusals, storage } from '../../domain/messages.ts';
import { useBridge, useHostContext, useUser } from '../app/hooks.ts';
import { failureText } from '../checklist/failure.ts';
import { useChecklist } from '../checklist/use-checklist.ts';
import { Loading } from '../parts/loading.tsx';
import { Message } from '../parts/message.tsx';
import { Editing } from './editing.tsx';
import { EditorHeader } from './header.tsx';
import { issueOf } from './issue.ts';
import { useSlot } from './use-slot.ts';
import './editor.css';

/** The full-size dialog in which a checklist is edited as text. */
export function EditorScreen() {
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
  const slot = useSlot(issue.issueId);
  if (view && slot) return <Editing issue={issue} store={store} view={view} slot={slot} />;
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
