import { IconButton } from '@atlaskit/button/new';
import BookIcon from '@atlaskit/icon/core/book-with-bookmark';
import { useState } from 'react';
import { useUnseenNews } from './news.ts';
import { HelpOverlay } from './use-help.tsx';
import '../shell.css';

/** Opens the guide; marks unseen news. */
export function HelpButton({ onClick }: { onClick(): void }) {
  const unseen = useUnseenNews();
  return (
    <span className="help-button">
      <IconButton
        icon={BookIcon}
        label={unseen ? 'Help and what’s new: there is news' : 'Help and what’s new'}
        appearance="subtle"
        isTooltipDisabled={false}
        tooltip={{ content: 'Help and what’s new' }}
        onClick={onClick}
      />
      {unseen ? <span className="help-dot" /> : null}
    </span>
  );
}

/** A help button that opens the guide over the current screen. */
export function HelpOverlayButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <HelpButton onClick={() => setOpen(true)} />
      {open ? <HelpOverlay onClose={() => setOpen(false)} /> : null}
    </>
  );
}
