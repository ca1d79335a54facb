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
  /** How the text is stored; missing while there is none, or for people who may only read it. */
  saving?: { state: EditorState; why: string | undefined; save(): void };
  /** Who else is here. */
  others?: ReactNode;
  /** What changes how the text is shown. */
  tools?: ReactNode;
  onClose(): void;
}

/** The dialog's own title bar: the host draws none for it. */
export function EditorHeader({ issueKey, saving, others, tools, onClose }: Props) {
  return (
    <header className="editor-header">
      <div className="editor-title">
        <Heading as="h1" size="small">
          {issueKey === undefined ? 'Checklist' : `Checklist of ${issueKey}`}
        </Heading>
      </div>
      {others}
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
