import { cleanText, replaceText } from '../document.ts';
import { ambiguousText, EditRefused, ItemsRequired } from '../errors.ts';
import { isMarked, marked, withMandatory, withStatus } from '../head.ts';
import { isWritable } from '../status-registry.ts';
import type { Checklist, Target, TextChange } from '../types.ts';
import { type Item, type ItemParts, itemOf, type Parts, partsOf, readsAs } from './parts.ts';
import { readLine } from './read-line.ts';

/** The change to another head and content, if they read as the item that was asked for; the language cannot say every one. */
function rewrite(checklist: Checklist, parts: Parts, head: string, content: string, item: Item): TextChange[] {
  if (!readsAs(checklist, head + content, item)) throw ambiguousText();
  return replaceText(parts.head + parts.content, head + content, parts.from);
}

/** In an unmarked item a leading `! ` is text; the mark that it gets makes it the flag. */
function markedItem(checklist: Checklist, { row, head, content }: ItemParts): Item {
  const { status, mandatory, text } = row;
  const [read] = isMarked(head) ? [] : readLine(`- ${content}`, checklist.statuses).rows;
  const flagged = read?.kind === 'checkbox' && read.mandatory && !mandatory;
  return { status, mandatory: mandatory || flagged, text: flagged ? read.text : text };
}

/**
 * Gives an item the status of that slug, written in its usual form. Throws `EditRefused` on a header, for a slug that
 * the registry does not know or whose name no label can hold, and where the item's text begins like a status itself.
 */
export function setStatus(checklist: Checklist, target: Target, slug: string): TextChange[] {
  const parts = itemOf(checklist, target);
  const status = checklist.statuses.bySlug(slug);
  if (!status) throw new EditRefused('UNKNOWN_STATUS', 'This status does not exist.');
  if (!isWritable(checklist.statuses, status))
    throw new EditRefused(
      'UNWRITABLE_STATUS',
      'The name of this status cannot be written in a checklist, or another status has it too.',
    );
  if (!isMarked(parts.head) && status.slug === parts.row.status.slug) return [];
  const head = withStatus(marked(parts.head), parts.row.status, status);
  return rewrite(checklist, parts, head, parts.content, { ...markedItem(checklist, parts), status });
}

/** A tick: complete becomes to do, everything else done. */
export function toggleChecked(checklist: Checklist, target: Target): TextChange[] {
  return setStatus(checklist, target, itemOf(checklist, target).row.status.checked ? 'todo' : 'done');
}

/** Sets or takes away the `!`. Throws `EditRefused` on a header, and where another `!` would take the place of the one taken away. */
export function setMandatory(checklist: Checklist, target: Target, mandatory: boolean): TextChange[] {
  const parts = itemOf(checklist, target);
  if (parts.row.mandatory === mandatory) return [];
  const head = withMandatory(marked(parts.head), parts.row.mandatory, mandatory);
  return rewrite(checklist, parts, head, parts.content, { status: parts.row.status, mandatory, text: parts.row.text });
}

/** A head that ends its line has no blank yet to put before a text. */
const spaced = (head: string) => (isMarked(head) && !/[ \t]$/.test(head) ? `${head} ` : head);

/**
 * Gives a row another text, one line as typed: in an item a leading `[STATUS] ` or `! ` sets those, their absence changes
 * neither. Line breaks become blanks. Throws `ItemsRequired` if nothing is left.
 */
export function rename(checklist: Checklist, target: Target, text: string): TextChange[] {
  const parts = partsOf(checklist, target);
  const { row } = parts;
  const typed = cleanText(text)
    .text.replace(/\s*\n\s*/g, ' ')
    .replace(/^[ \t]+|[ \t]+$/g, '');
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
