import { type ReactNode, useEffect, useState } from 'react';
import { preloadable } from './lazy/lazy-component.tsx';

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

/** The bare words, where the kit's message is not to be had. */
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

/** The kit's message is heavy and comes late; it may not come at all when what it tells is that the server is away. */
const kit = preloadable(() => import('./atlaskit-message.tsx'));

/** Milliseconds after which the bare words are shown instead. */
const PATIENCE = 1_000;

/** Something that the user has to know, above or in place of a screen's content. */
export function Message(props: MessageProps) {
  const [Shown, show] = useState(() => kit.get());
  useEffect(() => {
    if (Shown) return;
    const decide = () => show(() => kit.get() ?? Plain);
    const patience = setTimeout(decide, PATIENCE);
    let gone = false;
    void kit.settled().then(() => gone || decide());
    return () => {
      gone = true;
      clearTimeout(patience);
    };
  }, [Shown]);
  return <div role="alert">{Shown ? <Shown {...props} /> : null}</div>;
}
