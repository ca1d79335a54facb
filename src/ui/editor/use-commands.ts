import type { EditorView } from '@codemirror/view';
import { useEffect } from 'react';
import { type EditorCommand, runKey, setCommands } from '../../editor/index.ts';

/** Lets an editor have commands of the page around it. Some keys, as the one that saves, work anywhere in the frame. */
export function useCommands(view: EditorView | undefined, commands: readonly EditorCommand[]): void {
  useEffect(() => view?.dispatch(setCommands(commands)), [view, commands]);
  useEffect(() => {
    if (!view) return undefined;
    const onKey = (event: KeyboardEvent) => runKey(view, event, 'page');
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [view]);
}
