import { IconButton } from '@atlaskit/button/new';
import BookIcon from '@atlaskit/icon/core/book-with-bookmark';
import type { EditorView } from '@codemirror/view';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { shell } from '../../../domain/messages.ts';
import type { EditorCommand } from '../../../editor/index.ts';
import { lazyComponent } from '../../kit/lazy-component.tsx';
import { loadChunk } from '../lazy-screen.tsx';
import { useNotify } from '../services/services.ts';
import { useUnseenNews } from './news.ts';

export interface HelpDialogProps {
  /** The editor that opened the guide. */
  view?: EditorView | undefined;
  onClose(): void;
}

const HelpDialog = lazyComponent(
  async () => ({ default: (await loadChunk('help', () => import('../../screens/help/help-screen.tsx'))).HelpDialog }),
  HelpLoadError,
);

/** Replaces the guide if its chunk fails to load: closes it and notifies the user. */
function HelpLoadError({ onClose }: HelpDialogProps) {
  const notify = useNotify();
  const report = useEffectEvent(() => {
    notify(shell.chunkFailed('help'), 'error');
    onClose();
  });
  useEffect(() => report(), []);
  return null;
}

/** The guide of an editor: the command that opens it, its open state, and its button's handlers. */
export function useHelp(): { command: EditorCommand; open: boolean; show(): void; close(): void } {
  const [open, setOpen] = useState(false);
  const command = useMemo(
    (): EditorCommand => ({
      id: 'help',
      title: 'Help and what’s new',
      edits: false,
      run: () => {
        setOpen(true);
        return true;
      },
    }),
    [],
  );
  return { command, open, show: () => setOpen(true), close: () => setOpen(false) };
}

/** The guide over a screen; returns the focus to the editor when it closes. */
export function HelpOverlay({ view, onClose }: HelpDialogProps): ReactNode {
  return (
    <Suspense>
      <HelpDialog
        view={view}
        onClose={() => {
          onClose();
          view?.focus();
        }}
      />
    </Suspense>
  );
}

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
