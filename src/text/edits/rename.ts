import { cleanText, replaceText } from '../document.ts';
import { ItemsRequired } from '../errors.ts';
import { isMarked, marked, withMandatory, withStatus } from '../head.ts';
import type { Checklist, Target, TextChange } from '../types.ts';
import { rewrite } from './item.ts';
import { type Item, partsOf, readsAs } from './parts.ts';
import { readLine } from './read-line.ts';

/** A head that ends its line has no blank yet to put before a text. */
const spaced = (head: string) => (isMarked(head) && !/[ \t\xa0]$/.test(head) ? `${head} ` : head);

/**
 * Gives a row another text, one line as typed: in an item a leading `[STATUS] ` or `! ` sets those, their absence changes
 * neither. Line breaks become blanks. Throws `ItemsRequired` if nothing is left.
 */
export function rename(checklist: Checklist, target: Target, text: string): TextChange[] {
  const parts = partsOf(checklist, target);
  const { row } = parts;
  const typed = cleanText(text)
    .text.replace(/\s*\n\s*/g, ' ')
    .replace(/^[ \t\xa0]+|[ \t\xa0]+$/g, '');
  if (typed === '') throw new ItemsRequired();
  if (row.kind === 'header') return replaceText(parts.head + parts.content, spaced(parts.head) + typed, parts.from);

  const [read] = readLine(`- ${typed}`, checklist.statuses).rows;
  if (read?.kind !== 'checkbox' || read.text === '') throw new ItemsRequired();
  const item: Item = {
    status: read.status.slug === 'todo' ? row.status : read.status,
    mandatory: row.mandatory || read.mandatory,
    text: read.text,
  };
  const changesHead = item.status !== row.status || item.mandatory !== row.mandatory;
  // An item without a mark stays so if it can; below another row `>` would make it a detail of that.
  if (!isMarked(parts.head) && !changesHead && !typed.startsWith('>') && readsAs(checklist, typed, item)) {
    return replaceText(parts.content, typed, parts.from + parts.head.length);
  }
  const stated =
    item.status === row.status ? marked(parts.head) : withStatus(marked(parts.head), row.status, item.status);
  const head = withMandatory(stated, row.mandatory, item.mandatory);
  return rewrite(checklist, parts, spaced(head), item.text, item);
}
