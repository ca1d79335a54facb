import { type ComponentType, useState } from 'react';
import { shell } from '../../../domain/messages.ts';
import { Message } from '../message.tsx';
import { lazyComponent } from './lazy-component.tsx';

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
