import { useEffect } from 'react';
import type { History } from '../../model/checklist/undo-history.ts';
import { isTyping } from '../list/list-dom.ts';

/** Whether undoing is about what is typed there. Where nothing has been typed yet it is about the list, as after adding. */
const isTypedIn = (target: EventTarget | null): boolean =>
  isTyping(target) && !(target instanceof Element && target.closest('form[data-fresh]'));

/** Ctrl/Cmd+Z takes back what was done last in this frame; with Shift, or Ctrl+Y, it is done again. */
export function useUndoKeys({ undo, redo }: History): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented || isTypedIn(event.target))
        return;
      const key = event.key.toLowerCase();
      const turn = key === 'z' ? (event.shiftKey ? redo : undo) : key === 'y' ? redo : undefined;
      if (!turn?.()) return;
      event.preventDefault();
      // The small editor would bring back what was added already.
      event.stopPropagation();
    };
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  }, [undo, redo]);
}
