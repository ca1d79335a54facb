import type { ReactNode } from 'react';

interface Props<Value extends string> {
  /** What the choice is of, for those who hear it. */
  label: string;
  options: readonly { value: Value; words: ReactNode }[];
  chosen: Value;
  onChoose(value: NoInfer<Value>): void;
}

/** One of a few ways to see something, side by side. */
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
