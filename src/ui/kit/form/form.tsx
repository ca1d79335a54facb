import { type ReactNode, type Ref, useId, useState } from 'react';
import './form.css';

/** What was chosen and is not answered yet: it shows at once, also while something before it is under way. */
export function useOptimisticValues<Values extends object>() {
  const [chosen, setChosen] = useState<Partial<Values>>({});
  return {
    chosen,
    choose: (values: Partial<Values>) => setChosen(now => ({ ...now, ...values })),
    /** From now on the server's answer counts, unless something else has been chosen since. */
    answered: (values: Partial<Values>) =>
      setChosen(now => {
        const left = { ...now };
        for (const name in values) if (left[name] === values[name]) delete left[name];
        return left;
      }),
  };
}

/** Above a form: what it was about has gone, and what was typed has not. */
export const DeletedMessage = ({ what }: { what: string }) => (
  <p className="form-gone" role="alert">
    Someone else has deleted “<span dir="auto">{what}</span>”. What you entered is still here: save it as a new one, or
    cancel.
  </p>
);

/**
 * Of the values that a form ends with, those that are other than it began with: what was left alone may have been changed
 * by somebody else meanwhile, and stays as they made it. Lists are compared by what is in them, in their order.
 */
export function changedOf<T extends object>(before: T, now: T): Partial<T> {
  const changed: Partial<T> = {};
  for (const key of Object.keys(now) as (keyof T)[]) {
    if (JSON.stringify(now[key]) !== JSON.stringify(before[key])) changed[key] = now[key];
  }
  return changed;
}

interface FieldProps {
  /** Of the control, which names `${id}-error` and `${id}-hint` as its description. */
  id: string;
  label: string;
  error: string | undefined;
  hint: ReactNode;
  children: ReactNode;
}

/** A control with its name above and what is wrong with it below. */
const Field = ({ id, label, error, hint, children }: FieldProps) => (
  <div className="form-field">
    <label className="form-label" htmlFor={id}>
      {label}
    </label>
    {children}
    <span id={`${id}-error`} className="form-error" role="alert">
      {error}
    </span>
    <span id={`${id}-hint`} className="form-hint">
      {hint}
    </span>
  </div>
);

interface TextInputProps {
  ref?: Ref<HTMLInputElement>;
  label: string;
  value: string;
  /** What is wrong with the value. */
  error?: string | undefined;
  hint?: ReactNode;
  autoFocus?: boolean;
  disabled?: boolean;
  /** Characters that it takes at most. */
  maxLength?: number;
  onChange(value: string): void;
}

/** A line of text. */
export function TextInput({
  ref,
  label,
  value,
  error,
  hint,
  autoFocus,
  disabled,
  maxLength,
  onChange,
}: TextInputProps) {
  const id = useId();
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      <input
        ref={ref}
        id={id}
        className="form-input"
        type="text"
        dir="auto"
        autoComplete="off"
        value={value}
        disabled={disabled}
        maxLength={maxLength}
        // biome-ignore lint/a11y/noAutofocus: only where a form has just been opened.
        autoFocus={autoFocus}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-error ${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}

interface SelectProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; words: string; disabled?: boolean }[];
  hint?: ReactNode;
  error?: string | undefined;
  disabled?: boolean;
  onChange(value: Value): void;
}

/** One of a few. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, options, hint, error, disabled, onChange } = props;
  const id = useId();
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      <select
        id={id}
        className="form-input"
        value={value}
        disabled={disabled}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-error ${id}-hint`}
        onChange={({ target }) => {
          const chosen = options.find(option => option.value === target.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {options.map(({ value, words, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface CheckProps {
  checked: boolean;
  disabled?: boolean;
  hint?: ReactNode;
  onChange(checked: boolean): void;
  children: ReactNode;
}

/** Something that is so or not. */
export function Check({ checked, disabled, hint, onChange, children }: CheckProps) {
  const id = useId();
  return (
    <div className="form-check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        <label htmlFor={id}>{children}</label>
        {hint === undefined ? null : (
          <span id={`${id}-hint`} className="form-hint">
            {' '}
            {hint}
          </span>
        )}
      </span>
    </div>
  );
}
