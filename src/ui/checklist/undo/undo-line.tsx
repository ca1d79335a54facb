import { useEffect, useState, useSyncExternalStore } from 'react';
import type { History } from '../../model/checklist/undo-history.ts';
import type { Step } from '../../model/checklist/use-actions.ts';
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

/** Milliseconds that it stays, unless somebody is at it. */
const STAY = 8_000;

interface Props {
  history: History;
  say(words: string): void;
}

/** What was done last, and the way back. It goes by itself; the keys for it work on. */
export function UndoLine({ history, say }: Props) {
  const last = useSyncExternalStore(history.subscribe, history.get);
  const [gone, setGone] = useState<Step | undefined>(undefined);
  const [held, setHeld] = useState(false);
  const step = last?.step;
  useEffect(() => {
    if (step === undefined || held) return undefined;
    const timer = setTimeout(() => setGone(step), STAY);
    return () => clearTimeout(timer);
  }, [step, held]);

  const shown = last !== undefined && gone !== step;
  const words = shown ? `${last.undone ? 'Undone: ' : ''}${last.step.label}` : '';
  const turn = () => {
    if (last?.undone) history.redo();
    else if (!history.undo()) say('There is nothing left of it to undo.');
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while somebody is there.
    <div
      className="check-undo"
      data-shown={shown || undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span role="status" dir="auto" className="check-undo-words">
        {words}
      </span>
      {shown && !last.forbidden ? (
        <button type="button" className="check-tool" onClick={turn}>
          {last.undone ? 'Redo' : 'Undo'}
        </button>
      ) : null}
    </div>
  );
}
