import { losses } from '../../domain/messages.ts';
import type { DraftBuilder, ItemBlock } from './blocks.ts';

/*
 * The signs that Obsidian Tasks writes behind a task: a sign and its day, as `📅 2026-11-20` for the due date, a
 * priority, a recurrence; or fields in brackets, as `[due:: 2026-11-20]`.
 */

const sign =
  /(?:\s|^)(?:(📅|📆|🗓)\uFE0F?|(✅|❌|➕|⏳|⌛|🛫)\uFE0F?)\s*(\d{4}-\d\d-\d\d)$|(?:\s|^)(?:([🔺⏫🔼🔽⏬])\uFE0F?|(🔁[^🔁📅✅❌➕⏳🛫]*|(?:🆔|⛔)\uFE0F?\s*[\w,-]+))$|(?:\s|^)[[(](\w+)::\s*([^\][()]*)[\])]$/u;

/** Tags that may stand behind the signs, and the name by which a note links the line. */
const end = /((?:\s#[^\s#]+)*)(\s\^[\w-]+)?\s*$/;

/** The item without the signs behind its words: the due day goes to the line's end, the other signs are reported. */
export function taskOf(read: ItemBlock, source: string, line: number, draft: DraftBuilder): ItemBlock {
  if (!sign.test(source.replace(end, '').trimEnd()) || !/\p{Extended_Pictographic}|::/u.test(read.text)) return read;
  const [, tags = '', anchor = ''] = end.exec(read.text) ?? [];
  let text = read.text.replace(end, '').trimEnd();
  let due = '';
  const reported: string[] = [];
  for (let match = sign.exec(text); match; match = sign.exec(text)) {
    const [whole, dueSign, , day = '', , , field = '', value = ''] = match;
    const stated = dueSign !== undefined ? day : /^due$/i.test(field) && /^\d{4}-\d\d-\d\d$/.test(value) ? value : '';
    if (stated !== '' && due === '') due = stated;
    else reported.unshift(whole.trim());
    text = text.slice(0, match.index).trimEnd();
  }
  if (due === '' && reported.length === 0) return read;
  draft.lose(losses.setting, line, anchor.trim());
  for (const found of reported) draft.lose(losses.setting, line, found);
  return { ...read, text: [text, tags.trim(), due].filter(part => part !== '').join(' ') };
}
