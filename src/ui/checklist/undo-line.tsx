import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { newlyEnforced } from '../../text/header/enforced.ts';
import { hasKey } from '../commands/command.ts';
import { lazyPart } from '../kit/lazy-component.tsx';
import { isTyping } from '../kit/typing.ts';
import type { History } from '../model/checklist/undo-history.ts';
import type { Step } from '../model/checklist/use-actions.ts';
import { listCommands } from './list/list-commands.ts';
import './bar.css';

const EnforcementNote = lazyPart(() => import('./row/enforcement-note.tsx'));

/** Whether undo applies to the text of the target. In an input without typed text it applies to the list. */
const isTypedIn = (target: EventTarget | null): boolean =>
  isTyping(target) && !(target instanceof Element && target.closest('form[data-fresh]'));

/** The keys undo and redo the last step in this frame. */
function useUndoKeys({ undo, redo }: History): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTypedIn(event.target)) return;
      const run = hasKey(listCommands.undo, event) ? undo : hasKey(listCommands.redo, event) ? redo : undefined;
      if (!run?.()) return;
      event.preventDefault();
      // Otherwise the input's editor undoes too and restores added text.
      event.stopPropagation();
    };
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  }, [undo, redo]);
}

/** The line floats over a list whose end is not visible for this time, unless it is hovered or focused. */
const FLOAT_MS = 8_000;

/** The setting of a step that the site may not enforce. */
const setBy = ({ about, typed: [before, after] = [[], []] }: Step): Step['about'] =>
  about ?? newlyEnforced(before, after);

interface Props {
  history: History;
  say(words: string): void;
}

/** The last step in words, with Undo and Redo and their keys. `data-shown` while it is new. */
export function UndoLine({ history, say }: Props) {
  useUndoKeys(history);
  const { last, undo, redo, failure } = useSyncExternalStore(history.subscribe, history.get);
  const [gone, setGone] = useState<Step | undefined>(undefined);
  const [held, setHeld] = useState(false);
  const step = last?.step;
  useEffect(() => {
    if (step === undefined || held) return undefined;
    const timer = setTimeout(() => setGone(step), FLOAT_MS);
    return () => clearTimeout(timer);
  }, [step, held]);

  const button = (label: string, next: Step | undefined, run: () => boolean) => (
    <button
      type="button"
      className="check-tool"
      // Not disabled: it would lose the focus.
      aria-disabled={next === undefined || undefined}
      title={next && `${label}: ${next.label}`}
      onClick={() => {
        if (next && !run()) say(`There's nothing left to ${label.toLowerCase()}.`);
      }}
    >
      {label}
    </button>
  );
  const line = useRef<HTMLDivElement>(null);
  const about = last?.isStored && !last.undone ? setBy(last.step) : undefined;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only pause the timeout.
    <div
      ref={line}
      className="check-undo"
      data-shown={failure !== undefined || (last !== undefined && gone !== step) || undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span role="status" dir="auto" className="check-undo-words">
        {last?.isStored ? `${last.undone ? 'Undone: ' : ''}${last.step.label}` : ''}
      </span>
      {last && about ? <EnforcementNote issueId={last.step.issueId} about={about} /> : null}
      {failure === undefined ? null : (
        <span role="alert" dir="auto" className="check-error">
          {failure}
        </span>
      )}
      {undo || redo ? (
        <>
          {button('Undo', undo, history.undo)}
          {button('Redo', redo, history.redo)}
        </>
      ) : null}
    </div>
  );
}
