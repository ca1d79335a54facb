import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useFirstFocus } from './early-text.tsx';
import './kit.css';

/** Scrolls a list to an option: only the list, never the frame or the tracker's page around it. */
function showOption(box: HTMLElement | null, index: number): void {
  const option = box?.querySelectorAll<HTMLElement>('[role=option]')[index];
  if (!option || !box) return;
  const top = option.offsetTop - box.offsetTop;
  const end = top + option.offsetHeight;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (end > box.scrollTop + box.clientHeight) box.scrollTop = end - box.clientHeight;
}

interface Searched<Option> {
  options: readonly Option[];
  keyOf(option: Option): string;
  /** The key of the option that is chosen at first, in place of the first one. */
  start?: string | undefined;
  onSearch(search: string): void;
  onPick(option: Option): void;
}

/**
 * A list of options below a search field: gives the properties of its field, its list and its options. The chosen option
 * is known by its key, and so stays chosen when the list changes; typing chooses the first one.
 */
export function useSearchedList<Option>({ options, keyOf, start, onSearch, onPick }: Searched<Option>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(start);
  const isAt = (option: Option) => keyOf(option) === at;
  const chosen = Math.max(options.findIndex(isAt), options.length > 0 ? 0 : -1);
  const choose = (option: Option | undefined) => setAt(option && keyOf(option));
  const pick = (option: Option | undefined) => {
    if (!option) return;
    choose(option);
    onPick(option);
  };
  return {
    id,
    chosen: options[chosen],
    field: {
      ...{ list: id, count: options.length, chosen },
      onType: (search: string) => {
        onSearch(search);
        setAt(undefined);
      },
      onMove: (index: number) => {
        choose(options[index]);
        showOption(list.current, index);
      },
      onPick: () => pick(options[chosen]),
    },
    list: { id, ref: list },
    optionAt: (index: number) => ({
      ...{ list: id, index, selected: index === chosen },
      onHover: () => choose(options[index]),
      onPick: () => pick(options[index]),
    }),
  };
}

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
