import { type ReactNode, useEffect, useState } from 'react';
import { preloadable } from './lazy-component.tsx';

export interface MessageAction {
  label: string;
  run: () => void;
}

export interface MessageProps {
  appearance: 'warning' | 'error';
  title?: string;
  children: ReactNode;
  actions?: readonly MessageAction[];
}

/** Shows the message as plain text if the design system's component is not available. */
const Plain = ({ title, children, actions = [] }: MessageProps) => (
  <div className="message">
    {title && <strong>{title}</strong>} {children}{' '}
    {actions.map(({ label, run }) => (
      <button key={label} type="button" onClick={run}>
        {label}
      </button>
    ))}
  </div>
);

/** Loaded lazily because of its size; may fail to load when the message is about a lost connection. */
const kit = preloadable(() => import('./atlaskit-message.tsx'));

/** The plain message is shown if the component is not loaded by then. */
const PLAIN_DELAY_MS = 1_000;

/** A warning or an error, above or in place of a screen's content. */
export function Message(props: MessageProps) {
  const [Shown, show] = useState(() => kit.get());
  useEffect(() => {
    if (Shown) return;
    const decide = () => show(() => kit.get() ?? Plain);
    const timeout = setTimeout(decide, PLAIN_DELAY_MS);
    let unmounted = false;
    void kit.settled().then(() => unmounted || decide());
    return () => {
      unmounted = true;
      clearTimeout(timeout);
    };
  }, [Shown]);
  return <div role="alert">{Shown ? <Shown {...props} /> : null}</div>;
}
