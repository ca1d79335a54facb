import * as v from 'valibot';
import { readAs, readJson } from '../../domain/shape.ts';

const issue = v.string();
const shape = v.variant('kind', [
  v.object({ kind: v.literal('checklist'), issue, by: v.optional(v.array(v.string())) }),
  v.object({ kind: v.literal('presence'), issue }),
  v.object({ kind: v.literal('job'), job: v.string() }),
  v.object({ kind: v.picklist(['templates', 'statuses', 'settings']) }),
  /** Something has become of items of the account's own. */
  v.object({ kind: v.literal('assigned') }),
  /** The stream begins, anew or again: whatever happened before has to be read. */
  v.object({ kind: v.picklist(['open', 'gap']) }),
]);

/** What the server tells: that something has changed, never what it says now. */
export type LiveEvent = v.InferOutput<typeof shape>;

export const readEvent = (value: unknown): LiveEvent | undefined => readAs(shape, value);

/** Reads server-sent events out of pieces of text, wherever those were cut. What is not understood is passed over. */
export function createEventReader(hear: (event: LiveEvent) => void): (text: string) => void {
  let rest = '';
  return text => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = block.startsWith('data:') ? readEvent(readJson(block.slice('data:'.length))) : undefined;
      if (event) hear(event);
    }
  };
}
