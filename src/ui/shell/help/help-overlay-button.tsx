import { useState } from 'react';
import HelpButton from './help-button.tsx';
import { HelpOverlay } from './use-help.tsx';

/** A help button that opens the guide over the current screen. */
export default function HelpOverlayButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <HelpButton onClick={() => setOpen(true)} />
      {open ? <HelpOverlay onClose={() => setOpen(false)} /> : null}
    </>
  );
}
