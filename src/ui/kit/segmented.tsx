import type { ReactNode } from 'react';

interface Props<Value extends string> {
  /** The accessible name of the group. */
  label: string;
  options: readonly { value: Value; words: ReactNode }[];
  chosen: Value;
  onChoose(value: NoInfer<Value>): void;
}

/** A segmented control: a row of toggle buttons, one of them pressed. The kit has none. */
export const Segmented = <Value extends string>({ label, options, chosen, onChoose }: Props<Value>) => (
  <fieldset className="segmented">
    <legend className="check-hidden">{label}</legend>
    {options.map(({ value, words }) => (
      <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
        {words}
      </button>
    ))}
  </fieldset>
);
