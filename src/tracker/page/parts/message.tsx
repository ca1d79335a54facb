import type { ReactNode } from 'react';

interface MessageProps {
  kind?: 'info' | 'warning' | 'error';
  title: string;
  children?: ReactNode;
  retry?: (() => void) | undefined;
}

/** Something that people should know, in its place on the page. */
export function Message({ kind = 'info', title, children, retry }: MessageProps) {
  return (
    <div className="message" data-kind={kind} role={kind === 'error' ? 'alert' : 'status'}>
      <p className="message-title">{title}</p>
      {children && <p>{children}</p>}
      {retry && (
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export const Loading = ({ what = 'Loading' }: { what?: string }) => (
  <div className="loading" role="status">
    <span className="spinner" aria-hidden="true" />
    <span className="hidden">{what}…</span>
  </div>
);
