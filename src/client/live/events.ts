import * as v from 'valibot';
import { readAs, readJson } from '../../domain/shape.ts';

const issue = v.string();
/** The accounts that caused it, if known. */
const by = v.optional(v.array(v.string()));
const shape = v.variant('kind', [
  v.object({ kind: v.literal('checklist'), issue, by, epoch: v.optional(v.string()), seq: v.optional(v.number()) }),
  v.object({ kind: v.literal('presence'), issue, by }),
  /** The status of the issue has changed. */
  v.object({ kind: v.literal('status'), issue }),
  v.object({ kind: v.literal('job'), job: v.string() }),
  v.object({ kind: v.picklist(['templates', 'statuses', 'settings']) }),
  /** Assigned items of the account have changed. */
  v.object({ kind: v.literal('assigned') }),
  /** The stream was opened, or events were lost: everything has to be reloaded. */
  v.object({ kind: v.picklist(['open', 'gap']) }),
]);

/** A server event: names what has changed, without content. */
export type LiveEvent = v.InferOutput<typeof shape>;

export const readEvent = (value: unknown): LiveEvent | undefined => readAs(shape, value);

/** Parses server-sent events from chunks of text. Unknown events are skipped. */
export function createEventReader(listener: (event: LiveEvent) => void): (text: string) => void {
  let pendingText = '';
  return text => {
    const blocks = (pendingText + text).split('\n\n');
    pendingText = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = block.startsWith('data:') ? readEvent(readJson(block.slice('data:'.length))) : undefined;
      if (event) listener(event);
    }
  };
}
