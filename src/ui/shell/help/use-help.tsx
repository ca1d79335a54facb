import type { EditorView } from '@codemirror/view';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { shell } from '../../../domain/messages.ts';
import type { EditorCommand } from '../../../editor/index.ts';
import { lazyComponent } from '../../kit/lazy/lazy-component.tsx';
import { loadChunk } from '../lazy-screen.tsx';
import { useNotify } from '../services/services.ts';

export interface HelpDialogProps {
  /** The editor that opened the guide. */
  view?: EditorView | undefined;
  onClose(): void;
}

const HelpDialog = lazyComponent(
  async () => ({ default: (await loadChunk('help', () => import('../../help/help-screen.tsx'))).HelpDialog }),
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
