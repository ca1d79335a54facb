import { type ComponentType, type Ref, useState } from 'react';
import { preloadable } from './lazy-component.tsx';

export interface ButtonProps {
  ref?: Ref<HTMLButtonElement>;
  appearance?: 'default' | 'primary' | 'subtle';
  icon?: ComponentType<{ label: string }>;
  /** Shows that the started operation is in progress. */
  busy?: boolean;
  autoFocus?: boolean;
  onClick: () => void;
  children: string;
}

/** A plain button of the same size, shown if the design system's button was not loaded at mount. */
const Plain = ({ ref, appearance = 'default', icon: Icon, busy, autoFocus, onClick, children }: ButtonProps) => (
  <button
    ref={ref}
    type="button"
    className={`button button-${appearance}`}
    disabled={busy}
    aria-label={busy ? `${children}, Loading` : undefined}
    // biome-ignore lint/a11y/noAutofocus: only in a dialog that was just opened, as the design system does.
    autoFocus={autoFocus}
    onClick={onClick}
  >
    {Icon ? <Icon label="" /> : null}
    {children}
  </button>
);

/**
 * The design system's button, in a chunk of its own so that the first load does not wait for it; it may be unavailable
 * offline.
 */
const kit = preloadable(() => import('./atlaskit-button.tsx'));

/** The design system's button for parts that are visible from the start. */
export function Button(props: ButtonProps) {
  const [Shown] = useState(() => kit.get() ?? Plain);
  return <Shown {...props} />;
}
