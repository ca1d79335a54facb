import { useState } from 'react';
import HelpButton from './help-button.tsx';
import { HelpOver } from './use-help.tsx';

/** The way to the guide from a screen that stays as it is behind it. */
export default function HelpHere() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <HelpButton onClick={() => setOpen(true)} />
      {open ? <HelpOver onClose={() => setOpen(false)} /> : null}
    </>
  );
}
