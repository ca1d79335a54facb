import { type ComponentType, type Ref, useState } from 'react';
import { preloadable } from './lazy/lazy-component.tsx';

export interface ButtonProps {
  ref?: Ref<HTMLButtonElement>;
  appearance?: 'default' | 'primary' | 'subtle';
  icon?: ComponentType<{ label: string }>;
  /** What it started is under way. */
  busy?: boolean;
  autoFocus?: boolean;
  onClick: () => void;
  children: string;
}

/** A button of the same size, where the kit's was not here yet. */
const Plain = ({ ref, appearance = 'default', icon: Icon, busy, autoFocus, onClick, children }: ButtonProps) => (
  <button
    ref={ref}
    type="button"
    className={`button button-${appearance}`}
    disabled={busy}
    aria-label={busy ? `${children}, Loading` : undefined}
    // biome-ignore lint/a11y/noAutofocus: only where a question has just been asked, as the kit's own does.
    autoFocus={autoFocus}
    onClick={onClick}
  >
    {Icon ? <Icon label="" /> : null}
    {children}
  </button>
);

/** The kit's button is a part of the first load that nobody has to wait for; offline it may not come at all. */
const kit = preloadable(() => import('./atlaskit-button.tsx'));

/** The kit's button, for what is on screen from the start. */
export function Button(props: ButtonProps) {
  const [Shown] = useState(() => kit.get() ?? Plain);
  return <Shown {...props} />;
}
