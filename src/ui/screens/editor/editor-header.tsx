import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import type { EditorView } from '@codemirror/view';
import { type ReactNode, useEffect, useMemo } from 'react';
import * as v from 'valibot';
import { unreachable, whole } from '../../../domain/messages.ts';
import { type EditorCommand, setPlain } from '../../../editor/index.ts';
import { usePreference } from '../../model/preferences.ts';
import type { EditorState } from '../../text-editor/saving/use-saving.ts';

const labels: Record<EditorState, string> = {
  saved: 'Saved',
  saving: 'Saving…',
  waiting: whole.notSaved,
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
        {saving?.state === 'waiting' ? ` ${saving.why ?? ''} ${unreachable.retrying}` : null}
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

/** A toggle command and its state. */
export interface Switch {
  on: boolean;
  command: EditorCommand;
}

const shape = v.boolean();

/** Whether people, days, issues and emoji show as plain text instead of chips. */
export function usePlainText(view: EditorView | undefined): Switch {
  const [on, choose] = usePreference('plain-text', shape, false);
  useEffect(() => view?.dispatch(setPlain(on)), [view, on]);
  const command = useMemo(
    (): EditorCommand => ({
      id: 'plainText',
      title: 'Toggle plain text',
      edits: false,
      run: () => {
        choose(!on);
        return true;
      },
    }),
    [on, choose],
  );
  return { on, command };
}

interface SwitchProps {
  plain: Switch;
  view: EditorView;
}

/** The button in the status bar that shows the text without chips. */
export const PlainTextSwitch = ({ plain: { on, command }, view }: SwitchProps) => (
  <button
    type="button"
    className="editor-switch"
    aria-pressed={on}
    onClick={() => {
      command.run(view);
      view.focus();
    }}
  >
    Plain text
  </button>
);
