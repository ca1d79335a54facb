import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useFirstFocus } from './early-text.tsx';
import { keepKey, useModal } from './focus.ts';
import './palette.css';

/**
 * Rates how well a label matches the typed words: letters in order, best at word starts and adjacent. 0 for no match.
 */
function matchScore(typed: string, label: string): number {
  const text = label.toLowerCase();
  let score = 1;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const whole = text.indexOf(word);
    if (whole >= 0) {
      score += 4 * word.length + (isStart(text, whole) ? 8 : 0);
      continue;
    }
    let at = -1;
    for (const letter of word) {
      const next = text.indexOf(letter, at + 1);
      if (next < 0) return 0;
      score += next === at + 1 || isStart(text, next) ? 1 : 0;
      at = next;
    }
  }
  return score;
}

const isStart = (text: string, at: number) => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');

/** The matching choices, best first; ties, and all choices of an empty search, in their original order. */
export const bestMatches = <T extends { label: string }>(typed: string, all: readonly T[]): T[] =>
  typed.trim() === ''
    ? [...all]
    : all
        .map(choice => ({ choice, score: matchScore(typed, choice.label) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .map(({ choice }) => choice);

/** An entry of a palette. */
interface Choice {
  id: string;
  label: string;
  /** The key that does it without the palette. */
  key?: string | undefined;
}

interface Props<T extends Choice> {
  label: string;
  choices: readonly T[];
  onChoose(choice: T): void;
}

/** How far a key moves the selection. */
const steps: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 8,
  PageUp: -8,
};

/** A searchable list for the keyboard: the commands with their keys, or the choices of one command. Takes the focus. */
export function PaletteList<T extends Choice>({ label, choices, onChoose }: Props<T>) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [selected, setSelected] = useState(0);
  const id = useId();
  const matchingChoices = bestMatches(typed, choices);
  const at = Math.min(selected, matchingChoices.length - 1);
  const active = matchingChoices[at];
  const optionId = (choice: Choice) => `${id} ${choice.id}`.replaceAll(' ', '-');
  const activeId = active && optionId(active);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  useFirstFocus(() => input.current);

  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of an input method are not commands.
    if (event.nativeEvent.isComposing) return;
    const step = steps[event.key];
    if (step !== undefined && matchingChoices.length > 0) {
      const next =
        Math.abs(step) === 1
          ? at + step + matchingChoices.length
          : Math.max(0, Math.min(matchingChoices.length - 1, at + step));
      setSelected(next % matchingChoices.length);
    } else if (event.key === 'Enter' && active) onChoose(active);
    else return;
    keepKey(event);
  };
  return (
    <div className="palette-box">
      <input
        ref={input}
        className="palette-input"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        placeholder={`${label}: type to search`}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={event => {
          setTyped(event.target.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="palette-list" id={`${id}-list`} role="listbox" aria-label={label}>
        {matchingChoices.map(choice => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, which keeps the focus
          // biome-ignore lint/a11y/useFocusableInteractive: see above
          <div
            key={choice.id}
            id={optionId(choice)}
            className="palette-option"
            role="option"
            aria-selected={choice === active}
            onMouseDown={event => event.preventDefault()}
            onClick={() => onChoose(choice)}
          >
            <span>{choice.label}</span>
            {choice.key === undefined ? null : <kbd className="palette-key">{choice.key}</kbd>}
          </div>
        ))}
      </div>
      <p className="palette-none" role="status">
        {matchingChoices.length === 0 ? 'Nothing found' : ''}
      </p>
    </div>
  );
}

/** A palette above the page, for a frame that has the room. */
export function Palette<T extends Choice>({ label, onChoose, onClose, ...rest }: Props<T> & { onClose(): void }) {
  const { ref, leave, close, onCancel } = useModal(onClose);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it; the key for that is Escape
    <dialog
      ref={ref}
      className="palette"
      aria-label={label}
      onCancel={onCancel}
      onClick={event => event.target === ref.current && close()}
    >
      <PaletteList {...rest} label={label} onChoose={choice => leave(() => onChoose(choice))} />
    </dialog>
  );
}
