import { useId } from 'react';
import type { Framework } from '../../wire/modules.ts';
import { chooseFrames, useFramework } from './frames.ts';

const frameworks: readonly { value: Framework; label: string }[] = [
  { value: 'connect', label: 'Connect' },
  { value: 'forge', label: 'Forge' },
];

/** Selects the framework of the frames, if the app is installed by both. */
export function FramesSwitch() {
  const framework = useFramework();
  const name = useId();
  return (
    <fieldset className="frames-switch">
      <legend>App pages:</legend>
      {frameworks.map(({ value, label }) => (
        <label key={value}>
          <input type="radio" name={name} checked={framework === value} onChange={() => chooseFrames(value)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
