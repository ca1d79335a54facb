import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import type { ReactNode } from 'react';
import type { EditorState } from '../text-editor/saving/use-saving.ts';

const labels: Record<EditorState, string> = {
  saved: 'Saved',
  saving: 'Saving…',
  waiting: 'Not saved yet.',
  failed: 'Not saved',
  unsaved: 'Unsaved changes',
};

interface Props {
  issueKey: string | undefined;
  /** The state of saving; missing without a text and for users with read permission only. */
  saving?: { state: EditorState; why: string | undefined; save(): void };
  /** The collaborators. */
  collaborators?: ReactNode;
  /** Controls of the view. */
  tools?: ReactNode;
  onClose(): void;
}

/** The dialog's own header: the host draws none for it. */
export function EditorHeader({ issueKey, saving, collaborators, tools, onClose }: Props) {
  return (
    <header className="editor-header">
      <div className="editor-title">
        <Heading as="h1" size="small">
          {issueKey === undefined ? 'Checklist' : `Checklist of ${issueKey}`}
        </Heading>
      </div>
      {collaborators}
      <span className={`editor-state editor-state-${saving?.state ?? 'none'}`} role="status">
        {saving ? labels[saving.state] : ''}
        {saving?.state === 'waiting' ? ` ${saving.why ?? ''} Retrying automatically.` : null}
      </span>
      <div className="editor-buttons">
        {tools}
        {saving ? (
          <Button appearance="primary" isDisabled={saving.state === 'saved'} onClick={saving.save}>
            Save
          </Button>
        ) : null}
        <Button appearance="subtle" onClick={onClose}>
          Close
        </Button>
      </div>
    </header>
  );
}
