import type { ReactNode } from 'react';
import { shell } from '../../domain/messages.ts';
import { Button } from './button.tsx';

/** Replaces content that cannot be shown: the error and a retry button. */
export function ErrorView(props: { title: string; children?: ReactNode; onRetry: () => void; retrying?: boolean }) {
  return (
    <div role="alert" className="notice">
      <h1>{props.title}</h1>
      {props.children}
      <Button onClick={props.onRetry} busy={props.retrying ?? false}>
        {shell.retry}
      </Button>
    </div>
  );
}
