import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useFirstFocus } from './early-text.tsx';
import './kit.css';

interface InputProps {
  label: string;
  /** The list's element id. */
  list: string;
  /** The number of options, and the index of the chosen one; -1 for none. */
  count: number;
  chosen: number;
  value: string;
  onType(value: string): void;
  /** Chooses the option with that index. */
  onMove(index: number): void;
  /** Takes the chosen option. */
  onPick(): void;
}

/**
 * The search field of a list of options, which it moves in with the arrow keys and picks from with Enter. It has the
 * focus from the start, and keeps it.
 */
export function PickInput({ label, list, count, chosen, value, onType, onMove, onPick }: InputProps) {
  const input = useRef<HTMLInputElement>(null);
  useFirstFocus(() => input.current);
  const press = (event: KeyboardEvent) => {
    // Keys of an input method are not commands.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (count === 0) return;
    if (step === undefined) onPick();
    else onMove((chosen + step + count) % count);
  };
  return (
    <input
      ref={input}
      className="check-pick-input"
      role="combobox"
      aria-label={label}
      aria-expanded={count > 0}
      aria-controls={list}
      aria-autocomplete="list"
      aria-activedescendant={chosen < 0 ? undefined : `${list}-${chosen}`}
      autoComplete="off"
      placeholder={label}
      value={value}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
      onKeyDown={press}
    />
  );
}

interface OptionProps {
  /** The list's element id. */
  list: string;
  index: number;
  selected: boolean;
  onHover(): void;
  onPick(): void;
  children: ReactNode;
}

/** An option of the list. */
export const PickOption = ({ list, index, selected, onHover, onPick, children }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys.
  // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and references the option.
  <div
    id={`${list}-${index}`}
    role="option"
    aria-selected={selected}
    className="check-pick-option"
    onPointerMove={onHover}
    onMouseDown={event => event.preventDefault()}
    onClick={onPick}
  >
    {children}
  </div>
);
