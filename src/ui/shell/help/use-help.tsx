import type { EditorView } from '@codemirror/view';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { shell } from '../../../domain/messages.ts';
import type { EditorCommand } from '../../../editor/index.ts';
import { lazyComponent } from '../../kit/lazy/lazy-component.tsx';
import { loadChunk } from '../lazy-screen.tsx';
import { useNotify } from '../services/services.ts';

export interface HelpDialogProps {
  /** The editor that it was opened from. */
  view?: EditorView | undefined;
  onClose(): void;
}

const HelpDialog = lazyComponent(() => loadChunk('help', () => import('../../help/help-dialog.tsx')), NoHelp);

/** In the place of a guide that cannot be fetched: the editor stays as it is. */
function NoHelp({ onClose }: HelpDialogProps) {
  const notify = useNotify();
  const tell = useEffectEvent(() => {
    notify(shell.chunkFailed('help'), 'error');
    onClose();
  });
  useEffect(() => tell(), []);
  return null;
}

/** The command of an editor that opens the guide over it, the button for that, and the guide while it is open. */
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

/** The guide over an editor, which has the focus back when it closes, or over another screen. */
export function HelpOver({ view, onClose }: HelpDialogProps): ReactNode {
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
