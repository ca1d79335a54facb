import { useEffect, useSyncExternalStore } from 'react';
import { createStore } from '../../client/store.ts';
import type { EmojiTable } from '../../text/emoji.ts';

const table = createStore<EmojiTable | undefined>(undefined);
let asked = false;

/** Fetches the table when the first emoji shows. What fails is tried anew with the next one; until then codes are text. */
function ask(): void {
  if (asked) return;
  asked = true;
  import('../../text/emoji.ts')
    .then(({ loadEmoji }) => loadEmoji())
    .then(table.set, () => {
      asked = false;
    });
}

/** An emoji by its code; a code that names none stays text. */
export function Emoji({ code, text }: { code: string; text: string }) {
  useEffect(ask, []);
  const glyph = useSyncExternalStore(table.subscribe, table.get)?.glyph(code);
  return glyph === undefined ? text : <span title={text}>{glyph}</span>;
}
