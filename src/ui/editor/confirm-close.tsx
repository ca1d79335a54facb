import Button from '@atlaskit/button/new';
import { UnsavedDialog } from '../shell/navigation/unsaved-dialog.tsx';

interface Props {
  onSave(): void;
  onDiscard(): void;
  onKeep(): void;
}

/** Asks before the editor is closed over unsaved edits. */
export const ConfirmClose = ({ onSave, onDiscard, onKeep }: Props) => (
  <UnsavedDialog onStay={onKeep}>
    <Button appearance="subtle" onClick={onKeep}>
      Keep editing
    </Button>
    <Button onClick={onDiscard}>Discard</Button>
    <Button appearance="primary" autoFocus onClick={onSave}>
      Save and close
    </Button>
  </UnsavedDialog>
);
