import CloseIcon from '@atlaskit/icon/core/cross';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { fieldErrors } from '../../domain/fields.ts';
import { normalName } from '../../domain/statuses.ts';
import { RULE_NAME_MAX, RULE_NAMES_MAX } from '../../domain/workflow/options.ts';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/form/form.tsx';
import { RowButton } from '../kit/sortable/sortable.tsx';

interface Props {
  label: string;
  /** One of the names, for the buttons: "section". */
  what: string;
  names: readonly string[];
  suggestions: readonly string[];
  /** What is said of a name that is not among the suggestions, once these are known. */
  unknown: ((name: string) => string) | undefined;
  hint: string;
  onChange(names: string[]): void;
}

const isSame = (one: string, other: string) => normalName(one) === normalName(other);

/** A list of names, with a field that adds one. Enter adds, too. */
export function NamesField({ label, what, names, suggestions, unknown, hint, onChange }: Props) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const name = typed.replace(/\s+/g, ' ').trim();
  const isFull = names.length >= RULE_NAMES_MAX;
  const isListed = names.some(each => isSame(each, name));
  const add = () => {
    if (name === '' || isFull || isListed) return;
    onChange([...names, suggestions.find(each => isSame(each, name)) ?? name]);
    setTyped('');
    input.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  };
  const error =
    isFull && name
      ? `You can add at most ${RULE_NAMES_MAX} names. Remove one first.`
      : isListed && name
        ? fieldErrors.NOT_UNIQUE
        : undefined;
  const missing = unknown ? names.filter(each => !suggestions.some(known => isSame(known, each))) : [];
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      {names.length === 0 ? null : (
        <ul className="rule-names">
          {names.map(each => (
            <li key={normalName(each)}>
              <span dir="auto">{each}</span>
              <RowButton
                icon={CloseIcon}
                label={`Remove ${each}`}
                onClick={() => {
                  onChange(names.filter(other => other !== each));
                  input.current?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="rule-add">
        <input
          ref={input}
          id={id}
          className="form-input"
          type="text"
          dir="auto"
          autoComplete="off"
          list={`${id}-names`}
          value={typed}
          maxLength={RULE_NAME_MAX}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-error ${id}-hint`}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={press}
        />
        <datalist id={`${id}-names`}>
          {suggestions
            .filter(each => !names.some(other => isSame(other, each)))
            .map(each => (
              <option key={each} value={each} />
            ))}
        </datalist>
        <Button onClick={add}>{`Add ${what}`}</Button>
      </div>
      {missing.map(each => (
        <span key={each} className="rule-unknown" role="status">
          {unknown?.(each)}
        </span>
      ))}
    </Field>
  );
}
