import { lazy, type ReactNode, Suspense } from 'react';

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

/** The bare words, for as long as the kit's message is not here. */
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
const Styled = lazy(() => import('./section-message.tsx').catch(() => ({ default: Plain })));

/** Something that the user has to know, above or in place of a screen's content. */
export const Message = (props: MessageProps) => (
  <div role="alert">
    <Suspense fallback={<Plain {...props} />}>
      <Styled {...props} />
    </Suspense>
  </div>
);
