import { useEffect } from 'react';
import type { History } from './history.ts';
import { isTyping } from './list-dom.ts';

/** Ctrl/Cmd+Z takes back what was done last in this frame; with Shift, or Ctrl+Y, it is done again. */
export function useUndoKeys({ undo, redo }: History): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      const key = event.key.toLowerCase();
      const turn = key === 'z' ? (event.shiftKey ? redo : undo) : key === 'y' ? redo : undefined;
      if (turn?.()) event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [undo, redo]);
}
