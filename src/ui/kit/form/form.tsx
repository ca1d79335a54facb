import { type ReactNode, type Ref, useId } from 'react';
import './form.css';

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
