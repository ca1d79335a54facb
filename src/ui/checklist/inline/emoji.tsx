import { useSyncExternalStore } from 'react';
import { createStore } from '../../../client/store.ts';
import { type EmojiTable, loadEmoji } from '../../../text/emoji.ts';

const table = createStore<EmojiTable | undefined>(undefined);

/** Loads the table with the first emoji. If that fails, codes stay text. */
function subscribe(listener: () => void): () => void {
  loadEmoji().then(table.set, () => undefined);
  return table.subscribe(listener);
}

export interface EmojiProps {
  /** Without colons. */
  code: string;
  /** The source text. */
  text: string;
}

/** An emoji by its code; an unknown code stays text. */
export default function Emoji({ code, text }: EmojiProps) {
  return useSyncExternalStore(subscribe, table.get)?.glyph(code) ?? text;
}
