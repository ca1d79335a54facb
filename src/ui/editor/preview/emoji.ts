import { useMemo, useSyncExternalStore } from 'react';
import { createStore } from '../../../client/store.ts';
import { type EmojiTable, loadEmoji } from '../../../text/emoji.ts';
import type { Segment } from '../../../text/inline.ts';

const table = createStore<EmojiTable | undefined>(undefined);

/** Fetches the table with the first preview; every later asking is answered at once. Where it does not come, codes stay text. */
function subscribe(listener: () => void): () => void {
  loadEmoji().then(table.set, () => undefined);
  return table.subscribe(listener);
}

/** The same segments, those that name an emoji as that. */
export function withEmoji(segments: readonly Segment[], known: Pick<EmojiTable, 'glyph'>): Segment[] {
  return segments.map(segment => {
    if ('children' in segment) return { ...segment, children: withEmoji(segment.children, known) };
    return segment.type === 'emoji' ? { type: 'text', text: known.glyph(segment.value) ?? segment.text } : segment;
  });
}

/** The segments with their emoji, once the table is there. */
export function useEmoji(segments: readonly Segment[]): readonly Segment[] {
  const known = useSyncExternalStore(subscribe, table.get);
  return useMemo(() => (known ? withEmoji(segments, known) : segments), [segments, known]);
}
