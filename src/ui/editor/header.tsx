import ButtonGroup from '@atlaskit/button/button-group';
import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import type { SaveState } from './saving.ts';

const labels: Record<SaveState, string> = {
  saved: 'Saved',
  saving: 'Saving…',
  waiting: 'Not saved yet',
  unsaved: 'Unsaved changes',
};

interface Props {
  issueKey: string | undefined;
  state: SaveState;
  editable: boolean;
  onSave(): void;
  onClose(): void;
}

/** The dialog's own title bar: the host draws none for it. */
export function EditorHeader({ issueKey, state, editable, onSave, onClose }: Props) {
  return (
    <header className="editor-header">
      <div className="editor-title">
        <Heading as="h1" size="small">
          Checklist{issueKey === undefined ? '' : ` of ${issueKey}`}
        </Heading>
      </div>
      <span className={`editor-state editor-state-${state}`} role="status">
        {editable ? labels[state] : 'Read only'}
      </span>
      <ButtonGroup label="Editor">
        {editable && (
          <Button
            appearance="primary"
            isDisabled={state === 'saved'}
            onClick={onSave}
            aria-keyshortcuts="Control+S Meta+S"
          >
            Save
          </Button>
        )}
        <Button appearance="subtle" onClick={onClose}>
          Close
        </Button>
      </ButtonGroup>
    </header>
  );
}
