import Button from '@atlaskit/button/new';
import { type ReactNode, type Ref, useId, useState } from 'react';
import { failureMessage } from '../../../client/errors.ts';
import { failures } from '../../../domain/messages.ts';
import './form.css';

/**
 * Chosen values that the server has not confirmed yet; shown at once, also while an earlier change is pending. `errors` has
 * the error of each value whose last change failed, until it is chosen again.
 */
export function useOptimisticValues<Values extends object>() {
  const [{ chosen, errors }, setState] = useState<{
    chosen: Partial<Values>;
    errors: Partial<Record<keyof Values, unknown>>;
  }>({ chosen: {}, errors: {} });
  return {
    chosen,
    errors,
    choose: (values: Partial<Values>) =>
      setState(now => {
        const errors = { ...now.errors };
        for (const name in values) delete errors[name];
        return { chosen: { ...now.chosen, ...values }, errors };
      }),
    /** Drops the values that the server has answered, unless they were changed again, and keeps the answer's error. */
    answered: (values: Partial<Values>, error: unknown) =>
      setState(now => {
        const chosen = { ...now.chosen };
        const errors = { ...now.errors };
        for (const name in values) {
          if (chosen[name] !== values[name]) continue;
          delete chosen[name];
          if (error) errors[name] = error;
        }
        return { chosen, errors };
      }),
  };
}

interface FailureProps {
  /** The error of the control's last use, if it failed. */
  of: unknown;
  /** Says what failed, if the server gives no reason. */
  words?: string;
}

/** At a control without a form: why its last use failed, until the next one. */
export const Failure = ({ of, words = failures.unknown }: FailureProps) =>
  of ? (
    <p className="form-error form-failure" role="alert">
      {failureMessage(of, words)}
    </p>
  ) : null;

/** Above a form: the edited object was deleted, the entered values are kept. */
export const DeletedMessage = ({ what }: { what: string }) => (
  <p className="form-gone" role="alert">
    Someone else has deleted “<span dir="auto">{what}</span>”. What you entered is still here: save it as a new one, or
    cancel.
  </p>
);

/**
 * Returns the values that differ from those that the form began with. Unchanged ones are not sent, so that a concurrent
 * change to them stays. Lists are compared element by element, in order.
 */
export function changedValues<T extends object>(before: T, now: T): Partial<T> {
  const changed: Partial<T> = {};
  for (const key of Object.keys(now) as (keyof T)[]) {
    if (JSON.stringify(now[key]) !== JSON.stringify(before[key])) changed[key] = now[key];
  }
  return changed;
}

interface FieldProps {
  /** The control's id; it references `${id}-error` and `${id}-hint` as its description. */
  id: string;
  label: string;
  error: string | undefined;
  hint: ReactNode;
  children: ReactNode;
}

/** A control with a label above, and error and hint below. */
export const Field = ({ id, label, error, hint, children }: FieldProps) => (
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
  /** The validation error. */
  error?: string | undefined;
  hint?: ReactNode;
  autoFocus?: boolean;
  disabled?: boolean;
  /** Maximum length in UTF-16 code units. */
  maxLength?: number;
  onChange(value: string): void;
}

/**
 * A single-line text field. The kit's adds 3.4 kB after gzip for the border; label, error and hint would stay here.
 */
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
  ref?: Ref<HTMLSelectElement>;
  label: string;
  value: Value;
  options: readonly { value: Value; words: string; disabled?: boolean }[];
  hint?: ReactNode;
  error?: string | undefined;
  disabled?: boolean;
  onChange(value: Value): void;
}

/**
 * A select field. The browser's list may extend beyond a short frame; the kit's, of 57 kB after gzip, may not.
 */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { ref, label, value, options, hint, error, disabled, onChange } = props;
  const id = useId();
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      <select
        ref={ref}
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

/** A checkbox. The kit's shows the label of a disabled one with a contrast of 2 : 1; here it stays readable. */
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

/** A section of a settings screen with its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="settings-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface SegmentedProps<Value extends string> {
  /** The accessible name of the group. */
  label: string;
  options: readonly { value: Value; words: ReactNode }[];
  chosen: Value;
  onChoose(value: NoInfer<Value>): void;
}

/** A segmented control: a row of toggle buttons, one of them pressed. The kit has none. */
export const Segmented = <Value extends string>({ label, options, chosen, onChoose }: SegmentedProps<Value>) => (
  <fieldset className="segmented">
    <legend className="check-hidden">{label}</legend>
    {options.map(({ value, words }) => (
      <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
        {words}
      </button>
    ))}
  </fieldset>
);

interface CheckGroupProps {
  label: string;
  all: readonly { id: string; name: string }[];
  chosen: readonly string[];
  error: string | undefined;
  onChange(ids: string[]): void;
}

/** A group of checkboxes. */
export const CheckGroup = ({ label, all, chosen, error, onChange }: CheckGroupProps) => (
  <fieldset className="form-field">
    <legend className="form-label">{label}</legend>
    <div className="form-choices form-several">
      {all.map(({ id, name }) => (
        <Check
          key={id}
          checked={chosen.includes(id)}
          onChange={now => onChange(now ? [...chosen, id] : chosen.filter(each => each !== id))}
        >
          {name}
        </Check>
      ))}
    </div>
    <span className="form-error" role="alert">
      {error}
    </span>
  </fieldset>
);

interface FormButtonsProps {
  /** The words of the first button. */
  save: string;
  appearance?: 'primary' | 'danger';
  busy?: boolean;
  disabled?: boolean;
  /** Runs instead of submitting the form when the first button is pressed. The reason of a rejection is shown. */
  onSave?: () => unknown;
  /** Says that `onSave` has failed, if the server gives no reason; never the transport's words. */
  failed?: string;
  /** Why the last attempt to submit failed, until the next one. */
  failure?: string | undefined;
  /** Missing if there is nothing to return to. */
  onCancel?: (() => void) | undefined;
  /** Beside the buttons. */
  children?: ReactNode;
}

/** The buttons at the end of a form or a question: the button that acts, and Cancel, if any. */
export function FormButtons(props: FormButtonsProps) {
  const {
    save,
    appearance = 'primary',
    busy = false,
    disabled = false,
    onSave,
    failed = failures.unknown,
    onCancel,
    children,
  } = props;
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const attempt = async () => {
    setFailure(undefined);
    try {
      await onSave?.();
    } catch (reason) {
      setFailure(failureMessage(reason, failed));
    }
  };
  return (
    <div className="form-buttons">
      <p className="form-error form-failure" role="alert">
        {busy ? '' : (props.failure ?? failure)}
      </p>
      <Button
        appearance={appearance}
        type={onSave ? 'button' : 'submit'}
        isLoading={busy}
        isDisabled={disabled}
        {...(onSave && { onClick: () => void attempt() })}
      >
        {save}
      </Button>
      {onCancel ? (
        <Button appearance="subtle" onClick={onCancel}>
          Cancel
        </Button>
      ) : null}
      {children}
    </div>
  );
}
