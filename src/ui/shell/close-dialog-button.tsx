import { Button } from '../kit/button.tsx';
import { useBridge, useHostContext } from './services/services.ts';

/** Stands beside what is shown in place of a screen: a dialog of ours has no chrome, and Escape may not close it. */
export function CloseDialogButton() {
  const bridge = useBridge();
  const { surface } = useHostContext();
  if (surface !== 'dialog') return null;
  return (
    <div className="way-out">
      <Button appearance="subtle" onClick={() => bridge.closeDialog()}>
        Close
      </Button>
    </div>
  );
}
