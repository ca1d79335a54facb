import { type ComponentType, lazy, type Ref, Suspense } from 'react';

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

/** A button of the same size, for as long as the kit's is not here. */
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
const Styled = lazy(() => import('./kit-button.tsx').catch(() => ({ default: Plain })));

/** The kit's button, for what is on screen from the start. */
export const Button = (props: ButtonProps) => (
  <Suspense fallback={<Plain {...props} />}>
    <Styled {...props} />
  </Suspense>
);
