import type { ReactNode } from 'react';

interface MessageProps {
  kind?: 'info' | 'warning' | 'error';
  title: string;
  children?: ReactNode;
  retry?: (() => void) | undefined;
  dismiss?: (() => void) | undefined;
}

/** An inline message. */
export function Message({ kind = 'info', title, children, retry, dismiss }: MessageProps) {
  return (
    <div className="message" data-kind={kind} role={kind === 'error' ? 'alert' : 'status'}>
      <p className="message-title">{title}</p>
      {children ? <p>{children}</p> : null}
      {retry || dismiss ? (
        <div className="buttons">
          {retry ? (
            <button type="button" className="button" onClick={retry}>
              Try again
            </button>
          ) : null}
          {dismiss ? (
            <button type="button" className="button" onClick={dismiss}>
              Close
            </button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

export const Loading = ({ what = 'Loading' }: { what?: string }) => (
  <div className="loading" role="status">
    <span className="spinner" aria-hidden="true" />
    <span className="hidden">{what}…</span>
  </div>
);
