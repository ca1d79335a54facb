import type { EditorView } from '@codemirror/view';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import type { Menu, MenuItem } from '../../../editor/index.ts';
import { keepKey, useModal } from '../../kit/focus.ts';
import '../text-editor.css';

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

interface Props {
  menu: Menu;
  onChoose(choice: MenuItem): void;
  onClose(): void;
}

/** How far a key moves the selection. */
const steps: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 8,
  PageUp: -8,
};

/** A searchable list for the keyboard: the commands with their keys, or the choices of one command. */
export function Palette({ menu, onChoose, onClose }: Props) {
  const { ref, leave, close, onCancel } = useModal(onClose);
  const [typed, setTyped] = useState('');
  const [selected, setSelected] = useState(0);
  const id = useId();
  const found = bestMatches(typed, menu.choices);
  const at = Math.min(selected, found.length - 1);
  const active = found[at];
  const optionId = (choice: MenuItem) => `${id} ${choice.id}`.replaceAll(' ', '-');
  const activeId = active && optionId(active);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const choose = (choice: MenuItem) => leave(() => onChoose(choice));
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of an input method are not commands.
    if (event.nativeEvent.isComposing) return;
    const step = steps[event.key];
    if (step !== undefined && found.length > 0) {
      const next = Math.abs(step) === 1 ? at + step + found.length : Math.max(0, Math.min(found.length - 1, at + step));
      setSelected(next % found.length);
    } else if (event.key === 'Enter' && active) choose(active);
    else if (event.key === 'Escape') close();
    else return;
    keepKey(event);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it; the key for that is Escape
    <dialog
      ref={ref}
      className="palette"
      aria-label={menu.label}
      onCancel={onCancel}
      onClick={event => event.target === ref.current && close()}
    >
      <div className="palette-box">
        <input
          className="palette-input"
          role="combobox"
          aria-label={menu.label}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={activeId}
          placeholder={`${menu.label}: type to search`}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={event => {
            setTyped(event.target.value);
            setSelected(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div className="palette-list" id={`${id}-list`} role="listbox" aria-label={menu.label}>
          {found.map(choice => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, which keeps the focus
            // biome-ignore lint/a11y/useFocusableInteractive: see above
            <div
              key={choice.id}
              id={optionId(choice)}
              className="palette-option"
              role="option"
              aria-selected={choice === active}
              onMouseDown={event => event.preventDefault()}
              onClick={() => choose(choice)}
            >
              <span>{choice.label}</span>
              {choice.key === undefined ? null : <kbd className="palette-key">{choice.key}</kbd>}
            </div>
          ))}
        </div>
        <p className="palette-none" role="status">
          {found.length === 0 ? 'Nothing found' : ''}
        </p>
      </div>
    </dialog>
  );
}

interface MenuProps {
  menu: Menu;
  view: EditorView;
  onClose(): void;
}

/** The menu that a command opens. Returns the focus to the text before the choice runs. */
export function CommandMenu({ menu, view, onClose }: MenuProps) {
  const close = () => {
    onClose();
    view.focus();
  };
  const choose = (choice: MenuItem) => {
    close();
    choice.run(view);
  };
  return <Palette key={menu.label} menu={menu} onChoose={choose} onClose={close} />;
}
