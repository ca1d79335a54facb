import Spinner from '@atlaskit/spinner';
import { type ComponentType, type ReactNode, useState } from 'react';
import { shell } from '../../domain/messages.ts';
import { Button } from './button.tsx';
import { lazyComponent } from './lazy-component.tsx';
import { Message } from './message.tsx';

export interface ErrorProps {
  title: string;
  children?: ReactNode;
  onRetry: () => void;
  retrying?: boolean;
}

/** Replaces content that cannot be shown: the error and a retry button. */
export function ErrorView(props: ErrorProps) {
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

/** A loading spinner, centred in the space of its content. */
export const Loading = ({ size = 'medium' }: { size?: 'small' | 'medium' }) => (
  <div className="loading">
    <Spinner size={size} label="Loading" />
  </div>
);

/**
 * A lazy component that the screen cannot work without: if its chunk fails to load, an error with a retry button shows
 * in its place. `name` is the chunk's name in that message.
 */
export function requiredComponent<Props extends object>(
  name: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  let loaded: ComponentType<Props> | undefined;
  return lazyComponent(load, (props: Props) => {
    const [Part, setPart] = useState(() => loaded);
    if (Part) return <Part {...props} />;
    const run = async () => {
      loaded = (await load()).default;
      setPart(() => loaded);
    };
    return (
      <Message appearance="error" actions={[{ label: shell.retry, run: () => void run().catch(() => undefined) }]}>
        {shell.chunkFailed(name)}
      </Message>
    );
  });
}
