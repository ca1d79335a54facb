import { useSyncExternalStore } from 'react';
import { createStore } from '../../../client/store.ts';
import { type EmojiTable, loadEmoji } from '../../../text/emoji.ts';

const table = createStore<EmojiTable | undefined>(undefined);

/** Fetches the table with the first emoji that shows; every later asking is answered at once. Where it does not come, codes stay text. */
function subscribe(listener: () => void): () => void {
  loadEmoji().then(table.set, () => undefined);
  return table.subscribe(listener);
}

export interface EmojiProps {
  /** Without colons. */
  code: string;
  /** As it is written. */
  text: string;
}

/** An emoji by its code; a code that names none stays text. */
export default function Emoji({ code, text }: EmojiProps) {
  return useSyncExternalStore(subscribe, table.get)?.glyph(code) ?? text;
}
