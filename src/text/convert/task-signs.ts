import { losses } from '../../domain/messages.ts';
import type { DraftBuilder, ItemBlock } from './blocks.ts';

/*
 * What Obsidian Tasks writes behind a task: a sign and its day, as `📅 2026-11-20` for the due one, a priority, a
 * recurrence; or fields in brackets, as `[due:: 2026-11-20]`.
 */

const sign =
  /(?:\s|^)(?:(📅|📆|🗓)\uFE0F?|(✅|❌|➕|⏳|⌛|🛫)\uFE0F?)\s*(\d{4}-\d\d-\d\d)$|(?:\s|^)(?:([🔺⏫🔼🔽⏬])\uFE0F?|(🔁[^🔁📅✅❌➕⏳🛫]*|(?:🆔|⛔)\uFE0F?\s*[\w,-]+))$|(?:\s|^)[[(](\w+)::\s*([^\][()]*)[\])]$/u;

/** The item without the signs behind its words: the due day goes to the line's end, the others are reported. */
export function taskOf(read: ItemBlock, source: string, line: number, draft: DraftBuilder): ItemBlock {
  if (!sign.test(source.trimEnd()) || !/\p{Extended_Pictographic}|::/u.test(read.text)) return read;
  let text = read.text.trimEnd();
  let due = '';
  const reported: string[] = [];
  for (let found = sign.exec(text); found; found = sign.exec(text)) {
    const [whole, dueSign, , day = '', , , field = '', value = ''] = found;
    const stated = dueSign !== undefined ? day : /^due$/i.test(field) && /^\d{4}-\d\d-\d\d$/.test(value) ? value : '';
    if (stated !== '' && due === '') due = stated;
    else reported.unshift(whole.trim());
    text = text.slice(0, found.index).trimEnd();
  }
  if (due === '' && reported.length === 0) return read;
  for (const found of reported) draft.lose(losses.setting, line, found);
  return { ...read, text: [text, due].filter(part => part !== '').join(' ') };
}
