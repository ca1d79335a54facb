import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react';
import { useLayer } from '../use-layer.ts';
import { Field } from './form.tsx';

export interface ComboboxOption {
  value: string;
  words: string;
  /** Before the words. */
  picture?: ReactNode;
}

export interface ComboboxProps {
  ref?: Ref<HTMLInputElement> | undefined;
  label: string;
  /** The chosen option's words; empty if nothing is chosen. */
  chosen: string;
  placeholder?: string;
  hint?: ReactNode;
  error?: string | undefined;
  disabled?: boolean;
  /** The options for the typed text, in their order. */
  options: readonly ComboboxOption[];
  /** Why there are no options, or that they are being loaded. */
  note: string;
  /** Loads more options; missing if there are no more. */
  onMore?: (() => void) | undefined;
  /** Called with the typed text, and with an empty text when the list closes. */
  onType(typed: string): void;
  onChoose(option: ComboboxOption): void;
}

/** More options are loaded at this distance from the list's end. */
const LOAD_AHEAD_PX = 64;

/**
 * A field to search one of many options. The kit's select weighs 57 kB after gzip, and its list may not extend beyond a
 * short frame.
 */
export function Combobox(props: ComboboxProps) {
  const { ref, label, chosen, placeholder, hint, error, disabled, options, note, onMore, onType, onChoose } = props;
  const id = useId();
  const list = `${id}-list`;
  const active = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [at, setAt] = useState(0);
  const isOpen = typed !== undefined;
  const index = Math.min(at, options.length - 1);
  const open = () => setTyped(now => now ?? '');
  const close = () => {
    if (!isOpen) return;
    setTyped(undefined);
    setAt(0);
    onType('');
  };
  useLayer(isOpen, close);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active option is another element then.
  useEffect(() => active.current?.scrollIntoView?.({ block: 'nearest' }), [index]);
  const choose = (option: ComboboxOption) => {
    close();
    onChoose(option);
  };
  const move = (step: number) => {
    const next = index + step;
    if (next >= options.length && onMore) return onMore();
    setAt((next + options.length) % options.length);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!isOpen) open();
      else if (options.length > 0) move(key === 'ArrowDown' ? 1 : -1);
    } else if (!isOpen) return;
    else if (key === 'Enter') {
      const option = options[index];
      if (option) choose(option);
    } else return;
    event.preventDefault();
  };
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      <div className="form-combobox">
        <input
          ref={ref}
          id={id}
          className="form-input"
          type="text"
          role="combobox"
          dir="auto"
          autoComplete="off"
          aria-expanded={isOpen}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && options.length > 0 ? `${id}-${index}` : undefined}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-error ${id}-hint`}
          placeholder={isOpen && chosen ? chosen : placeholder}
          disabled={disabled}
          value={typed ?? chosen}
          onChange={({ target }) => {
            setTyped(target.value);
            setAt(0);
            onType(target.value);
          }}
          onClick={open}
          onBlur={close}
          onKeyDown={press}
        />
        <div hidden={!isOpen} className="form-options">
          <div
            id={list}
            role="listbox"
            aria-label={label}
            className="form-options-list"
            onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
              if (scrollHeight - scrollTop - clientHeight < LOAD_AHEAD_PX) onMore?.();
            }}
          >
            {isOpen
              ? options.map((option, number) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys.
                  // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and references the option.
                  <div
                    key={option.value}
                    ref={number === index ? active : undefined}
                    id={`${id}-${number}`}
                    role="option"
                    aria-selected={number === index}
                    className="form-option"
                    onPointerMove={() => setAt(number)}
                    onMouseDown={event => event.preventDefault()}
                    onClick={() => choose(option)}
                  >
                    {option.picture}
                    <span dir="auto">{option.words}</span>
                  </div>
                ))
              : null}
          </div>
          <p className="form-options-note" role="status">
            {isOpen ? note : ''}
          </p>
        </div>
      </div>
    </Field>
  );
}
