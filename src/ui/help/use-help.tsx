import type { EditorView } from '@codemirror/view';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { type EditorCommand, editorCommands } from '../../editor/index.ts';
import { loadChunk } from '../app/lazy.tsx';

const HelpDialog = lazy(() => loadChunk('help', () => import('./dialog.tsx')));

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

/** The guide over an editor, which has the focus back when it closes. */
export function HelpOver({ view, onClose }: { view: EditorView; onClose(): void }): ReactNode {
  return (
    <Suspense>
      <HelpDialog
        commands={view.state.facet(editorCommands)}
        onClose={() => {
          onClose();
          view.focus();
        }}
      />
    </Suspense>
  );
}
