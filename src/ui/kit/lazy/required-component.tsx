import { type ComponentType, useState } from 'react';
import { shell } from '../../../domain/messages.ts';
import { Message } from '../message.tsx';
import { lazyComponent } from './lazy-component.tsx';

/**
 * A part that comes late and that people cannot do without. Where it does not come, that is said in its place with the way
 * to try again; nothing else goes with it. `name` is what the chunk is called there.
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
