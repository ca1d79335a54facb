import { useEffect, useState, useSyncExternalStore } from 'react';
import type { History } from '../model/checklist/undo-history.ts';
import type { Step } from '../model/checklist/use-actions.ts';
import { isTyping } from './list/list-dom.ts';
import './bar.css';

/** Whether undo applies to the text of the target. In an input without typed text it applies to the list. */
const isTypedIn = (target: EventTarget | null): boolean =>
  isTyping(target) && !(target instanceof Element && target.closest('form[data-fresh]'));

/** Ctrl/Cmd+Z undoes the last step in this frame; Ctrl/Cmd+Shift+Z and Ctrl+Y redo it. */
export function useUndoKeys({ undo, redo }: History): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented || isTypedIn(event.target))
        return;
      const key = event.key.toLowerCase();
      const run = key === 'z' ? (event.shiftKey ? redo : undo) : key === 'y' ? redo : undefined;
      if (!run?.()) return;
      event.preventDefault();
      // Otherwise the input's editor undoes too and restores added text.
      event.stopPropagation();
    };
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  }, [undo, redo]);
}

/** Milliseconds for which it shows, unless hovered or focused. */
const STAY = 8_000;

interface Props {
  history: History;
  say(words: string): void;
}

/** The last step with Undo or Redo. Hides automatically; the keys stay active. */
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
  const run = () => {
    if (last?.undone) history.redo();
    else if (!history.undo()) say("There's nothing left to undo.");
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only pause the timeout.
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
        <button type="button" className="check-tool" onClick={run}>
          {last.undone ? 'Redo' : 'Undo'}
        </button>
      ) : null}
    </div>
  );
}

/** Undo of the last step on one of several checklists, with its keys. */
export function LastUndo({ history, say }: { history: History; say(words: string): void }) {
  useUndoKeys(history);
  return <UndoLine history={history} say={say} />;
}
